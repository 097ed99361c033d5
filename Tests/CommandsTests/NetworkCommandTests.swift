// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Commands

@Suite("The command for the network") struct NetworkCommandTests {
  static let forms: [(words: String, request: HostRequest)] = [
    ("network", .state), ("network open", .openAccessPoint), ("network close", .closeAccessPoint),
    ("network fallback on", .allowFallback(true)), ("network fallback off", .allowFallback(false)),
    ("network forget", .forgetNetworks),
  ]

  @Test("The command line has every form, a key those that change something, and nothing else has any")
  func surfaces() throws {
    for (words, request) in Self.forms {
      let line = try CommandLineRequest(words.split(separator: " ").map(String.init))
      #expect(line.action == .invoke(.network(request)))
      #expect((try? KeyCommand(parsing: words)) == (request == .state ? nil : .network(request)))
      for surface in [CommandSurfaces.event, .remote] {
        #expect(throws: UsageError.self) { try Change(parsing: words, on: surface) }
      }
    }
    #expect(Set(CommandTable.network.examples) == Set(Self.forms.map(\.words)))
  }

  @Test(
    "Other words are refused with what to write instead",
    arguments: [
      ("network opne", "did you mean 'open'?"), ("network fallback", "on or off?"),
      ("network fallback yes", "known: on, off"), ("network open now", "unexpected argument 'now'"),
      ("network fallback on now", "unexpected argument 'now'"),
    ])
  func refused(words: String, reason: String) {
    do throws(UsageError) {
      _ = try CommandLineRequest(words.split(separator: " ").map(String.init))
      Issue.record("accepted")
    } catch { #expect(error.line.contains(reason), "\(error.line)") }
    #expect(throws: UsageError.self) { try KeyCommand(parsing: words) }
  }

  @Test("A key that only prints is refused with the forms that change something")
  func printing() {
    do throws(UsageError) {
      _ = try KeyCommand(parsing: "network")
      Issue.record("accepted")
    } catch {
      #expect(error.usage == Self.forms.dropFirst().map(\.words).map { $0 })
    }
  }
}

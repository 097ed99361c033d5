// SPDX-License-Identifier: Apache-2.0

import CommandSamples
import Commands
import JSON
import Scoreboard
import Testing

@testable import ControlCalls
@testable import Varlink
@testable import VarlinkSockets

@Suite struct ControlInterfaceTests {
  /// The methods of the interface, each with its parameters and their types.
  private static var methods: [String: [String: String]] {
    var methods: [String: [String: String]] = [:]
    for method in ControlInterface.methods {
      let parameters = method.parameters.split(separator: ", ").map {
        $0.split(separator: ": ").map(String.init)
      }
      methods[method.name] = Dictionary(uniqueKeysWithValues: parameters.map { ($0[0], $0[1]) })
    }
    return methods
  }

  /// In several statements, because Swift 6.0.3 does not find the types of one expression.
  private static let commands: [Command] = {
    var commands: [Command] = CommandSamples.changes.map { .change($0) }
    commands += [
      .status, .state, .history(limit: nil), .history(limit: 3), .matches, .boards, .countdowns, .watch,
      .watchDisplay, .reload, .examine, .restart, .redeem(secret: "123456"), .settings,
      .importSettings("[game]"),
      .setSettings([.init(key: "game.preset", value: "tennis"), .init(key: "theme.name", value: nil)]),
    ]
    commands += [
      .joinWalls, .takeWallMessage("{}", isLive: true), .reportWalls(isReachable: true),
      .change(.lead(anyway: true)),
    ]
    commands += NetworkNotice.samples.map { .reportNetwork($0) }
    commands += [
      .reportNetwork(nil), .reportOwners(2), .reportHorn(problem: nil),
      .reportHorn(problem: "no such device"),
      .screenshot(), .screenshot(output: "HDMI-A-1"),
    ]
    return commands
  }()

  @Test("Every command is encoded as a call of the interface and decoded as the same command")
  func roundTrip() throws {
    for command in Self.commands {
      let call = VarlinkCall(command)
      #expect(call.interface == ControlInterface.name)
      guard let parameters = Self.methods[call.member] else {
        Issue.record("Sources/ControlCalls/ControlInterface.swift: add '\(call.member)' to 'methods'")
        continue
      }
      #expect(
        try Command(call) { ["game"] } == command, "Sources/ControlCalls/ControlInterface.swift: \(command)")
      for name in call.parameters.keys where parameters[name] == nil {
        Issue.record(
          "Sources/ControlCalls/ControlInterface.swift: '\(call.member)' in 'methods' lacks '\(name)'")
      }
      for (name, type) in parameters where !type.hasPrefix("?") && call.parameters[name] == nil {
        Issue.record(
          "Sources/ControlCalls/ControlInterface.swift: the call of '\(call.member)' lacks '\(name)'")
      }
    }
  }

  @Test("A call for all displays has no parameter that names one")
  func withoutOutput() {
    let commands: [Command] = [
      .change(.blank()), .change(.unblank()), .change(.toggleBlank()), .screenshot(),
    ]
    for command in commands { #expect(VarlinkCall(command).parameters == [:]) }
    #expect(VarlinkCall(.change(.setBrightness(percent: 50))).parameters == ["percent": .integer(50)])
    #expect(VarlinkCall(.change(.addBrightness(percent: 5))).parameters == ["percent": .integer(5)])
  }

  @Test("A text for a board has an order of its cards, and no other than those that exist")
  func waves() throws {
    for order in CardWave.Order.allCases {
      for wave in [CardWave(order), CardWave(order, size: 64, milliseconds: 10_000)] {
        var text = PushedText("X")
        text.wave = wave
        let command = Command.change(.setBoard("hall", text))
        #expect(try Command(VarlinkCall(command)) { [] } == command)
      }
    }
    for wave in [
      "{}", #"{"order": "left"}"#, #"{"order": "rows", "size": 0}"#,
      #"{"order": "rows", "milliseconds": 10001}"#,
      #"{"order": 1}"#, "[]", "7",
    ] {
      var call = VarlinkCall(.change(.setBoard("hall", PushedText("X"))))
      call.parameters["wave"] = try JSONReader.read(Array(wave.utf8))
      #expect(throws: VarlinkError.self) { try Command(call) { [] } }
    }
  }

  @Test("Every method of the interface has a command")
  func methods() {
    #expect(Self.methods.count == ControlInterface.methods.count, "a method is in the table twice")
    let called = Set(Self.commands.map { VarlinkCall($0).member })
    for method in Set(Self.methods.keys).subtracting(called) {
      Issue.record(
        "Tests/CommandSamples/CommandSamples.swift or Sources/Commands/Command.swift lacks '\(method)'")
    }
  }

  @Test("The limits are those in the interface file")
  func limits() {
    let text = ControlInterface.description
    #expect(VarlinkFraming.maximumCallBytes == 65536)
    #expect(VarlinkFraming.maximumReplyBytes == 64 << 20)
    #expect(text.contains("at most \(VarlinkFraming.maximumCallBytes) bytes"))
    #expect(text.contains("nested at most \(JSONReader.maximumDepth) deep"))
    #expect(text.contains("At most \(VarlinkServer.Limits().clients) clients"))
    #expect(text.contains("within \(VarlinkConnection.Limits().patienceSeconds) seconds"))
  }
}

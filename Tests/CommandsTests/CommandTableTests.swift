// SPDX-License-Identifier: Apache-2.0

import CommandSamples
import Scoreboard
import Testing

@testable import Commands

@Suite struct CommandTableTests {
  static let visible = CommandTable.rows.filter { !$0.isHidden }

  @Test("Every example is valid on every surface of its row", arguments: visible.map(\.verb))
  func examples(verb: String) throws {
    let row = try #require(CommandTable.row(verb))
    #expect(!row.examples.isEmpty && !row.usage.isEmpty && row.summary.hasSuffix("."))
    for example in row.examples {
      #expect(example.hasPrefix(verb))
      let action = try CommandLineRequest(ShellWords.split(example)).action
      guard case .invoke(let invocation) = action else {
        Issue.record("\(example) is not a command")
        continue
      }
      guard case .request(let request) = invocation, case .command(.change(let change)) = request
      else { continue }
      for surface in [CommandSurfaces.key, .event, .remote]
      where row.surfaces.contains(surface) && (surface != .remote || change.isForRemotes) {
        let text = surface == .remote ? example : example.replacing("\"", with: "")
        // Only the command line has standard input.
        let isRead =
          surface == .key
          ? (try? KeyCommand(parsing: text)) == .change(change)
          : (try? Change(parsing: text, on: surface)) != nil
        #expect(isRead != request.readsText, "\(example)")
      }
    }
  }

  @Test(
    "Every change of the match and the display has a command for the command line, keys and events")
  func coverage() throws {
    var written: Set<String> = []
    for row in Self.visible where row.surfaces.isSuperset(of: .atTheWall) {
      for example in row.examples {
        switch try? KeyCommand(parsing: example.replacing("\"", with: "")) {
        case .change(.match(let action))?: written.insert(CommandSamples.name(action))
        case .change(let change)?: written.insert(CommandSamples.name(change))
        case .network, nil: break
        }
      }
    }
    let actions = CommandSamples.actions.map { CommandSamples.name($0) }
    let changes = CommandSamples.changes.map { CommandSamples.name($0) }.filter { $0 != "match" }
    for name in Set(actions + changes).subtracting(written).sorted() {
      Issue.record(
        """
        no example of a row is '\(name)': add a row to 'matchRows' in Sources/Commands/CommandTable+Match.swift, or to \
        'displayRows' in CommandTable+Display.swift, or an example to its row
        """)
    }
  }

  @Test("Verbs are unique, and options match the usage")
  func consistency() {
    #expect(Set(CommandTable.rows.map(\.verb)).count == CommandTable.rows.count)
    for row in CommandTable.rows {
      let usage = row.usage.joined(separator: " ")
      for option in row.options { #expect(usage.contains(option.name), "\(row.verb) \(option.name)") }
      let named = usage.split { !$0.isLetter && $0 != "-" }.filter { $0.hasPrefix("--") && $0 != "--" }
      for name in named { #expect(row.options.contains { $0.name == name }, "\(row.verb) \(name)") }
    }
  }

  @Test("An option is not ignored where its command prints something without operands")
  func optionsAlone() {
    func read(_ words: String...) -> CommandLineRequest.Action? { try? CommandLineRequest(words).action }
    for row in Self.visible where row.operands.allSatisfy(\.isOptional) {
      for option in row.options {
        let value = option.examples.first ?? "1"
        let alone = option.value == nil ? read(row.verb, option.name) : read(row.verb, option.name, value)
        #expect(alone == nil || alone != read(row.verb), "\(row.verb) \(option.name)")
      }
    }
  }

  @Test("The help lists every verb, and each verb's help has its forms and options")
  func help() throws {
    let overview = Help.overview
    for row in Self.visible {
      #expect(overview.contains("\n  \(row.verb) "))
      let text = Help.text(row)
      for form in row.forms { #expect(text.contains("flipclockctl \(form)\n")) }
      for option in row.options { #expect(text.contains("\n  \(option.name)")) }
      for line in text.split(separator: "\n")
      where !line.hasPrefix("USAGE") && !line.contains("flipclockctl ") {
        #expect(line.count <= 80, "\(line)")
      }
      #expect(try CommandLineRequest([row.verb, "--help"]).action == .help(text))
      #expect(try CommandLineRequest(["help", row.verb]).action == .help(text))
    }
    #expect(!overview.contains("\n  complete "))
  }

  @Test("Completions offer the words that may follow, and options for a word that begins with '-'")
  func completions() {
    func words(_ words: String..., isOption: Bool = false) -> [String] {
      Completion.candidates(isOption ? .options(words) : .next(words)) { names in
        let known = [
          "teams": ["lions", "tigers"], "pages": ["main"], "counters": ["fouls"],
          "outputs": ["HDMI-A-1", "left"],
        ]
        return known[names.rawValue] ?? []
      }.map(\.word)
    }
    #expect(words() == CommandTable.verbs && !words().contains("complete"))
    #expect(words("help") == words() && words("help", "set") == [])
    #expect(words("set") == ["period", "serve", "lions", "tigers"])
    #expect(words("set", "serve") == ["lions", "tigers", "none"])
    #expect(words("set", "lions") == ["name", "short-name", "color", "score", "period-score", "fouls"])
    #expect(words("set", "lions", "fouls") == ["+1", "-1"])
    #expect(words("set", "lions", "name") == [] && words("set", "serve", "lions") == [])
    #expect(words("set", "period") == ["+1", "-1"])
    #expect(words("set-score") == ["lions", "tigers"])
    #expect(words("set-score", "lions") == [])
    #expect(words("add-score", "lions") == ["+1", "-1", "+2", "+3"])
    #expect(words("timer") == ["start", "pause", "toggle", "reset", "set", "add"])
    #expect(words("show") == ["main"])
    #expect(words("brightness").contains("default"))
    let common = ["--socket", "--json", "--help"]
    #expect(words("message", isOption: true) == ["--for", "--until-cleared", "--full", "--clear"] + common)
    #expect(words("message", "--clear", isOption: true) == ["--for", "--until-cleared", "--full"] + common)
    #expect(words("message", "--for").contains("30s"))
    #expect(words("message", "--for", "30s") == [])
    #expect(words("blank", "--output") == ["HDMI-A-1", "left"])
    #expect(words("screenshot", "--output") == ["HDMI-A-1", "left"])
    #expect(words("brightness", "--output", "left") == words("brightness"))
    #expect(words("blank", "--output", "left", isOption: true) == ["--toggle", "--for"] + common)
    #expect(words("reload") == [] && words("nonsense") == [])
    let verbs = Completion.candidates(.next([])) { _ in [] }
    #expect(verbs.allSatisfy { !$0.help.isEmpty })
  }
}

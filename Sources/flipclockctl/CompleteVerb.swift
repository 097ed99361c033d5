// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Control
import Glibc

/// What the shells' completions ask: a candidate a line, with a tab and its description where there is one;
/// nothing where there is nothing to offer.
struct CompleteVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "complete", abstract: "Prints what may come next, for the shells' completions.",
    usage: """
      flipclockctl complete words|options -- <word> ...
      flipclockctl complete verbs|teams|pages|counters
      """, shouldDisplay: false)
  @OptionGroup var options: Options
  @Argument(help: "words or options, for what follows words; or verbs, teams, pages, counters.")
  var what: String
  @Argument(parsing: .postTerminator, help: "The words that are complete, from the verb on.")
  var words: [String] = []

  func run() throws {
    var candidates: [Completion.Candidate] = []
    switch what {
    case "verbs": candidates = VerbTable.verbs.map { Completion.Candidate($0.name) }
    case "words", "options":
      candidates = Completion.candidates(
        after: words, isOption: what == "options", verbs: VerbTable.verbs, known: known)
    default:
      if let source = Completion.Source(rawValue: what) { candidates = known(source).map { .init($0) } }
    }
    let text = candidates.map { candidate in
      candidate.word.printable + (candidate.help.isEmpty ? "" : "\t\(candidate.help)") + "\n"
    }
    try? writeAll(Array(text.joined().utf8), to: STDOUT_FILENO)
  }

  /// A shell that waits for a daemon that is stuck is worse than one without words.
  private func known(_ source: Completion.Source) -> [String] {
    do throws(ControlClientError) {
      let candidates = SocketPath.candidates(option: options.socket) { name in
        getenv(name).map { String(cString: $0) }
      }
      var client = try ControlClient(candidates: candidates, timeoutSeconds: 1)
      let (method, member) = source == .counters ? ("GetState", "state") : ("GetStatus", "status")
      let reply = try client.call("\(ControlInterface.name).\(method)")
      return Completion.words(source, in: reply[member] ?? .null)
    } catch {
      return []
    }
  }
}

/// The verbs and their options, as the parser describes them for its own help.
enum VerbTable {
  static var verbs: [Completion.Verb] {
    guard let dump = try? JSONReader.read(Array(Command._dumpHelp().utf8)) else { return [] }
    let commands = dump["command"]?["subcommands"]?.array ?? []
    return Command.verbs.compactMap { name in
      guard let command = commands.first(where: { $0["commandName"]?.string == name }) else { return nil }
      let options = (command["arguments"]?.array ?? []).compactMap(option)
      return Completion.Verb(name, sentence(command["abstract"]), options: options)
    }
  }

  private static func option(_ argument: JSONValue) -> Completion.Option? {
    guard let kind = argument["kind"]?.string, kind != "positional",
      let name = argument["names"]?.array?.first(where: { $0["kind"]?.string == "long" })?["name"]?.string,
      name != "version"
    else { return nil }
    return Completion.Option(
      "--\(name)", name == "help" ? "Print help." : sentence(argument["abstract"]),
      takesValue: kind == "option")
  }

  private static func sentence(_ text: JSONValue?) -> String {
    (text?.string ?? "").split(separator: "\n").joined(separator: " ")
  }
}

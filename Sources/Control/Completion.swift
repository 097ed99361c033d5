// SPDX-License-Identifier: Apache-2.0

/// What may come next on flipclockctl's command line, for the completions of the shells.
public enum Completion {
  /// What the arguments of the verbs are, in their order; a verb that is not here takes none that a shell
  /// could know.
  private static let arguments: [String: [Source]] = [
    "set-score": [.teams], "add-score": [.teams], "set": [.settable], "timer": [.timerWords],
    "penalty": [.teams],
    "show": [.pages], "help": [.verbs],
  ]

  /// Where words come from.
  public enum Source: String, Sendable {
    case verbs, teams, pages
    /// What `set` takes first: teams, and what belongs to none.
    case settable
    case timerWords = "timer-words"
  }

  /// The source of argument `index` of `verb`; of `teams` and `pages`, which are no verbs, themselves.
  public static func source(_ verb: String, argument index: Int) -> Source? {
    if let source = Source(rawValue: verb) { return source }
    guard let sources = arguments[verb], sources.indices.contains(index) else { return nil }
    return sources[index]
  }

  /// The words that the daemon's status has to offer.
  public static func words(_ source: Source, in status: JSONValue) -> [String] {
    switch source {
    case .verbs: []
    case .timerWords: ControlCommand.timerWords
    case .settable: ["period", "serve"] + words(.teams, in: status)
    case .teams: (status["scoreboard"]?["teams"]?.object ?? [:]).keys.sorted()
    case .pages: status["pages"]?.array?.compactMap(\.string) ?? []
    }
  }
}

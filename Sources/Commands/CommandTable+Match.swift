// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Scoreboard
import Spelling

// Commands for the match.
extension CommandTable {
  static let matchRows = [
    setScore, addScore, set, timer, undo, redo, history, penalty, timeOut, breaks, swap, endMatch, newGame,
    reset,
    matches, aside, watch,
  ]

  static let setScore = CommandSyntax(
    verb: "set-score", usage: ["<team> <score> [--anyway]"], summary: "Set the score of a team.",
    operands: [.team, .init(name: "score", help: "The new score, 0 to 999.")],
    options: [anyway],
    examples: ["set-score home 7"], surfaces: .all,
    completion: { $0.isEmpty ? [.names(.teams, "team")] : [] },
    parse: { arguments throws(UsageError) in
      let (team, word) = (arguments.operands[0], arguments.operands[1])
      // A word such as +1 is a difference, not a score.
      if word.hasPrefix("+") {
        throw UsageError(
          "'\(word.printable)' is relative; did you mean 'add-score \(team) \(word)'?".printable)
      }
      return match(
        .setScore(
          team: team, to: try number(word, "set-score takes a score, 0 to 999"),
          anyway: arguments.has(anyway.name) ? true : nil))
    })

  static let addScore = CommandSyntax(
    verb: "add-score", usage: ["<team> <points>"],
    summary: "Add points to the score of a team, or subtract them.",
    operands: [.team, .init(name: "points", help: "How many: 2, +2, -1.")],
    examples: ["add-score home +1", "add-score guest -1"], surfaces: .all,
    completion: { words in
      switch words.count {
      case 0: [.names(.teams, "team")]
      case 1: steps + [.word("+2", "two more"), .word("+3", "three more")]
      default: []
      }
    },
    parse: { arguments throws(UsageError) in
      let points = try number(arguments.operands[1], "add-score takes a number of points: 2, +2, -1")
      return match(.addScore(team: arguments.operands[0], by: points))
    })

  static let undo = historySteps("undo", "Undo the last change, or the last n.") { count in
    match(count.map { .undoSteps($0) } ?? .undo)
  }

  static let redo = historySteps("redo", "Redo the change that was undone last, or the last n.") { count in
    match(count.map { .redoSteps($0) } ?? .redo)
  }

  private static func historySteps(
    _ verb: String, _ summary: String, _ make: @escaping @Sendable (Int?) -> Invocation
  ) -> CommandSyntax {
    CommandSyntax(
      verb: verb, usage: ["[<n>]"], summary: summary,
      discussion: verb == "undo"
        ? "Undo restores only what the change had changed: a running clock keeps running."
        : "Redo has the effect that the change would have now: a clock whose start is redone starts now.",
      operands: [.init(name: "n", help: "How many changes; 1 by default.", isOptional: true)],
      examples: [verb, "\(verb) 3"], surfaces: .all,
      parse: { arguments throws(UsageError) in
        guard let word = arguments.operands.first else { return make(nil) }
        guard let count = Int(word), count > 0 else {
          throw UsageError("'\(verb)' takes how many changes, at least 1: '\(verb) 3'")
        }
        return make(count)
      })
  }

  static let history = CommandSyntax(
    verb: "history", usage: ["[--limit <count>]"], summary: "List the changes, the latest last.",
    options: [.init(name: "--limit", value: "count", help: "How many changes; 50 by default.")],
    examples: ["history", "history --limit 5"], surfaces: .commandLine,
    parse: { arguments throws(UsageError) in
      guard let word = arguments["--limit"] else { return .request(.command(.history(limit: nil))) }
      guard let limit = Int(word) else {
        throw UsageError("'\(word.printable)' is not a whole number; --limit takes a number from 1")
      }
      guard limit > 0 else { throw UsageError("--limit takes a number from 1, not '\(word)'") }
      return .request(.command(.history(limit: limit)))
    })

  static let swap = plain(
    "swap", match(.swapSides), "Have the teams change sides.", surfaces: .all)

  static let endMatch = plain(
    "end-match", match(.endMatch), "End the match as it stands; the team that leads has won.",
    discussion: """
      For a match that its rules do not end, because the time for it is up, it is a draw, or somebody cannot go on. \
      The display shows the result, and 'matches' lists the match. 'undo' continues it.
      """, surfaces: .all)

  static let newGame = plain(
    "new-game", match(.newGame), "Begin a new game with the same names.",
    discussion: "'flipclockctl undo' restores the old one.", surfaces: .all)

  static let reset = plain(
    "reset", match(.reset), "Begin a new game with the names of the config.",
    discussion: "'flipclockctl undo' restores the old one.", surfaces: .all)

  static let matches = CommandSyntax(
    verb: "matches", usage: ["[--csv]"],
    summary: "List the finished matches and those that were set aside.",
    discussion: """
      A match is finished when it is over, or when a new game begins. The wall keeps the last 200, with the points of each \
      period and the times; 'undo' of the new game removes the match from the list. With --csv, the finished matches \
      are printed for a spreadsheet or a website, with --json both lists.
      """,
    options: [.init(name: "--csv", help: "Print the finished matches as CSV.")],
    examples: ["matches", "matches --csv"], surfaces: .commandLine,
    parse: { .request($0.has("--csv") ? .matchesCSV : .command(.matches)) })

  static let aside: CommandSyntax = CommandSyntax(
    verb: "match", usage: ["list", "restore <id>"],
    summary: "List matches as 'matches' does, or bring one back that was set aside.",
    discussion: """
      When two walls that share a match have kept the score without each other, all walls show the match of one of them, \
      and that of the other is set aside. 'restore' takes the beginning of an id, as listed; the clocks of the match \
      are paused, and 'undo' brings the present match back.
      """,
    operands: [
      .init(name: "action", help: "list or restore."),
      .init(name: "id", help: "The beginning of its id, as listed.", isOptional: true),
    ],
    examples: ["match list", "match restore 4f3a"], surfaces: .all,
    completion: { words in
      words.isEmpty
        ? [.word("list", "lists matches"), .word("restore", "brings one back")] : []
    },
    parse: { arguments throws(UsageError) in
      let (action, id) = (arguments.operands[0], arguments.operands.dropFirst().first)
      switch (action, id) {
      case ("list", nil): return .request(.command(.matches))
      case ("list", let id?): throw UsageError("unexpected argument '\(id.printable)'", usage: aside.forms)
      case ("restore", let id?) where !id.isEmpty: return .request(.command(.change(.restore(match: id))))
      case ("restore", _): throw UsageError("which match? 'match list' prints their ids")
      default: throw UsageError(Spelling.unknown("word", action.printable, among: ["list", "restore"]))
      }
    })

  static let watch = plain(
    "watch", .request(.command(.watch)), "Print the match now and after every change.",
    discussion: "With --json each line is one object, the interface's type MatchState.")

  // MARK: Timers and penalties

  private static let timerWords: [(word: String, help: String)] = [
    ("start", "let it run"), ("pause", "stop it"), ("toggle", "start or pause it"),
    ("reset", "back to its beginning"),
    ("set", "to a time, e.g. 10:00"), ("add", "a time, e.g. -0:30"),
  ]

  static let timer = CommandSyntax(
    verb: "timer",
    usage: [
      "start|pause|toggle|reset [--shot|--break]", "reset --shot <time>", "set <time> [--shot|--break]",
      "add <time> [--shot|--break]",
    ],
    summary: "Start, pause, toggle, reset or set a clock of the match.",
    discussion: """
      A time is '10:00', '1:30:00' or seconds, '24', '7.5'. With a sign it is relative: 'add -0:30'. \
      'timer reset --shot 14' resets the shot clock to 14 seconds. 'timer toggle' starts a clock that is paused and \
      pauses one that runs, for a single key; 'timer stop' is 'timer pause'.
      """,
    operands: [
      .init(name: "action", help: "start, pause, toggle, reset, set or add.", isOptional: true),
      .init(name: "time", help: "10:00, or seconds.", isOptional: true, isRepeated: true),
    ],
    options: [
      .init(name: "--shot", help: "The shot clock instead of the game clock."),
      .init(name: "--break", help: "The clock of the break."),
    ],
    examples: [
      "timer start", "timer pause", "timer toggle", "timer reset", "timer reset --shot 14", "timer set 10:00",
      "timer add -0:30",
    ], surfaces: .all,
    completion: { $0.isEmpty ? timerWords.map { .word($0.word, $0.help) } : [] },
    parse: { arguments throws(UsageError) in match(try timerAction(arguments)) })

  private static func timerAction(_ arguments: Arguments) throws(UsageError) -> Scoreboard.Action {
    let words = arguments.operands
    let others = [("--shot", GameTimer.ID.shot), ("--break", .breakClock)].filter { arguments.has($0.0) }
    guard others.count < 2 else { throw UsageError("--shot and --break are two clocks: write one of them") }
    let timer = others.first?.1 ?? .game
    guard let verb = words.first else {
      throw UsageError("missing <action>: start, pause, toggle, reset, set or add")
    }
    switch (verb, words.count) {
    case ("start", 1): return .startTimer(timer)
    case ("pause", 1), ("stop", 1): return .pauseTimer(timer)
    case ("toggle", 1): return .toggleTimer(timer)
    case ("reset", 1): return .resetTimer(timer)
    case ("reset", 2) where timer == .shot:
      guard let time = time(words[1]), !isRelative(words[1]) else {
        throw UsageError("'\(words[1].printable)' is not a time; write 'timer reset --shot 14'")
      }
      return .resetShot(to: time)
    case ("set", _), ("add", _):
      guard words.count == 2, let time = time(words[1]) else {
        let wrong = words.count == 2 ? "'\(words[1].printable)' is not a time; " : ""
        throw UsageError("\(wrong)'timer \(verb)' takes '10:00', '5min' or '24' (seconds), up to 99:59:59")
      }
      return verb == "add" || isRelative(words[1]) ? .addTimer(timer, by: time) : .setTimer(timer, to: time)
    case ("start", _), ("pause", _), ("stop", _), ("toggle", _), ("reset", _):
      throw UsageError(
        "'timer \(verb)' takes no time; 'timer set 10:00' sets the clock, and --shot selects the shot clock")
    default:
      throw UsageError(Spelling.unknown("timer action", verb.printable, among: timerWords.map(\.word)))
    }
  }

  static let penalty = CommandSyntax(
    verb: "penalty",
    usage: [
      "<team> [<time>] [--number <number>]", "<team> --end [--number <number>]", "<team> --clear",
    ],
    summary: "Give a time penalty, or end one.",
    discussion: """
      A penalty runs while the game clock does. Its default length is the first of 'penalties' in the config's [game].
      """,
    operands: [.team, .init(name: "time", help: "How long: 2:00.", isOptional: true)],
    options: [
      .init(name: "--number", value: "number", help: "The player's number."),
      .init(name: "--end", help: "End the oldest penalty of the team, or of the player."),
      .init(name: "--clear", help: "End all penalties of the team."),
    ],
    examples: ["penalty home 2:00 --number 17", "penalty home --end", "penalty home --clear"],
    surfaces: .all,
    completion: { words in
      switch words.count {
      case 0: [.names(.teams, "team")]
      case 1: [.word("2:00"), .word("5:00")]
      default: []
      }
    },
    parse: { arguments throws(UsageError) in match(try penaltyAction(arguments)) })

  private static func penaltyAction(_ arguments: Arguments) throws(UsageError) -> Scoreboard.Action {
    let words = arguments.operands
    var number: Int?
    if let word = arguments["--number"] {
      guard let value = Int(word), Penalty.numbers.contains(value) else {
        throw UsageError("'\(word.printable)' is not a player's number: 0 to \(Penalty.numbers.upperBound)")
      }
      number = value
    }
    let (ends, clears) = (arguments.has("--end"), arguments.has("--clear"))
    if ends || clears {
      guard words.count == 1, ends != clears, !clears || number == nil else {
        throw UsageError(
          "--end and --clear take a team, and --end a --number: 'penalty home --end --number 17'")
      }
      return ends ? .endPenalty(team: words[0], number: number) : .clearPenalties(team: words[0])
    }
    guard words.count == 2 else { return .addPenalty(team: words[0], length: nil, number: number) }
    guard let length = time(words[1]), !isRelative(words[1]), length > 0 else {
      throw UsageError("'\(words[1].printable)' is not the time of a penalty; write '2:00' or '5:00'")
    }
    return .addPenalty(team: words[0], length: length, number: number)
  }

  // MARK: Breaks

  static let timeOut = CommandSyntax(
    verb: "time-out", usage: ["<team> [<time>] [--anyway]"],
    summary: "Begin a time-out of a team, and count it.",
    discussion: """
      The game clock stops (a stopwatch in a game of sets runs on), and the time-out is counted down in its place. 'undo' \
      takes the time-out back, 'break end' ends it. Where the rules allow no more, and while a time-out of the same team, \
      an interval, half-time or the warm-up runs or a set or the match is over, --anyway counts it nevertheless.
      """,
    operands: [
      .team, .init(name: "time", help: "How long, if not as in the config's [game]: 0:30.", isOptional: true),
    ],
    options: [anyway],
    examples: ["time-out home", "time-out guest --anyway"], surfaces: .all,
    completion: { $0.isEmpty ? [.names(.teams, "team")] : [] },
    parse: { arguments throws(UsageError) in
      let words = arguments.operands
      return match(
        .startBreak(
          .timeOut(team: words[0]), length: try breakLength(words.dropFirst().first),
          anyway: arguments.has(anyway.name) ? true : nil))
    })

  static let anyway = CommandOption(name: "--anyway", help: "Even if the rules do not allow it.")

  private static let breakWords: [(word: String, help: String)] = [
    ("interval", "between two periods"), ("half-time", "in the middle of the match"),
    ("warm-up", "before the match"),
    ("end", "at once"),
  ]

  static let breaks: CommandSyntax = CommandSyntax(
    verb: "break", usage: ["interval|half-time|warm-up [<time>] [--anyway]", "end"],
    summary: "Begin an interval, half-time or the warm-up, or end a break.",
    discussion: """
      A break is counted down in the place of the game clock. It ends when the game clock is started, with the next \
      period, or ten seconds after its own clock has run out. Intervals begin by themselves where the config's [game] \
      has their lengths. 'timer' with --break changes the clock. After the end of the match, --anyway begins a break \
      nevertheless.
      """,
    operands: [
      .init(name: "what", help: "interval, half-time, warm-up or end."),
      .init(name: "time", help: "How long, if not as in the config's [game]: 15:00.", isOptional: true),
    ],
    options: [anyway],
    examples: ["break half-time", "break interval 2:00", "break warm-up", "break end"], surfaces: .all,
    completion: { $0.isEmpty ? breakWords.map { .word($0.word, $0.help) } : [] },
    parse: { arguments throws(UsageError) in
      let (word, time) = (arguments.operands[0], arguments.operands.dropFirst().first)
      if word == "end" {
        if let extra = time ?? (arguments.has(anyway.name) ? anyway.name : nil) {
          throw UsageError("unexpected argument '\(extra.printable)'", usage: breaks.forms)
        }
        return match(.endBreak)
      }
      guard let kind = GameBreak.Kind(name: word, team: nil) else {
        if word == "time-out" { throw UsageError("'time-out home' begins a time-out") }
        throw UsageError(Spelling.unknown("break", word.printable, among: breakWords.map(\.word)))
      }
      return match(
        .startBreak(kind, length: try breakLength(time), anyway: arguments.has(anyway.name) ? true : nil))
    })

  private static func breakLength(_ word: String?) throws(UsageError) -> Int64? {
    guard let word else { return nil }
    guard let length = time(word), !isRelative(word), length > 0 else {
      throw UsageError("'\(word.printable)' is not the time of a break; write '1:00' or '15:00'")
    }
    return length
  }

  // MARK: Words

  static let steps: [Completion.Item] = [.word("+1", "one more"), .word("-1", "one less")]

  static func match(_ action: Scoreboard.Action) -> Invocation { .request(.command(.change(.match(action)))) }

  static func isRelative(_ word: String) -> Bool { word.hasPrefix("+") || word.hasPrefix("-") }

  /// A whole number, with or without a sign.
  ///
  /// - Parameter remedy: what to write instead.
  static func number(_ word: String, _ remedy: String) throws(UsageError) -> Int {
    guard let number = Int(word) else {
      throw UsageError("'\(word.printable)' is not a whole number; \(remedy)")
    }
    return number
  }

  /// Reads `10:00`, `5min` and `24` (seconds), with or without a sign, to the millisecond. Returns
  /// nanoseconds; nil if the word is not a time, or exceeds `GameTimer.limit`.
  static func time(_ word: String) -> Int64? {
    let digits = isRelative(word) ? String(word.dropFirst()) : word
    guard let time = (try? DurationText.nanoseconds(digits)) ?? GameTimeText.nanoseconds(digits),
      time <= GameTimer.limit
    else { return nil }
    return (word.hasPrefix("-") ? -1 : 1) * (time / 1_000_000) * 1_000_000
  }
}

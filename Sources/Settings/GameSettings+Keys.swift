// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import TOMLConfig

extension Section where Target == GameDraft {
  static var game: Section {
    Section(
      title: "game",
      text: """
        The rules of the game. The keys change the preset, so that a club can write its own rules.

        A config with this table, and without a layout, pages or widgets of its own, shows a scoreboard with the time
        of day small beneath it.

        If another game is configured while a match is played, the match is set aside, and a new one begins. It is
        another game if the `preset` differs (unless one of the two is `"free"`), if the `scoring` differs, if scores
        count down instead of up, if sets consist of games instead of points, or the reverse. `flipclockctl match list`
        prints the matches that were set aside. If the config has the game before again and nothing has happened in the
        new match, the one that was set aside goes on, with its clocks paused.
        """,
      keys: basics + winning + serving + clocks + breaks)
  }

  private static var basics: [Key<GameDraft>] {
    [
      Key(
        "preset", \.preset, .preset,
        """
        The game: `"basketball"`, `"volleyball"`, `"table-tennis"`, `"football"`, `"darts"`, `"tennis"`, `"handball"`,
        `"ice-hockey"`, `"badminton"`, or `"free"`, which is scores and a stopwatch.
        """),
      Key(
        "resume", \.resume, .choice(),
        """
        What a running clock does after a restart. `"paused"`: it stays paused at its time before the restart.
        `"running"`: it continues as if it had never stopped. After a power cut or a crash the paused time may be up to ten
        seconds old, because the time of a running clock is saved every ten seconds.
        """),
      Key(
        "periods", \.rules.periods, .integer(in: 1...99),
        "How many periods there are. With `scoring = \"total\"` more may be played, as overtime.",
        example: "4"),
      Key(
        "period-name", \.rules.periodName, .text(maximum: 24), "What a period is called.",
        example: "\"QUARTER\""),
      Key(
        "overtime-name", \.rules.overtimeName, .text(maximum: 24),
        "What a period after the last one is called; usually `\"OVERTIME\"`.", example: "\"OVERTIME\""),
      Key(
        "overtime-short-name", \.rules.shortOvertimeName, .text(maximum: 8),
        "The short form of `overtime-name`, for small displays; usually `\"OT\"`.", example: "\"OT\""),
      Key(
        "scoring", \.rules.scoring, .choice(),
        """
        `"total"`: the score continues from period to period. `"sets"`: each period begins at `start-score` and is won
        by a team.
        """, example: "\"total\""),
      Key(
        "start-score", \.rules.startScore, .integer(in: 0...999),
        "The score at the beginning of a game or a set.",
        example: "0"),
      Key(
        "better", \.rules.better, .choice(),
        "Which score is better, the `\"higher\"` or the `\"lower\"` one.",
        example: "\"higher\""),
      Key(
        "increments", \.rules.increments, .increments,
        "What the keys for points of `flipclockctl score` add: 1 to 9 numbers from -999 to 999.",
        example: "[1, 2, 3]"),
    ]
  }

  private static var winning: [Key<GameDraft>] {
    [
      Key(
        "points-to-win", \.rules.pointsToWin, .integer(in: 0...999),
        "How many points win a set, or a game where sets consist of games. `0`: points do not decide it.",
        example: "25"),
      Key(
        "points-to-win-deciding", \.rules.pointsToWinDeciding, .integer(in: 0...999),
        """
        How many points win the last set. `0`: as many as in the other sets. It applies only if `periods-to-win` is
        greater than 0, and not to sets that consist of games; their keys are `tie-break-points-deciding` and
        `match-tie-break`. The default for a match of one set is 0.
        """, example: "15"),
      Key(
        "lead", \.rules.lead, .integer(in: 1...99), "How many points ahead the winner must be.", example: "2"),
      Key(
        "cap", \.rules.cap, .integer(in: 0...999),
        "How many points win with any lead. `0`: there is no such limit.", example: "0"),
      Key(
        "periods-to-win", \.rules.periodsToWin, .integer(in: 0...99),
        """
        How many sets win the match. After it no points are accepted, but `set-score` and `period-score` still correct
        scores. `0`: all sets are played. The default for presets that are the best of some sets is more than half of
        `periods`.
        """, example: "3"),
      Key(
        "period-end", \.rules.periodEnd, .choice(),
        """
        What happens when a set is won. `"hold"`: its score stays, no points are accepted, and
        `flipclockctl set period +1` begins the next set. `"next"`: the next set begins at once, as in darts and tennis.
        """, example: "\"hold\""),
      Key(
        "games-to-win", \.games.toWin, .integer(in: 0...99),
        "How many games, or legs, win a set that consists of them. `0`: a set consists of points.",
        example: "6"),
      Key(
        "games-lead", \.games.lead, .integer(in: 1...99), "How many games ahead the winner must be.",
        example: "2"),
      Key("game-name", \.games.name, .text(maximum: 24), "What such a game is called.", example: "\"GAME\""),
      Key(
        "tie-break-at", \.games.tieBreakAt, .integer(in: 0...99),
        "The games of both teams at which a tie-break decides the set. `0`: never.", example: "6"),
      Key(
        "tie-break-points", \.games.tieBreakPoints, .integer(in: 1...99), "How many points win a tie-break.",
        example: "7"),
      Key(
        "tie-break-points-deciding", \.games.tieBreakPointsDeciding, .integer(in: 0...99),
        """
        How many points win a tie-break in the last set, such as 10 in Grand Slam tournaments. `0`: as many as in the
        other sets. It applies only if `periods-to-win` is greater than 0.
        """, example: "10"),
      Key(
        "match-tie-break", \.games.matchTieBreak, .integer(in: 0...99),
        """
        The points of a tie-break that replaces the last set. `0`: the last set is played as the others. It applies only
        if `periods-to-win` is greater than 0.
        """, example: "0"),
      Key(
        "point-names", \.rules.pointNames, .choice(),
        """
        `"numbers"`, or `"tennis"` for 0, 15, 30, 40 and AD. With a `lead` of 1 there is no AD.
        """, example: "\"numbers\""),
      Key(
        "double-out", \.rules.doubleOut, .boolean,
        """
        Whether the last dart of a leg must be a double. It applies where scores count down, that is with
        `better = "lower"` and a `start-score` of more than 0. A turn that leaves 1 is then a bust, and so is a turn of
        more points than are left. A bust scores nothing. With a `turn-limit` of 180, what three darts cannot finish with
        a double, such as 169, does not end a leg.
        """, example: "true"),
      Key(
        "turn-limit", \.rules.turnLimit, .integer(in: 0...999),
        """
        The maximum score of a turn where scores count down. `0`: no maximum. `180` stands for three darts: what they
        cannot score, such as 179, is then refused.
        """, example: "180"),
    ]
  }

  private static var serving: [Key<GameDraft>] {
    [
      Key(
        "serve", \.rules.serve, .choice(),
        "The mark beside a team: `\"none\"`, `\"serve\"` or `\"possession\"`.", example: "\"possession\""),
      Key(
        "serve-rule", \.rules.serveRule, .choice(),
        """
        Who serves next. `"hand"`: the team that the operator names. `"rally"`: the winner of the rally. `"points"`: the
        teams alternate after `serves-in-row` points, and after each point from deuce on. `"games"`: they alternate
        after each game, in a tie-break after the first point and then after every two. `"turns"`: they alternate after
        each score.
        """, example: "\"hand\""),
      Key(
        "serves-in-row", \.rules.servesInRow, .integer(in: 1...99),
        "How many points in a row a team serves with `serve-rule = \"points\"`.", example: "2"),
      Key(
        "first-serve", \.rules.firstServe, .choice(),
        """
        Who serves first in the next set. `"alternate"`: the team that did not serve first in this one. `"winner"`: the
        winner of this one. `"toss"`: nobody, until the operator says who.
        """, example: "\"alternate\""),
      Key(
        "first-serve-deciding", \.rules.firstServeDeciding, .choice(),
        """
        Who serves first in the last set: `"alternate"`, `"winner"` or `"toss"`, as in `first-serve`. Without it the
        last set is as the others. It applies only if `periods-to-win` is greater than 0.
        """, example: "\"toss\""),
      Key(
        "side-change", \.rules.sideChange, .choice(),
        """
        When the teams change sides. `"hand"`: when the operator says so. `"periods"`: after every period, and in the
        last set when a team has `side-change-at` points. `"games"`: after the first, the third and every other odd game
        of a set, and in a tie-break after every six points, as in tennis.
        """, example: "\"hand\""),
      Key(
        "side-change-at", \.rules.sideChangeAt, .integer(in: 0...999),
        """
        The points at which the teams change sides in the last set. `0`: they do not. It applies only if
        `periods-to-win` is greater than 0.
        """, example: "8"),
    ]
  }

  private static var clocks: [Key<GameDraft>] {
    [
      Key(
        "penalties", \.rules.penalties, .lengths(of: "a penalty"),
        """
        How long penalties last, the usual one first; at most 8. `[]` is a game without penalty clocks. Penalties run
        while the game clock runs.
        """, example: "[\"2:00\", \"5:00\"]"),
      Key(
        "penalties-running", \.rules.penaltiesRunning, .integer(in: 0...8),
        "How many penalties of a team run at the same time; the others wait. `0`: all of them.", example: "2"),
      Key(
        "clock", \.clock, .choice(),
        """
        The game clock counts `"up"` or `"down"`; `"none"`: there is none.
        """, example: "\"down\""),
      Key(
        "clock-length", \.game.length, .clockTime,
        "How long a period is. `\"0s\"`: a clock that counts up has no end.", example: "\"10:00\""),
      Key(
        "overtime-length", \.game.overtimeLength, .clockTime, "How long a period after the last one is.",
        example: "\"5:00\""),
      Key(
        "overtime-periods", \.rules.overtime.periods, .integer(in: 1...9),
        """
        How many periods one overtime consists of, such as `2` in handball. The match ends after the last of them, if a
        team leads.
        """, example: "1"),
      Key(
        "overtime-goal-wins", \.rules.overtime.goalWins, .boolean,
        "Whether the match ends as soon as a team leads in overtime, as in ice hockey.", example: "false"),
      Key(
        "clock-warning", \.game.warning, .clockTime, "How long before its end the clock warns.",
        example: "\"1:00\""),
      Key(
        "clock-end", \.game.end, .choice(),
        """
        What the clock does at its end. `"stop"`: it stops. `"next-period"`: the next period begins, with
        the clock set for it and paused.
        `"count-on"`: it continues.
        """, example: "\"stop\""),
      Key(
        "clock-continues", \.game.continues, .boolean,
        "Whether a clock that counts up continues from the end of the previous period, as in football.",
        example: "false"),
      Key(
        "shot-clock", \.shot.length, .clockTime, "How long the shot clock is. `\"0s\"`: there is none.",
        example: "\"24s\""),
      Key(
        "shot-clock-second", \.rules.secondShot, .clockTime,
        """
        The other time to which the key T of `flipclockctl score` resets the shot clock, such as 14 seconds after an
        offensive rebound. `"0s"`: there is none.
        """, example: "\"14s\""),
      Key(
        "shot-clock-warning", \.shot.warning, .clockTime, "How long before its end the shot clock warns.",
        example: "\"5s\""),
      Key(
        "shot-clock-follows", \.rules.shotFollows, .boolean,
        "Whether the shot clock starts and pauses with the game clock.", example: "true"),
    ]
  }

  private static var breaks: [Key<GameDraft>] {
    [
      Key(
        "time-out-length", \.rules.breaks.timeOut, .clockTime,
        """
        How long a time-out is. A time-out stops the game clock, except a stopwatch in a game of sets. Its own
        clock is shown instead of the game clock.
        `"0s"`: time-outs are only counted.
        """, example: "\"1:00\""),
      Key(
        "interval-lengths", \.rules.breaks.intervals, .lengths(of: "an interval"),
        """
        How long the breaks after the first period, after the second and so on are; at most 8. The last length also applies
        to the following periods. An interval begins by itself when the game clock has stopped at the end of a period
        (a clock that counts on: when it is paused after the end), or when a set is won, but not after the last period.
        `[]`: no interval begins by itself.
        """, example: "[\"2:00\"]"),
      Key(
        "interval-in-set", \.rules.breaks.inSet, .clockTime,
        """
        How long the interval within a set is. It begins by itself when a team has `interval-in-set-at` points for the
        first time or, where sets consist of games, after the third, the fifth and every other odd game of the set. The
        next point ends it. `"0s"`: there is none.
        """, example: "\"1:00\""),
      Key(
        "interval-in-set-at", \.rules.breaks.inSetAt, .integer(in: 0...999),
        """
        The points of a team at which the interval within a set begins, where sets consist of points. `0`: there is
        none.
        """, example: "11"),
      Key(
        "overtime-interval", \.rules.breaks.overtimeInterval, .clockTime,
        """
        How long the interval before an overtime is. It begins by itself when the score is tied at the end of the last
        period or of an overtime, and between the periods of an overtime. `"0s"`: no interval begins by itself.
        """, example: "\"2:00\""),
      Key(
        "half-time", \.rules.breaks.halfTime, .clockTime,
        """
        How long the interval in the middle of an even number of `periods` is. `"0s"`: as long as the others.
        """, example: "\"15:00\""),
      Key(
        "warm-up", \.rules.breaks.warmUp, .clockTime,
        "How long `flipclockctl break warm-up` counts down before the match.", example: "\"20:00\""),
      Key(
        "break-warning", \.rules.breaks.warning, .clockTime,
        "How long before its end the clock of a break warns. `\"0s\"`: it does not.", example: "\"10s\""),
      Key(
        name: "counters", shape: .table, text: "What is counted: the tables `[game.counters.ID]`."
      ) { game, node, _, report in
        game.collectCounters(node, &report)
      },
    ]
  }
}

extension Section where Target == GameRules.Counter {
  static func counter(_ id: String) -> Section {
    Section(
      title: "game.counters.\(id)",
      text: """
        Something that is counted for each team. The word after `counters.` is the counter's id: lowercase letters,
        digits, `-` and `_`, a letter first. There are at most 16 counters.
        """,
      keys: [
        Key("name", \.name, .text(maximum: 24), "What the counter is called.", example: "\"FOULS\""),
        Key(
          "limit", \.firstHalfLimit, .integer(in: 0...999),
          "The maximum of the counter. `0` removes a counter of the preset.", example: "5"),
        Key(
          "limit-second-half", \.ownSecondHalfLimit, .integer(in: 1...999),
          "The maximum in the second half of the periods. Without it, `limit` applies.", example: "5"),
        Key(
          "limit-overtime", \.ownOvertimeLimit, .integer(in: 1...999),
          "The maximum in each overtime. Without it, the maximum of the second half applies.", example: "5"),
        Key(
          "reset", \.reset, .choice(),
          """
          When the counter is reset to 0: with each `"period"`; with each `"half"`, that is in the middle of the game
          and with each overtime; or with each `"game"`.
          """, example: "\"period\""),
        Key(
          "keep-in-overtime", \.keepsInOvertime, .boolean,
          """
          Whether overtime continues the last period, as with the team fouls of basketball: the counter is then not
          reset.
          """, example: "true"),
        Key(
          "time-out", \.startsTimeOut, .boolean,
          "Whether it counts time-outs: one more begins a time-out of `time-out-length`.", example: "true"),
        Key(
          "warn-at-limit", \.warnsAtLimit, .boolean,
          "Whether a scoreboard shows the counter in red at its limit, as the team fouls of basketball.",
          example: "true"),
        Key(
          "limit-per-half", \.limitPerHalf, .integer(in: 0...999),
          """
          How many may be added in one half of the periods. Without this key, there is no such limit. `--anyway` counts
          more than the limits of the parts of the game allow: `flipclockctl set home timeouts +1 --anyway`.
          """, example: "2"),
        Key(
          "limit-per-overtime", \.limitPerOvertime, .integer(in: 0...999),
          "The same for one overtime.", example: "0"),
        Key(
          "limit-late", \.limitLate, .integer(in: 0...999),
          "The same for the time `late` at the end of the last period.", example: "2"),
        Key(
          "late", \.late, .clockTime, "The time on the game clock from which `limit-late` applies.",
          example: "\"2:00\""),
      ])
  }
}

extension GameDraft {
  /// Hints for words that users may write in place of the keys.
  static let otherWords = [
    "best-of": "for the best of 5 sets, write periods = 5 and periods-to-win = 3",
    "sets": "for the best of 5 sets, write periods = 5 and periods-to-win = 3",
    "sets-to-win": "write periods-to-win",
    "legs": "write games-to-win for the legs of a set, and periods for the sets",
    "quarters": "write periods = 4", "halves": "write periods = 2",
    "win-by": "write lead", "points": "write points-to-win",
  ]

  fileprivate mutating func collectCounters(_ node: Node, _ report: inout Report) {
    let (language, rules) = (report.language, rules)
    let tables = NamedTables<GameRules.Counter>(
      "game.counters", noun: "a counter", names: .id, example: "fouls", maximum: 16,
      keys: Section.counter("").keys.map(\.name))
    tables.read(
      [node], order: node.entries.map(\.key), into: &counters, name: \.id, &report,
      start: { entry, _ in
        rules.counter(entry.key)
          ?? GameRules.Counter(
            id: entry.key, name: language.uppercased(entry.key), limit: 99, reset: .game)
      },
      apply: { counter, entry, report in
        Section.counter(entry.key).apply(entry.value, to: &counter, &report)
      })
  }
}

extension ValueKind where Value == Int64 {
  /// A time of a clock, in nanoseconds. There is no overflow, because it is at most 99:59:59.
  static var clockTime: ValueKind {
    let seconds = ValueKind<Double>.clockTime
    return ValueKind(
      shape: seconds.shape,
      read: { node, place, report in
        seconds.read(node, place, &report).map { Int64(($0 * 1e9).rounded()) }
      }, write: { "\"\(GameTimeText.text($0))\"" })
  }
}

extension ValueKind where Value == [Int64] {
  /// At most 8 lengths, in nanoseconds; possibly none.
  static func lengths(of noun: String) -> ValueKind {
    ValueKind(
      shape: .array(of: .clockTime, count: 0...8, isUnique: false),
      read: { node, place, report in
        node.elements(
          0...8, "up to 8 times in brackets", "must have at most 8 times",
          hint: "write [\"2:00\", \"5:00\"]", place, &report
        ) { node, report in
          guard let length = ValueKind<Int64>.clockTime.read(node, place, &report) else { return nil }
          if length > 0 { return length }
          report.error(node.location, "\(noun) in \(place.description) must last longer than 0 seconds")
          return nil
        }
      }, write: { "[\($0.compactMap(ValueKind<Int64>.clockTime.write).joined(separator: ", "))]" })
  }
}

extension ValueKind where Value == [Int] {
  /// 1 to 9 whole numbers from −999 to 999, each once and none of them 0.
  static var increments: ValueKind {
    ValueKind(
      shape: .array(of: .integer(-999...999), count: 1...9, isUnique: true),
      read: { node, place, report in
        var values: [Int] = []
        if case .array(let nodes) = node.value, (1...9).contains(nodes.count) {
          for case .integer(let number) in nodes.map(\.value) {
            if number != 0, (-999...999).contains(number), !values.contains(Int(number)) {
              values.append(Int(number))
            }
          }
          if values.count == nodes.count { return values }
        }
        report.error(
          node, place, "must be 1 to 9 whole numbers, each once, from -999 to 999 and not 0",
          hint: "write [1, 2, 3]")
        return nil
      }, write: { "[\($0.map(String.init).joined(separator: ", "))]" })
  }
}

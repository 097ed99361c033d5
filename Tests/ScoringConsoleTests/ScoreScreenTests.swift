// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import TestSupport
import Testing

@testable import ControlCalls
@testable import ScoringConsole

private let second: Int64 = 1_000_000_000

@Suite("Screen of the scoring console")
struct ScoreScreenTests {
  private func text(_ lines: [[ScoreScreen.Cell]]) -> String {
    lines.map { $0.map(\.text).joined(separator: " ") }.joined(separator: "\n")
  }

  @Test(
    "The width of text is counted as terminals do",
    arguments: [
      ("", 0), ("HOME", 4), ("LÖWEN", 5), ("LO\u{308}WEN", 5), ("獅子", 4), ("ﾗｲｵﾝ", 4), ("Ａ", 2), ("한국", 4),
      ("🏀", 2), ("❤️", 2), ("👨‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("ไทย", 3), ("עברית", 5),
    ])
  func columns(text: String, columns: Int) {
    #expect(TextColumns.count(text) == columns)
  }

  @Test("Truncated text fits, keeps whole characters, and ends with an ellipsis")
  func cut() {
    #expect(TextColumns.cut("LIONS", to: 5) == "LIONS")
    #expect(TextColumns.cut("LIONS", to: 4) == "LIO…")
    #expect(TextColumns.cut("獅子の町", to: 6) == "獅子…")
    #expect(TextColumns.cut("e\u{301}e\u{301}e\u{301}", to: 2) == "e\u{301}…")
    #expect(TextColumns.cut("LIONS", to: 1) == "…")
    #expect(TextColumns.cut("LIONS", to: 0) == "")
    #expect(TextColumns.cut("LIONS", to: -3) == "")
  }

  @Test("The screen says that the last changes are not saved, until they are")
  func unsaved() {
    var screen = ScoreScreen()
    screen.match = matchState(.basketball, teams: 2)
    for reason in [nil, "No space left on device", nil] {
      screen.unsaved = reason
      let text = text(screen.lines(columns: 100, rows: 24, at: 0))
      #expect(
        text.contains("not saved") == (reason != nil) && text.contains("No space") == (reason != nil),
        "\(text)")
    }
  }

  @Test("Random content fits every terminal, and scores are omitted last")
  func fits() {
    var random = SplitMix(seed: 8)
    let letters = Array("AIé獅🏀👨‍👩‍👧‍👦 ل_")
    func name(_ random: inout SplitMix) -> String {
      String((0..<random.int(1...40)).map { _ in letters[random.int(0...(letters.count - 1))] })
    }
    for round in 0..<600 {
      var match = matchState(
        GameRules.Preset.allCases[random.int(0...5)], teams: random.int(0...12))
      for index in match.teams.indices {
        match.teams[index].name = name(&random)
        match.teams[index].score = random.int(0...999)
      }
      match.serving = match.teams.last?.id
      match.undo = name(&random)
      match.period = [1, 99, .max, .min][random.int(0...3)]
      match.timers["game"]?.milliseconds = [0, -5000, 600_000, .max, .min][random.int(0...4)]
      match.timers["game"]?.running = random.int(0...1) == 0
      var screen = ScoreScreen()
      screen.match = random.int(0...9) == 0 ? nil : match
      screen.notice = ScoreKeys.Notice(.refusal, name(&random))
      screen.trouble = random.int(0...3) == 0 ? name(&random) : nil
      screen.selected = match.teams.first?.id
      let (columns, rows) = (random.int(0...120), random.int(0...40))
      let now = Int64(random.int(0...10)) * second
      let lines = screen.lines(columns: columns, rows: rows, at: now)
      #expect(lines.count <= rows)
      for line in lines {
        var end = 0
        for cell in line {
          #expect(cell.column >= end && !cell.text.isEmpty, "round \(round)")
          end = cell.column + TextColumns.count(cell.text)
        }
        #expect(end <= columns, "round \(round): \(line)")
      }
      if screen.match != nil, match.teams.count == 2, columns >= 40, rows >= 8 {
        for team in match.teams { #expect(text(lines).contains("\(team.score)")) }
      }
      if let next = screen.nextChange(after: now) { #expect(next > now) }
    }
  }

  @Test("The smallest terminal shows score, clock, message and keys")
  func smallest() {
    var screen = ScoreScreen()
    screen.match = matchState()
    screen.notice = ScoreKeys.Notice(.question, "Enter to begin QUARTER 2")
    let shown = text(screen.lines(columns: 40, rows: 8, at: 0))
    for words in ["HOME", "GUEST", "clock 10:00 paused", "Enter to begin QUARTER 2", "u undo", "^C leave"] {
      #expect(
        shown.contains(words) || shown.contains(words.split(separator: " ").joined(separator: "\n")),
        "\(shown)")
    }
  }

  @Test("What to do after a period or the match is shown whole, and a break with its kind and its team")
  func ends() throws {
    for preset in GameRules.Preset.allCases {
      var match = Match(Scoreboard(teams: []))
      match.adopt(
        [.init(id: "home", name: "LIONS"), .init(id: "guest", name: "HARBOUR SHARKS")],
        rules: GameRules(preset), at: 0)
      for kind in [GameBreak.Kind.interval, .halfTime, .warmUp, .timeOut(team: "guest")] {
        var scoreboard = match.scoreboard
        try scoreboard.apply(.startBreak(kind, length: 60 * second, anyway: true))
        var screen = ScoreScreen()
        var state = MatchState(Match(scoreboard), at: 0)
        for next in [nil, "new-game", "set period +1"] {
          state.next = next
          screen.match = state
          let words = next.map {
            $0 == "new-game" ? "match over: ^N begins the next" : "over: . begins the next"
          }
          for columns in [40, 60, 80, 132] {
            let header = screen.lines(columns: columns, rows: 24, at: 0)[0].map(\.text).joined(
              separator: " | ")
            if let words { #expect(header.contains(words), "\(columns): \(header)") }
            // The period is whole, or absent.
            let period = state.shownPeriod
            let isCut = header.contains("…") || !header.contains(period) && header.contains(period.prefix(3))
            if columns >= 60 { #expect(!isCut, "\(columns): \(header)") }
            if columns >= 80, state.periods > 1, kind.team == nil || next == nil {
              #expect(header.contains(period), "\(columns): \(header)")
            }
            if next == "new-game" { #expect(!header.contains("shot "), "\(header)") }
            let name = kind.team == nil ? kind.name : "time-out of HARBOUR SHARKS"
            if columns > 80 { #expect(header.contains("\(name) 1:00"), "\(header)") }
          }
        }
      }
    }
  }

  @Test("A clock with a warning, or at its end, is highlighted")
  func warning() {
    var screen = ScoreScreen()
    screen.match = matchState()
    #expect(screen.lines(columns: 80, rows: 24, at: 0)[0].map(\.style) == [.title, .title, .title])
    screen.match?.timers["game"]?.warning = true
    screen.match?.timers["shot"]?.ended = true
    #expect(screen.lines(columns: 80, rows: 24, at: 0)[0].map(\.style) == [.question, .refusal, .title])
  }

  @Test("A clock continues from the daemon's state, second by second, and stops at its end")
  func clocks() {
    let cases: [(String, Int, Bool, [(Int64, String)])] = [
      (
        "down", 3000, false,
        [(0, "0:03"), (1, "0:03"), (second, "0:02"), (3 * second, "0:00"), (9 * second, "0:00")]
      ),
      ("down", 2500, false, [(0, "0:03"), (second / 2, "0:02"), (second + second / 2, "0:01")]),
      ("down", 0, true, [(0, "0:00"), (second, "-0:01"), (90 * second, "-1:30")]),
      ("up", 59_500, false, [(0, "0:59"), (second / 2, "1:00"), (second, "1:00"), (9 * second, "1:00")]),
    ]
    for (direction, milliseconds, ended, shown) in cases {
      let timer = MatchState.Timer(
        milliseconds: milliseconds, running: true, direction: direction, warning: false, ended: ended,
        limit: direction == "up" ? 60_500 : nil)
      for (passed, text) in shown { #expect(MatchClock(timer, at: 7).text(at: 7 + passed) == text) }
    }
  }

  @Test("A clock's text does not change before the announced time")
  func ticks() {
    var random = SplitMix(seed: 12)
    for _ in 0..<2000 {
      let timer = MatchState.Timer(
        milliseconds: random.int(-5000...70_000), running: random.int(0...4) > 0,
        direction: random.int(0...1) == 0 ? "up" : "down", warning: false, ended: random.int(0...1) == 0,
        limit: random.int(0...1) == 0 ? random.int(-5000...80_000) : nil)
      let clock = MatchClock(timer, at: 0)
      let now = Int64(random.int(0...90_000)) * 1_000_000
      guard let next = clock.nextChange(after: now) else {
        #expect(clock.text(at: now) == clock.text(at: now + 100 * second))
        continue
      }
      #expect(next > now && next <= now + second)
      #expect(clock.text(at: next - 1) == clock.text(at: now))
      #expect(clock.seconds(at: next - 1) == clock.seconds(at: now))
    }
  }

  @Test("The output has no colours with NO_COLOR, and only changed rows are drawn again")
  func bytes() {
    var screen = ScoreScreen()
    screen.match = matchState()
    screen.trouble = "gone"
    let lines = screen.lines(columns: 80, rows: 24, at: 0)
    let plain = String(decoding: ScoreScreen.bytes(lines, over: nil, rows: 24, colors: false), as: UTF8.self)
    let colored = String(decoding: ScoreScreen.bytes(lines, over: nil, rows: 24, colors: true), as: UTF8.self)
    #expect(!plain.contains(";41m") && colored.contains(";41m"))
    #expect(plain.components(of: "\u{1b}[2K") == 24)
    #expect(ScoreScreen.bytes(lines, over: lines, rows: 24, colors: true) == [])
    screen.match?.teams[0].score = 9
    let next = screen.lines(columns: 80, rows: 24, at: 0)
    let changes = String(
      decoding: ScoreScreen.bytes(next, over: lines, rows: 24, colors: true), as: UTF8.self)
    #expect(changes.components(of: "\u{1b}[2K") == 1)
    let shorter = ScoreScreen.bytes([], over: next, rows: 24, colors: true)
    #expect(
      String(decoding: shorter, as: UTF8.self).components(of: "\u{1b}[2K")
        == next.filter { !$0.isEmpty }.count)
  }
}

extension String {
  /// The number of occurrences of `part`.
  fileprivate func components(of part: String) -> Int {
    var count = 0
    var rest = self[...]
    while let found = rest.firstRange(of: part) {
      count += 1
      rest = rest[found.upperBound...]
    }
    return count
  }
}

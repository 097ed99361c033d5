// SPDX-License-Identifier: Apache-2.0

import CommandSamples
import Scoreboard
import Testing

@testable import Commands

/// The commands that keys and events run.
@Suite struct ChangeTests {
  private static func problem(_ text: String) -> String? {
    do throws(UsageError) {
      _ = try KeyCommand(parsing: text)
      return nil
    } catch {
      return error.line
    }
  }

  /// Other ways to write the changes of the samples.
  static let changes: [(String, Change)] =
    [
      ("  add-score   guest -2 ", .match(.addScore(team: "guest", by: -2))),
      ("set home score -1", .match(.addScore(team: "home", by: -1))),
      ("set period -1", .match(.addPeriod(by: -1))),
      ("set home name -5ers", .match(.setTeam(team: "home", name: "-5ers", shortName: nil, color: nil))),
      (
        "set home color #f80 short-name LIO name LIONS",
        .match(.setTeam(team: "home", name: "LIONS", shortName: "LIO", color: 0xff8800))
      ),
      ("set home fouls -1", .match(.addCounter(team: "home", counter: "fouls", by: -1))),
      ("timer pause --shot", .match(.pauseTimer(.shot))), ("timer reset --shot", .match(.resetTimer(.shot))),
      ("timer set 7.5 --shot", .match(.setTimer(.shot, to: 7_500_000_000))),
      ("timer set +30", .match(.addTimer(.game, by: 30_000_000_000))),
      ("timer add 1:00", .match(.addTimer(.game, by: 60_000_000_000))),
      ("timer set 0:20 --break", .match(.setTimer(.breakClock, to: 20_000_000_000))),
      ("break interval 2:00", .match(.startBreak(.interval, length: 120_000_000_000))),
      ("penalty home --number=0", .match(.addPenalty(team: "home", length: nil, number: 0))),
      ("message PAUSE --until-cleared", .message("PAUSE", milliseconds: 0)),
      ("brightness -10%", .addBrightness(percent: -10)), ("brightness -5", .addBrightness(percent: -5)),
      ("brightness 0%", .setBrightness(percent: 0)),
      ("blank --toggle --for=30min", .held(.toggleBlank(), milliseconds: 1_800_000)),
      ("unblank --for 1:30 --output left", .held(.unblank(output: "left"), milliseconds: 90_000)),
      ("brightness -10% --for 1h", .held(.addBrightness(percent: -10), milliseconds: 3_600_000)),
      ("lead --anyway", .lead(anyway: true)),
    ] + CommandSamples.all.flatMap { sample in sample.words.map { ($0, sample.change) } }

  @Test("Words are parsed as the change that they describe", arguments: changes)
  func parsed(text: String, change: Change) throws {
    #expect(try KeyCommand(parsing: text) == .change(change))
    #expect(try Change(parsing: text, on: .event) == change)
  }

  @Test(
    "The duration of a message is parsed with its unit",
    arguments: [
      ("30s", 30_000), ("500ms", 500), ("5min", 300_000), ("5m", 300_000), ("1h", 3_600_000),
      ("1:30", 90_000), ("1.5s", 1500), ("0.5h", 1_800_000),
    ])
  func durations(word: String, milliseconds: Int) throws {
    #expect(
      try KeyCommand(parsing: "message TIME OUT --for \(word)")
        == .change(.message("TIME OUT", milliseconds: milliseconds)))
  }

  @Test(
    "Other words are refused with what to write instead",
    arguments: [
      ("", "no command"), ("add-scor home 1", "did you mean 'add-score'?"),
      ("set-score home", "missing <score>"), ("set-score", "missing <team>"),
      ("set-score home 1 2", "unexpected argument '2'"), ("set-score home x", "'x' is not a whole number"),
      ("set-score home 1.5", "'1.5' is not a whole number"),
      ("set-score home +1", "did you mean 'add-score home +1'?"),
      ("add-score home 99999999999999999999", "not a whole number"),
      ("add-score home ٣", "not a whole number"),
      ("add-score home 0x10", "not a whole number"), ("show", "missing <page>"),
      ("show a b", "write 'show <page> [--for <time>]'"), ("reload", "run 'flipclockctl reload'"),
      ("status", "not accepted from here"),
      ("screenshot x.png", "not accepted from here"), ("complete verbs", "unknown command"),
      ("swap --json", "unknown option '--json'"), ("blank now", "unexpected argument 'now'"),
      ("unblank --toggle", "unknown option '--toggle'"), ("blank --togle", "did you mean '--toggle'?"),
      ("blank --toggle=yes", "--toggle takes no value"), ("blank --output", "--output takes a name"),
      ("blank --output --toggle", "--output takes a name"), ("unblank left", "unexpected argument 'left'"),
      ("blank --for", "--for takes a time"), ("blank --for 2", "write '2s' or '2min'"),
      ("show main --for soon", "is not a time"), ("brightness --for 1h", "'brightness 60% --for 2h'"),
      ("brightness default --for 1h", "'brightness 60% --for 2h'"),
      ("blank --outptu left", "did you mean '--output'?"), ("show main --output left", "'--output'"),
      ("brightness --output left", "changes nothing in this form"),
      ("message", "missing <text>"), ("message A --for", "--for takes a time"),
      ("message A --for --clear", "--for takes a time"), ("message A --for 30", "write '30s'"),
      ("message A --for soon", "'30s'"), ("message A --for 0s", "--until-cleared"),
      ("message A --for -3s", "is not a time"), ("message A --for 99999999999s", "is not a time"),
      ("message A --for 1s --until-cleared", "exclude"), ("message A --clear", "nothing more"),
      ("brightness", "60%"), ("brightness half", "60%"), ("brightness 60%%", "60%"), ("brightness %", "60%"),
      ("brightness 1 2", "brightness default"), ("brightness +", "60%"), ("set", "takes 'period N'"),
      ("set period", "'set period' takes a number"), ("set serve", "'set serve' takes a team"),
      ("set home", "lacks what to set"), ("set home fouls", "lacks the value"),
      ("set home name RED LIONS x", "in quotes"), ("set period 1 2 3", "too many words"),
      ("set period x", "'x' is not a whole number"), ("set home nmae LIONS", "did you mean 'name'"),
      ("set home color red", "write '#ff8800'"), ("set home score x", "not a whole number"),
      ("set home period-score 2", "'set home period-score 2 25'"),
      ("set home period-score 2 +1", "'+1' is relative"), ("set home period-score +1 2", "'+1' is relative"),
      ("timer", "start, pause, toggle"), ("timer toggle 5", "takes no time"),
      ("timer strat", "did you mean 'start'"), ("timer start 5", "takes no time"),
      ("timer set", "'10:00'"), ("timer set 10:60", "'10:00'"), ("timer add x", "'10:00'"),
      ("timer reset 14", "takes no time"), ("timer reset --shot x", "'x' is not a time"),
      ("timer reset --shot -3", "is not a time"), ("timer reset --shot 1 2", "takes no time"),
      ("penalty", "missing <team>"), ("penalty home 2:00 x", "unexpected argument 'x'"),
      ("penalty home x", "'x' is not the time"), ("penalty home -1:00", "'-1:00' is not the time"),
      ("penalty home 0", "'0' is not the time"), ("penalty home --number", "--number takes a number"),
      ("penalty home --number 1000", "0 to 999"), ("penalty home --end --clear", "--end and --clear"),
      ("penalty home --clear --number 3", "--end and --clear"), ("penalty home 2:00 --end", "--end and"),
      ("undo 0", "how many changes, at least 1"), ("undo x", "how many changes, at least 1"),
      ("redo 1 2", "unexpected argument '2'"),
    ])
  func mistakes(text: String, words: String) {
    let problem = Self.problem(text)
    #expect(problem?.contains(words) == true, "\(problem ?? "")")
    #expect(problem?.contains("\n") == false)
  }
}

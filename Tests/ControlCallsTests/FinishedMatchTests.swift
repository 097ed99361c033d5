// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ControlCalls

@Suite("Finished matches as CSV") struct FinishedMatchTests {
  private func match(_ names: [String]) -> FinishedMatch {
    FinishedMatch(
      id: "7", started: "2026-11-26T18:00:00+01:00", ended: "2026-11-26T19:30:00+01:00", seconds: 5400,
      game: "volleyball", over: true, winner: "a",
      teams: names.enumerated().map { index, name in
        .init(
          id: ["a", "b", "c"][index], name: name, shortName: nil, color: "#ff8800", score: 3 - index,
          periods: [25, 20 + index])
      })
  }

  @Test("A header, a line for each match, and columns for all teams")
  func columns() {
    let lines = FinishedMatch.csv([match(["LIONS", "TIGERS", "BEARS"]), match(["X", "Y"])])
      .split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.count == 4 && lines[3].isEmpty)
    #expect(
      lines[0]
        == "id,started,ended,seconds,game,over,winner,team_1,name_1,short_name_1,color_1,score_1,periods_1,team_2,name_2,short_name_2,color_2,score_2,periods_2,team_3,name_3,short_name_3,color_3,score_3,periods_3"
    )
    #expect(
      lines[1]
        == "7,2026-11-26T18:00:00+01:00,2026-11-26T19:30:00+01:00,5400,volleyball,yes,a,a,LIONS,,#ff8800,3,25 20,b,TIGERS,,#ff8800,2,25 21,c,BEARS,,#ff8800,1,25 22"
    )
    #expect(lines[2].hasSuffix("b,Y,,#ff8800,2,25 21,,,,,,"))
    #expect(FinishedMatch.csv([]).hasSuffix("score_2,periods_2\r\n"))
  }

  @Test(
    "Names are quoted, and none is a formula",
    arguments: [
      ("A,B", "\"A,B\""), ("A \"B\"", "\"A \"\"B\"\"\""), ("A\nB", "\"A\nB\""), ("A\r\nB", "\"A\r\nB\""),
      ("=1+1", "\"'=1+1\""), ("+1", "\"'+1\""), ("-1", "\"'-1\""), ("@SUM(A1)", "\"'@SUM(A1)\""),
      ("=\"x\",1", "\"'=\"\"x\"\",1\""), ("\t=1", "\"'\t=1\""), ("\r=1", "\"'\r=1\""),
      ("A\"\u{301}", "\"A\"\"\u{301}\""), ("=\u{301}1", "\"'=\u{301}1\""),
      ("\u{ff1d}1", "\"'\u{ff1d}1\""), ("A=B", "A=B"),
    ])
  func quoting(name: String, field: String) {
    let csv = FinishedMatch.csv([match([name, "Y"])])
    #expect(csv.contains(",a,\(field),,#ff8800,"))
  }

  @Test("A set that a tie-break has decided has the points of its loser")
  func tieBreak() {
    var match = match(["X", "Y"])
    (match.teams[0].periods, match.teams[1].periods) = ([7, 6, 1], [6, 7, 0])
    (match.teams[0].tieBreaks, match.teams[1].tieBreaks) = (
      ["1": 12, "2": 3, "3": 10], ["1": 10, "2": 7, "3": 8]
    )
    #expect(match.periodsText == "7:6(10) 6:7(3) 1:0(8)")
    #expect(FinishedMatch.csv([match]).hasSuffix(",3,7 6(3) 1,b,Y,,#ff8800,2,6(10) 7 0(8)\r\n"))
  }

  @Test("A negative score is a number, not a formula")
  func negative() {
    var match = match(["X", "Y"])
    (match.teams[0].score, match.teams[0].periods) = (-5, [-7, 2])
    #expect(FinishedMatch.csv([match]).contains(",a,X,,#ff8800,-5,-7 2,b,"))
  }
}

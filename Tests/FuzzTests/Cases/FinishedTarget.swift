// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import JSON
import Schedule
import Scoreboard
import Settings
import TestSupport
import WallState
import Walls

extension FuzzTarget {
  /// A file of finished matches. A wall that starts with it finishes a match, and its list is written, read
  /// again, and exported.
  static let finished = FuzzTarget(
    name: "finished",
    seeds: {
      try [0, 1, 3].map { count in
        var wall = Wall(alone: Configuration(), displays: [], at: moment(0))
        for number in 0..<count { try play(&wall, at: moment(Int64(number))) }
        return try JSONValue(encoding: wall.finished).bytes
      }
    },
    run: { bytes in
      guard let value = try? JSONReader.read(bytes),
        let read = try? value.decoded(as: FinishedMatches.self)
      else { return }
      for moment in [moment(9), Moment(clock: .max / 4, realtime: .max), Moment(clock: 0, realtime: .min)] {
        var (generator, effects) = (SplitMix(seed: 0), Wall.Effects())
        var saved = SavedWall(Configuration().newMatch)
        saved.finished = read
        var wall = Wall(
          Configuration(), schedule: Schedule(), saved, at: moment, &generator, keep: { _ in "" }, &effects)
        try play(&wall, at: moment)
        let matches = wall.finished.matches
        try check(matches.last?.teams.map(\.score) == [2, 0], "the match is not listed: \(matches)")
        try check(matches.count <= FinishedMatches.limit, "\(matches.count) matches")
        let again = try JSONReader.read(try JSONValue(encoding: wall.finished).bytes)
          .decoded(as: FinishedMatches.self)
        try check(again.matches == matches, "\(matches) became \(again.matches)")
        let rows = records(FinishedMatch.csv(matches))
        try check(rows.count == matches.count + 1, "\(rows.count) rows for \(matches.count) matches")
        try check(Set(rows.map(\.count)).count == 1, "rows of different lengths: \(rows)")
        try check(
          rows.joined().allSatisfy { $0.first.map { !"=+@\t\r".unicodeScalars.contains($0) } ?? true },
          "a formula: \(rows)")
      }
    })

  private static func moment(_ seconds: Int64) -> Moment {
    Moment(clock: (seconds + 5) * 1_000_000_000, realtime: (seconds + 1_795_312_926) * 1_000_000_000)
  }

  private static func play(_ wall: inout Wall, at moment: Moment) throws {
    var effects = Wall.Effects()
    for action in [Scoreboard.Action.addScore(team: "home", by: 2), .newGame] {
      _ = try wall.perform(.match(action), at: moment, &effects)
    }
  }

  /// The fields of CSV as a spreadsheet reads them (RFC 4180).
  private static func records(_ text: String) -> [[[Unicode.Scalar]]] {
    var (records, record, field): ([[[Unicode.Scalar]]], [[Unicode.Scalar]], [Unicode.Scalar]) = ([], [], [])
    var (isQuoted, wasQuoted) = (false, false)
    for scalar in text.unicodeScalars {
      switch scalar {
      // The second of two quotation marks opens the field again, and is a part of it.
      case "\"":
        isQuoted.toggle()
        if isQuoted, wasQuoted { field.append(scalar) }
        wasQuoted = true
      case ",", "\r", "\n":
        if isQuoted {
          field.append(scalar)
        } else if scalar != "\n" {
          record.append(field)
          (field, wasQuoted) = ([], false)
          if scalar == "\r" { (records, record) = (records + [record], []) }
        }
      default: field.append(scalar)
      }
    }
    return records
  }
}

// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A word that the program itself puts on a display. The raw value is its key in `[locale.words]`. Words in
/// the plural are headings beside numbers, and do not change with the number.
package enum Word: String, CaseIterable, Hashable, Sendable {
  // Teams.
  case home
  case guest
  // Periods, and how many a team has won.
  case period
  case periods
  case quarter
  case quarters
  case half
  case halves
  /// A period of ice hockey.
  case third
  case thirds
  case set
  case sets
  case leg
  case legs
  /// A game of tennis.
  case game
  case games
  /// A set of badminton.
  case badmintonGame = "badminton-game"
  case badmintonGames = "badminton-games"
  case setPoint = "set-point"
  case matchPoint = "match-point"
  case badmintonGamePoint = "badminton-game-point"
  case badmintonMatchPoint = "badminton-match-point"
  case overtime
  case overtimeShort = "overtime-short"
  /// An overtime of football.
  case extraTime = "extra-time"
  case extraTimeShort = "extra-time-short"
  /// A period with its number: `{name}` and `{number}` are replaced.
  case numbered
  // What is counted.
  case fouls
  case timeOuts = "time-outs"
  case substitutions
  case yellowCards = "yellow-cards"
  case redCards = "red-cards"
  case penalties
  /// The penalties of handball.
  case suspensions
  /// Shown on a scoreboard when the match is over.
  case final
  /// The heading of the points, where a scoreboard has a row for each player.
  case points
  /// The same while a tie-break is played.
  case tieBreak = "tie-break"
  /// The point after 40 : 40 in tennis.
  case advantage
  /// The caption of the shot clock, where it is beside other clocks.
  case shotClock = "shot-clock"
  // Breaks.
  case timeOut = "time-out"
  case interval
  case halfTime = "half-time"
  case warmUp = "warm-up"
  // A countdown.
  case days
  case hours
  case minutes
  case seconds
  // The box with which phones are paired.
  case keepScore = "keep-score"
  case watchScore = "watch-score"
  /// The heading of the same box for the first phone, or for one that may change settings.
  case setUp = "set-up"
  case scan
  // The box with the state of the network.
  case joinWiFi = "join-wifi"
  case password
  case openPage = "open-page"
  case joining
  case joined
  case wrongPassword = "wrong-password"
  case notFound = "not-found"
  case noAddress = "no-address"
  case notJoined = "not-joined"
  /// A key has asked for the lead, and the leader does not answer.
  case leadAgain = "lead-again"

  /// The maximum number of characters.
  package var maximumLength: Int {
    switch self {
    case .advantage: 2
    case .overtimeShort, .extraTimeShort: 8
    case .days, .hours, .minutes, .seconds: 12
    case .home, .guest, .numbered, .keepScore, .watchScore, .setUp, .joinWiFi, .openPage, .joining, .joined,
      .wrongPassword, .notFound, .noAddress, .notJoined:
      40
    case .scan, .leadAgain: 80
    default: 24
    }
  }

  /// What the manual says about the word, in the form of a key's text.
  package var text: String {
    switch self {
    case .home: "The name of the team `home`."
    case .guest: "The name of the team `guest`."
    case .period: "A period of a game without a name of its own."
    case .periods: "The number of periods that a team has won."
    case .quarter: "A period of basketball."
    case .quarters: "The number of quarters that a team has won."
    case .half:
      "A half of football and handball. Two names with `/` between them are those of the first and the second half."
    case .halves: "The number of halves that a team has won."
    case .third: "A period of ice hockey."
    case .thirds: "The number of thirds that a team has won."
    case .set: "A set of volleyball, table tennis and tennis."
    case .sets: "The number of sets that a team has won."
    case .leg: "A leg of darts."
    case .legs: "The number of legs that a team has won."
    case .game: "A game of tennis."
    case .games: "The number of games that a team has won."
    case .badmintonGame: "A game of badminton."
    case .badmintonGames: "The number of games of badminton that a team has won."
    case .setPoint: "Where a team needs one point to win the set."
    case .matchPoint: "Where a team needs one point to win the match."
    case .badmintonGamePoint: "Where a team needs one point to win a game of badminton."
    case .badmintonMatchPoint: "Where a team needs one point to win a match of badminton."
    case .overtime: "A period after the last regular one."
    case .overtimeShort: "Its short form, for small displays."
    case .extraTime: "A period after the last regular one in football."
    case .extraTimeShort: "Its short form, for small displays."
    case .numbered: "A period with its number: `{name}` and `{number}` stand for them."
    case .fouls: "The counter of fouls in basketball."
    case .timeOuts: "The counter of time-outs."
    case .substitutions: "The counter of substitutions."
    case .yellowCards: "The counter of yellow cards in football."
    case .redCards: "The counter of red cards in football."
    case .penalties: "The clocks of penalties."
    case .suspensions: "The clocks of suspensions in handball."
    case .final: "What a scoreboard shows when the match is over."
    case .points: "The heading of the points in tennis and darts."
    case .tieBreak: "The heading of the points in a tie-break of tennis."
    case .advantage: "The points of a player with an advantage in tennis."
    case .shotClock: "The caption of the shot clock during a time-out."
    case .timeOut: "A time-out, beside its clock."
    case .interval: "The break between two periods, beside its clock."
    case .halfTime: "The break in the middle of the match, beside its clock."
    case .warmUp: "The time before the match, beside its clock."
    case .keepScore: "The heading of the box with which a phone is paired."
    case .watchScore: "The same for a phone that only shows the score."
    case .scan: "What to do with the QR code; the address and the code to enter are below."
    case .setUp: "The same for the first phone, and for one that may also change settings."
    case .joinWiFi: "What to do with the QR code of the machine's own access point."
    case .password: "The caption of the access point's password."
    case .openPage: "What to do with the QR code of its page afterwards."
    case .joining: "A wireless network is being joined; its name is below."
    case .joined: "It was joined."
    case .wrongPassword: "Why it was not joined: the password."
    case .notFound: "The same: there is no network of this name."
    case .noAddress: "The same: the network has assigned no address."
    case .notJoined: "The same for any other reason."
    case .leadAgain: "What a key for `lead` asks when the wall that leads does not answer."
    case .days, .hours, .minutes, .seconds: "The caption of the \(rawValue) of a countdown."
    }
  }

  /// A hint if the text may not replace the word; nil if it may.
  package func problem(with text: String) -> String? {
    let parts = ["{name}", "{number}"]
    guard self == .numbered, parts.contains(where: { strstr(text, $0) == nil }) else { return nil }
    return "write {name} and {number} where they belong: \"{name} {number}\""
  }
}

/// The words of a language.
package struct Words: Hashable, Sendable {
  /// The columns of the table to look in, in this order: the most special language first, English last.
  private let columns: [Int]
  /// What the config has instead of the table's words.
  private var own: [Word: String] = [:]

  /// The words of the last of these languages that has its own; English for a language without a translation.
  init(_ names: [String]) {
    columns = Self.languages.indices.filter { $0 == 0 || names.contains(Self.languages[$0]) }.reversed()
  }

  package subscript(_ word: Word) -> String {
    get { own[word] ?? tableText(of: word) }
    set { own[word] = newValue }
  }

  /// Looks the word up each time, because a page needs few of them, and reading all would take long at the
  /// start.
  private func tableText(of word: Word) -> String {
    let name = word.rawValue
    return Self.table.withUTF8Buffer { bytes in
      var line = bytes[...]
      while !line.isEmpty {
        let end = line.firstIndex(of: UInt8(ascii: "\n")) ?? line.endIndex
        if line.starts(with: name.utf8), line.dropFirst(name.utf8.count).first == UInt8(ascii: " ") {
          return entry(line[..<end]).text
        }
        line = line[end...].dropFirst()
      }
      return ""
    }
  }

  /// The language of the words.
  package var language: String { Self.languages[columns[0]] }

  /// The texts of another table in the language of the words, by their keys.
  ///
  /// - Parameter table: a line for each text, like that of the words.
  package func texts(in table: StaticString) -> [String: String] {
    table.withUTF8Buffer { bytes in
      let entries = bytes.split(separator: UInt8(ascii: "\n")).map(entry).flatMap { entry in
        entry.keys.split(separator: " ").map { (String($0), entry.text) }
      }
      return Dictionary(entries) { first, _ in first }
    }
  }

  /// A line's keys, and its text. Variants leave a column empty where they do not differ.
  private func entry(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> (keys: String, text: String) {
    let parts = line.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).map(Self.trimmed)
    let text = columns.lazy.filter { $0 + 1 < parts.count }.map { parts[$0 + 1] }.first { !$0.isEmpty }
    return (parts.first ?? "", text ?? "")
  }

  private static func trimmed(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    var bytes = bytes
    while bytes.first == UInt8(ascii: " ") { bytes.removeFirst() }
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  package static let english = Words(["en"])

  /// A period with its number, e.g. `SET 3`.
  package static func numbered(_ template: String, name: String, number: String) -> String {
    var result = ""
    var rest = template[...]
    while let first = rest.first {
      if rest.hasPrefix("{name}") {
        result += name
        rest = rest.dropFirst(6)
      } else if rest.hasPrefix("{number}") {
        result += number
        rest = rest.dropFirst(8)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return result
  }
}

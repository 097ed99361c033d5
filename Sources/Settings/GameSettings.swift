// SPDX-License-Identifier: Apache-2.0

/// `[game]`: a preset, and what is other than in it. Lengths are in seconds.
public struct GameSettings: Hashable, Sendable {
  public enum Preset: String, CaseIterable, Hashable, Sendable {
    case free
    case basketball
    case volleyball
    case tableTennis = "table-tennis"
    case football
    case darts
    case tennis
    case handball
    case iceHockey = "ice-hockey"
    case badminton
  }
  public enum Scoring: String, CaseIterable, Hashable, Sendable {
    case total
    case sets
  }
  public enum Better: String, CaseIterable, Hashable, Sendable {
    case higher
    case lower
  }
  public enum Serve: String, CaseIterable, Hashable, Sendable {
    case none
    case serve
    case possession
  }
  /// What happens when a set is won.
  public enum PeriodEnd: String, CaseIterable, Hashable, Sendable {
    case hold
    case next
  }
  public enum PointNames: String, CaseIterable, Hashable, Sendable {
    case numbers
    case tennis
  }
  public enum ServeRule: String, CaseIterable, Hashable, Sendable {
    case hand
    case rally
    case points
    case games
    case turns
  }
  public enum FirstServe: String, CaseIterable, Hashable, Sendable {
    case alternate
    case winner
    case toss
  }
  public enum SideChange: String, CaseIterable, Hashable, Sendable {
    case hand
    case periods
  }
  public enum Clock: String, CaseIterable, Hashable, Sendable {
    case none
    case up
    case down
  }
  public enum ClockEnd: String, CaseIterable, Hashable, Sendable {
    case stop
    case nextPeriod = "next-period"
    case countOn = "count-on"
  }
  public enum Resume: String, CaseIterable, Hashable, Sendable {
    case paused
    case running
  }

  /// `[game.counters.ID]`; nil is as in the preset.
  public struct Counter: Hashable, Sendable {
    public enum Reset: String, CaseIterable, Hashable, Sendable {
      case period
      case half
      case game
    }

    public var id: String
    public var name: String?
    /// 0 takes the counter away.
    public var limit: Int?
    public var secondHalfLimit: Int?
    public var overtimeLimit: Int?
    public var reset: Reset?
    public var keepsInOvertime: Bool?

    public init(id: String) { self.id = id }
  }

  public var preset = Preset.free
  /// What a clock that ran does after a restart of the daemon.
  public var resume = Resume.paused

  // Nil is as in the preset.
  public var periods: Int?
  public var periodName: String?
  public var scoring: Scoring?
  public var startScore: Int?
  public var better: Better?
  public var increments: [Int]?
  public var serve: Serve?
  public var overtimeName: String?
  public var shortOvertimeName: String?
  public var pointsToWin: Int?
  public var pointsToWinDeciding: Int?
  public var lead: Int?
  public var cap: Int?
  public var periodsToWin: Int?
  public var periodEnd: PeriodEnd?
  public var pointNames: PointNames?
  public var doubleOut: Bool?
  public var turnLimit: Int?
  /// 0: a set consists of points.
  public var gamesToWin: Int?
  public var gamesLead: Int?
  public var gameName: String?
  public var tieBreakAt: Int?
  public var tieBreakPoints: Int?
  public var matchTieBreak: Int?
  public var serveRule: ServeRule?
  public var servesInRow: Int?
  public var firstServe: FirstServe?
  public var firstServeDeciding: FirstServe?
  public var sideChange: SideChange?
  public var sideChangeAt: Int?
  /// Seconds each.
  public var penalties: [Double]?
  public var penaltiesRunning: Int?
  public var clock: Clock?
  public var clockLength: Double?
  public var overtimeLength: Double?
  public var clockWarning: Double?
  public var clockEnd: ClockEnd?
  public var clockContinues: Bool?
  /// 0: none.
  public var shotClock: Double?
  /// 0: none.
  public var shotClockSecond: Double?
  public var shotClockWarning: Double?
  public var shotClockFollows: Bool?
  /// In the order of the files.
  public var counters: [Counter] = []

  public init() {}
}

extension Section where Target == GameSettings {
  static var game: Section {
    Section(
      title: "game",
      keys: [
        Key("preset", \.preset, .choice()),
        Key("resume", \.resume, .choice()),
        Key("periods", \.periods, .integer(in: 1...99)),
        Key("period-name", \.periodName, .text(maximum: 24)),
        Key("overtime-name", \.overtimeName, .text(maximum: 24)),
        Key("overtime-short-name", \.shortOvertimeName, .text(maximum: 8)),
        Key("scoring", \.scoring, .choice()),
        Key("start-score", \.startScore, .integer(in: 0...999)),
        Key("better", \.better, .choice()),
        Key("increments", \.increments, .increments),
        Key("points-to-win", \.pointsToWin, .integer(in: 0...999)),
        Key("points-to-win-deciding", \.pointsToWinDeciding, .integer(in: 0...999)),
        Key("lead", \.lead, .integer(in: 1...99)),
        Key("cap", \.cap, .integer(in: 0...999)),
        Key("periods-to-win", \.periodsToWin, .integer(in: 0...99)),
        Key("period-end", \.periodEnd, .choice()),
        Key("point-names", \.pointNames, .choice()),
        Key("double-out", \.doubleOut, .boolean),
        Key("turn-limit", \.turnLimit, .integer(in: 0...999)),
        Key("games-to-win", \.gamesToWin, .integer(in: 0...99)),
        Key("games-lead", \.gamesLead, .integer(in: 1...99)),
        Key("game-name", \.gameName, .text(maximum: 24)),
        Key("tie-break-at", \.tieBreakAt, .integer(in: 0...99)),
        Key("tie-break-points", \.tieBreakPoints, .integer(in: 1...99)),
        Key("match-tie-break", \.matchTieBreak, .integer(in: 0...99)),
        Key("serve", \.serve, .choice()),
        Key("serve-rule", \.serveRule, .choice()),
        Key("serves-in-row", \.servesInRow, .integer(in: 1...99)),
        Key("first-serve", \.firstServe, .choice()),
        Key("first-serve-deciding", \.firstServeDeciding, .choice()),
        Key("side-change", \.sideChange, .choice()),
        Key("side-change-at", \.sideChangeAt, .integer(in: 0...999)),
        Key("penalties", \.penalties, .penalties),
        Key("penalties-running", \.penaltiesRunning, .integer(in: 0...8)),
        Key("clock", \.clock, .choice()),
        Key("clock-length", \.clockLength, .clockTime),
        Key("overtime-length", \.overtimeLength, .clockTime),
        Key("clock-warning", \.clockWarning, .clockTime),
        Key("clock-end", \.clockEnd, .choice()),
        Key("clock-continues", \.clockContinues, .boolean),
        Key("shot-clock", \.shotClock, .clockTime),
        Key("shot-clock-second", \.shotClockSecond, .clockTime),
        Key("shot-clock-warning", \.shotClockWarning, .clockTime),
        Key("shot-clock-follows", \.shotClockFollows, .boolean),
        Key(name: "counters", shape: .table) { game, node, _, report in game.collect(node, &report) },
      ])
  }
}

extension Section where Target == GameSettings.Counter {
  static func counter(_ id: String) -> Section {
    Section(
      title: "game.counters.\(id)",
      keys: [
        Key("name", \.name, .text(maximum: 24)),
        Key("limit", \.limit, .integer(in: 0...999)),
        Key("limit-second-half", \.secondHalfLimit, .integer(in: 1...999)),
        Key("limit-overtime", \.overtimeLimit, .integer(in: 1...999)),
        Key("reset", \.reset, .choice()),
        Key("keep-in-overtime", \.keepsInOvertime, .boolean),
      ])
  }
}

extension GameSettings {
  static let maximumCounters = 16

  fileprivate mutating func collect(_ node: Node, _ report: inout Report) {
    for entry in node.entries("game.counters", &report) ?? [] {
      guard TeamsDecoder.isID(entry.key) else {
        report.error(
          entry.keyLocation, "\(entry.key.quoted) is no id for a counter",
          hint: "ids are 1 to 32 small letters, digits, '-' and '_', a letter first")
        continue
      }
      if !counters.contains(where: { $0.id == entry.key }) {
        guard counters.count < Self.maximumCounters else {
          report.error(entry.keyLocation, "more than \(Self.maximumCounters) counters")
          return
        }
        counters.append(Counter(id: entry.key))
      }
      guard let index = counters.firstIndex(where: { $0.id == entry.key }) else { continue }
      Section.counter(entry.key).apply(entry.value, to: &counters[index], &report)
    }
  }
}

extension ValueKind where Value == Double {
  /// `"10:00"`, `"1:30:00"` or a duration such as `"24s"` and `"10min"`, in seconds; up to 99:59:59.
  static var clockTime: ValueKind {
    ValueKind(shape: .clockTime) { node, place, report in
      if case .string(let text) = node.value, let seconds = (try? Units.seconds(text)) ?? Units.clock(text),
        seconds <= 359_999
      {
        return seconds
      }
      var hint = "write \"10:00\" or \"10min\" for ten minutes, or \"24s\""
      if case .integer(let number) = node.value, (1...99).contains(number) {
        hint = "write \"\(number)min\" or \"\(number)s\""
      }
      report.error(
        node.location, "\(place.description) must be a time up to 99:59:59, found \(node.found)", hint: hint)
      return nil
    }
  }
}

extension ValueKind where Value == [Double] {
  /// Up to eight lengths of penalties, in seconds; none: the game has no penalty clocks.
  static var penalties: ValueKind {
    ValueKind(shape: .array) { node, place, report in
      guard case .array(let nodes) = node.value, nodes.count <= 8 else {
        report.error(
          node.location, "\(place.description) must be up to 8 times in brackets, found \(node.found)",
          hint: "write [\"2:00\", \"5:00\"]")
        return nil
      }
      var lengths: [Double] = []
      for node in nodes {
        guard let seconds = ValueKind<Double>.clockTime.read(node, place, &report) else { return nil }
        guard seconds > 0 else {
          report.error(node.location, "a penalty in \(place.description) must last longer than 0 seconds")
          return nil
        }
        lengths.append(seconds)
      }
      return lengths
    }
  }
}

extension ValueKind where Value == [Int] {
  /// What the keys for points add, each once.
  static var increments: ValueKind {
    ValueKind(shape: .array) { node, place, report in
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
        node.location,
        "\(place.description) must be 1 to 9 whole numbers, each once, from -999 to 999 and not 0",
        hint: "write [1, 2, 3]")
      return nil
    }
  }
}

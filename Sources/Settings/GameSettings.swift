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
      case game
    }

    public var id: String
    public var name: String?
    /// 0 takes the counter away.
    public var limit: Int?
    public var reset: Reset?

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
  public var clock: Clock?
  public var clockLength: Double?
  public var overtimeLength: Double?
  public var clockWarning: Double?
  public var clockEnd: ClockEnd?
  public var clockContinues: Bool?
  /// 0: none.
  public var shotClock: Double?
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
        Key("scoring", \.scoring, .choice()),
        Key("start-score", \.startScore, .integer(in: 0...999)),
        Key("better", \.better, .choice()),
        Key("increments", \.increments, .increments),
        Key("serve", \.serve, .choice()),
        Key("clock", \.clock, .choice()),
        Key("clock-length", \.clockLength, .clockTime),
        Key("overtime-length", \.overtimeLength, .clockTime),
        Key("clock-warning", \.clockWarning, .clockTime),
        Key("clock-end", \.clockEnd, .choice()),
        Key("clock-continues", \.clockContinues, .boolean),
        Key("shot-clock", \.shotClock, .clockTime),
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
        Key("reset", \.reset, .choice()),
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

// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Settings

extension GameRules {
  /// The preset of the config with what the config says otherwise.
  public init(_ settings: GameSettings) {
    self.init(Preset(rawValue: settings.preset.rawValue) ?? .free)
    periods = settings.periods ?? periods
    periodName = settings.periodName ?? periodName
    scoring = settings.scoring.flatMap { Scoring(rawValue: $0.rawValue) } ?? scoring
    startScore = settings.startScore ?? startScore
    better = settings.better.flatMap { Better(rawValue: $0.rawValue) } ?? better
    increments = settings.increments ?? increments
    serve = settings.serve.flatMap { Serve(rawValue: $0.rawValue) } ?? serve
    setClock(settings)
    setShotClock(settings)
    for counter in settings.counters { set(counter) }
  }

  private mutating func setClock(_ settings: GameSettings) {
    let direction: Timer.Direction
    switch settings.clock {
    case .none?: return game = nil
    case .up: direction = .up
    case .down: direction = .down
    case nil:
      guard let game else { return }
      direction = game.direction
    }
    // The preset's lengths are those of its direction.
    let old = game.flatMap { $0.direction == direction ? $0 : nil }
    let length = settings.clockLength.map(Self.nanoseconds) ?? old?.length
    game = Timer(
      direction, length: length ?? (direction == .down ? 10 * 60 * 1_000_000_000 : 0),
      overtimeLength: settings.overtimeLength.map(Self.nanoseconds)
        ?? (settings.clockLength == nil ? old?.overtimeLength : nil),
      warning: settings.clockWarning.map(Self.nanoseconds) ?? old?.warning ?? 0,
      end: settings.clockEnd.flatMap { Timer.End(rawValue: $0.rawValue) } ?? old?.end ?? .stop,
      continues: settings.clockContinues ?? old?.continues ?? false)
  }

  private mutating func setShotClock(_ settings: GameSettings) {
    shotFollows = settings.shotClockFollows ?? shotFollows
    let length = settings.shotClock.map(Self.nanoseconds) ?? shot?.length ?? 0
    guard length > 0 else { return shot = nil }
    shot = Timer(
      .down, length: length, warning: settings.shotClockWarning.map(Self.nanoseconds) ?? shot?.warning ?? 0)
  }

  private mutating func set(_ settings: GameSettings.Counter) {
    let old = counter(settings.id)
    counters.removeAll { $0.id == settings.id && settings.limit == 0 }
    guard settings.limit != 0 else { return }
    let new = Counter(
      id: settings.id, name: settings.name ?? old?.name ?? settings.id.uppercased(),
      limit: settings.limit ?? old?.limit ?? 99,
      reset: settings.reset.flatMap { Counter.Reset(rawValue: $0.rawValue) } ?? old?.reset ?? .game)
    if let index = counters.firstIndex(where: { $0.id == settings.id }) {
      counters[index] = new
    } else {
      counters.append(new)
    }
  }

  /// Settings are up to 99:59:59.
  private static func nanoseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1e9).rounded()) }
}

// SPDX-License-Identifier: Apache-2.0

/// A clock of the match on cards.
public struct TimerSettings: Hashable, Sendable {
  public enum Source: String, CaseIterable, Hashable, Sendable {
    case gameClock = "game-clock"
    case shotClock = "shot-clock"
  }

  public var source = Source.gameClock
  public var motion = CardMotionSettings()

  public init() {}
}

extension Section where Target == TimerSettings {
  static var timer: Section {
    Section(
      title: "",
      keys: [
        Key("source", \.source, .choice())
      ] + Section<CardMotionSettings>.cardMotion.keys.map { $0.part(of: \.motion) })
  }
}

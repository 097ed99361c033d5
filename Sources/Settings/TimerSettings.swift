// SPDX-License-Identifier: Apache-2.0

/// A clock of the match, or the time until a moment, on cards.
public struct TimerSettings: Hashable, Sendable {
  public enum Source: String, CaseIterable, Hashable, Sendable {
    case gameClock = "game-clock"
    case shotClock = "shot-clock"
    /// To `until`.
    case countdown
  }

  public var source = Source.gameClock
  /// Where a countdown ends.
  public var until: CivilMoment?
  /// That of `until`, where it has no offset of its own: `local` or an IANA name.
  public var zone = "local"
  /// Tenths of a second when the game clock has less than a minute left, the shot clock less than five
  /// seconds.
  public var tenths = true
  /// From an hour on the game clock shows 1:05:00 rather than 65:00.
  public var showHours = false
  public var motion = CardMotionSettings()

  public init() {}
}

extension Section where Target == TimerSettings {
  static var timer: Section {
    Section(
      title: "",
      keys: [
        Key("source", \.source, .choice()),
        Key("until", \.until, .moment),
        Key("zone", \.zone, .zone),
        Key("tenths", \.tenths, .boolean),
        Key("show-hours", \.showHours, .boolean),
      ] + Section<CardMotionSettings>.cardMotion.keys.map { $0.part(of: \.motion) })
  }
}

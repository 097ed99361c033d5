// SPDX-License-Identifier: Apache-2.0

/// A clock with hands.
public struct AnalogClockSettings: Hashable, Sendable {
  public enum Marks: String, CaseIterable, Hashable, Sendable {
    case ticks
    case numerals
    case both
    case none
  }
  public enum SecondHand: String, CaseIterable, Hashable, Sendable {
    /// From second to second.
    case ticking
    /// Evenly, `sweepRate` times a second.
    case sweeping
    case none
  }
  public enum Tick: String, CaseIterable, Hashable, Sendable {
    /// A little beyond the mark and back.
    case spring
    case easeIn = "ease-in"
    case smooth
    /// At once.
    case none
  }

  public var marks = Marks.both
  public var secondHand = SecondHand.ticking
  /// How a hand goes to its next mark.
  public var tick = Tick.spring
  /// Seconds; a spring takes its own time.
  public var tickDuration = 0.25
  /// Pictures a second of a sweeping hand.
  public var sweepRate = 20.0
  public var secondColor: UInt32 = 0xe5484d
  /// A thin bar under the face that fills with the minute.
  public var secondsBar = false
  /// `local` or an IANA name.
  public var zone = "local"

  public init() {}
}

extension Section where Target == AnalogClockSettings {
  static var analogClock: Section {
    Section(
      title: "",
      keys: [
        Key("marks", \.marks, .choice()),
        Key("second-hand", \.secondHand, .choice()),
        Key("tick", \.tick, .choice()),
        Key("tick-duration", \.tickDuration, .duration(maximum: 0.9)),
        Key("sweep-rate", \.sweepRate, .number(1...60)),
        Key("second-color", \.secondColor, .color),
        Key("seconds-bar", \.secondsBar, .boolean),
        Key("zone", \.zone, .zone),
      ])
  }
}

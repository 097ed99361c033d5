// SPDX-License-Identifier: Apache-2.0

import Scoreboard

/// What the cards of a match's clock show, and when that changes.
struct TimerText: Hashable {
  /// Whole minutes and seconds; of the shot clock seconds only.
  let minutes: Int
  let seconds: Int

  private static let second: Int64 = 1_000_000_000
  /// A wake-up this little before a second's turn shows what comes then; nobody sees it, and without it the
  /// clock would have to wake once more.
  private static let slack: Int64 = 2_000_000

  /// What counts down shows a second until it is gone, so that 0:00 is the end; what counts up shows those that
  /// are over.
  init(_ reading: Scoreboard.TimerReading, hasMinutes: Bool) {
    let shown = Self.shown(reading)
    minutes = hasMinutes ? Int(shown / 60) : 0
    seconds = Int(hasMinutes ? shown % 60 : shown)
  }

  private static func shown(_ reading: Scoreboard.TimerReading) -> Int64 {
    let value = reading.value
    // Beyond its end a clock that counts down counts on, upwards.
    if reading.direction == .up || value < 0 { return (Int64(value.magnitude) + slack) / second }
    return (value - slack + second - 1) / second
  }

  /// Nanoseconds until it shows something else; nil while the clock stands.
  static func remaining(_ reading: Scoreboard.TimerReading) -> Int64? {
    guard reading.isRunning else { return nil }
    let value = reading.value
    if reading.direction == .up || value < 0 {
      return (shown(reading) + 1) * second - Int64(value.magnitude)
    }
    let shown = shown(reading)
    // From 0:00 on it counts upwards.
    return shown > 0 ? value - (shown - 1) * second : value + second
  }

  /// Minutes take as many cards as they need, two at least; the first is empty below ten.
  static func minuteCards(_ minutes: Int) -> Int { max(String(minutes).count, 2) }

  func symbols(minuteCards: Int, secondCards: Int) -> [String] {
    func cards(_ number: Int, _ count: Int, filler: String) -> [String] {
      let digits = String(number).map(String.init)
      return Array(repeating: filler, count: max(count - digits.count, 0)) + digits
    }
    if minuteCards == 0 { return cards(seconds, secondCards, filler: "") }
    return cards(minutes, minuteCards, filler: "") + cards(seconds, secondCards, filler: "0")
  }

  func text(hasMinutes: Bool) -> String {
    hasMinutes ? "\(minutes):\(seconds < 10 ? "0" : "")\(seconds)" : String(seconds)
  }
}

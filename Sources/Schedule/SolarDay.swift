// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Glibc

/// Sunrise, noon and sunset of one day at a place. The times are within a minute of published tables up to
/// the polar circles; beyond them, within a few minutes on days on which the sun just rises or just sets.
package struct SolarDay: Hashable, Sendable {
  /// When the upper edge of the sun is at the horizon.
  package enum Event: Hashable, Sendable {
    case at(Instant)
    /// Polar day: the sun stays up.
    case staysUp
    /// Polar night: the sun stays down.
    case staysDown
  }

  /// The last sunrise before noon.
  package let sunrise: Event
  /// When the sun is highest.
  package let noon: Instant
  /// The first sunset after noon; perhaps after midnight.
  package let sunset: Event
  /// When the sun is lowest, before noon and after it.
  package let midnightBefore: Instant
  package let midnightAfter: Instant

  /// The day whose noon is nearest to `middle`.
  package init(nearest middle: Instant, at place: Coordinates) {
    let east = place.longitude * 240
    let day = ((Double(middle.seconds) - 43_200 + east) / 86_400).rounded()
    let noon = Self.noon(of: day, east)
    let before = (Self.noon(of: day - 1, east) + noon) / 2
    let after = (noon + Self.noon(of: day + 1, east)) / 2
    self.noon = Self.instant(noon)
    midnightBefore = Self.instant(before)
    midnightAfter = Self.instant(after)
    sunrise = Self.event(between: before, noon) { Self.height(of: place, at: $0) }
    sunset = Self.event(between: after, noon) { Self.height(of: place, at: $0) }
  }

  /// The zenith angle at sunrise and sunset, in degrees: a quarter turn, the radius of the sun, and the
  /// refraction.
  private static let zenith = 90.833

  /// - Parameters:
  ///   - day: a day of UTC since 1970-01-01.
  ///   - east: mean solar time minus UTC, in seconds.
  private static func noon(of day: Double, _ east: Double) -> Double {
    let mean = day * 86_400 + 43_200 - east
    var noon = mean
    for _ in 0..<3 { noon = mean - SunEquations(at: noon).equationOfTime }
    return noon
  }

  /// The sine of the sun's height, minus that at sunrise and sunset.
  private static func height(of place: Coordinates, at time: Double) -> Double {
    let sun = SunEquations(at: time)
    // Solar time from 1970-01-01T12:00:00 on; the hour angle is zero at noon.
    let solar = time + place.longitude * 240 + sun.equationOfTime - 43_200
    let angle = radians(solar.truncatingRemainder(dividingBy: 86_400) / 240)
    let latitude = radians(place.latitude)
    return sin(latitude) * sin(sun.declination) + cos(latitude) * cos(sun.declination) * cos(angle)
      - cos(radians(zenith))
  }

  /// Finds the time between a midnight and noon at which `height` is zero, to half a second.
  private static func event(between midnight: Double, _ noon: Double, _ height: (Double) -> Double) -> Event {
    if height(noon) <= 0 { return .staysDown }
    if height(midnight) >= 0 { return .staysUp }
    var (below, above) = (midnight, noon)
    while abs(above - below) > 0.5 {
      let middle = (below + above) / 2
      if height(middle) < 0 { below = middle } else { above = middle }
    }
    return .at(instant((below + above) / 2))
  }

  private static func instant(_ time: Double) -> Instant { Instant(seconds: Int64(time.rounded())) }
}

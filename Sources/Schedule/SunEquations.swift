// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The position of the sun at a moment, by the equations of NOAA's solar calculator
/// (<https://gml.noaa.gov/grad/solcalc/calcdetails.html>), which follow Jean Meeus, "Astronomical
/// Algorithms".
struct SunEquations {
  /// The angle between the sun and the plane of the equator, in radians.
  let declination: Double
  /// Apparent minus mean solar time, in seconds.
  let equationOfTime: Double

  /// - Parameter time: seconds since 1970-01-01T00:00:00Z.
  init(at time: Double) {
    // Julian centuries since 2000-01-01T12:00:00Z.
    let century = (time - 946_728_000) / (86_400 * 36_525)
    let longitude = radians(280.46646 + century * (36_000.76983 + century * 0.0003032))
    let anomaly = radians(357.52911 + century * (35_999.05029 - 0.0001537 * century))
    let eccentricity = 0.016708634 - century * (0.000042037 + 0.0000001267 * century)
    let center =
      sin(anomaly) * (1.914602 - century * (0.004817 + 0.000014 * century))
      + sin(2 * anomaly) * (0.019993 - 0.000101 * century) + sin(3 * anomaly) * 0.000289
    let node = radians(125.04 - 1_934.136 * century)
    let apparent = longitude + radians(center - 0.00569 - 0.00478 * sin(node))
    let meanObliquity =
      23 + (26 + (21.448 - century * (46.815 + century * (0.00059 - century * 0.001813))) / 60) / 60
    let obliquity = radians(meanObliquity + 0.00256 * cos(node))
    declination = asin(sin(obliquity) * sin(apparent))
    let y = tan(obliquity / 2) * tan(obliquity / 2)
    let equation =
      y * sin(2 * longitude) - 2 * eccentricity * sin(anomaly)
      + 4 * eccentricity * y * sin(anomaly) * cos(2 * longitude) - 0.5 * y * y * sin(4 * longitude)
      - 1.25 * eccentricity * eccentricity * sin(2 * anomaly)
    // A degree is four minutes.
    equationOfTime = equation * 180 / .pi * 240
  }
}

func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

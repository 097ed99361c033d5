// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// A backlight in /sys/class/backlight: the lamp of a built-in panel. Source: the kernel's
/// Documentation/ABI/stable/sysfs-class-backlight.
package struct Backlight: Hashable, Sendable {
  /// How the backlight is controlled. If a panel has several backlights, the kernel's documentation prefers
  /// them in this order.
  package enum Kind: String, CaseIterable, Sendable { case firmware, platform, raw }

  /// The directory with the backlights of the machine.
  package static let directory = "/sys/class/backlight"
  private static let parentPrefix = "card"

  /// The name of its directory, such as `10-0045`.
  package var name: String
  package var kind = Kind.raw
  /// The largest value; 1 or more.
  package var maximum: Int
  /// Whether the light is proportional to the value. If false, equal steps of the value look equal to the
  /// eye, or the driver does not report the scale.
  package var isLinear = false
  /// The connector of the panel that it lights (`eDP-1`); nil if the kernel does not report it.
  package var connector: String?

  /// The backlights in `directory`, sorted by name. One without a valid maximum is left out, because it
  /// cannot be set.
  package static func all(in directory: String = Backlight.directory) -> [Backlight] {
    (fileNames(in: directory) ?? []).compactMap { name in
      func word(_ file: String) -> String? {
        (try? readFile("\(directory)/\(name)/\(file)", limit: 4096)).map { bytes in
          String(decoding: bytes.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
        }
      }
      guard let maximum = word("max_brightness").flatMap({ Int($0) }), maximum > 0 else { return nil }
      return Backlight(
        name: name, kind: word("type").flatMap(Kind.init(rawValue:)) ?? .raw, maximum: maximum,
        isLinear: word("scale") == "linear",
        connector: linkTarget("\(directory)/\(name)/device").flatMap(connector(ofDevice:)))
    }
  }

  /// The connector in a path of sysfs that ends with `card0-eDP-1`.
  private static func connector(ofDevice path: String) -> String? {
    guard let device = path.split(separator: "/").last, device.hasPrefix(parentPrefix) else { return nil }
    let rest = device.dropFirst(parentPrefix.count).drop { $0.isNumber }
    return rest.first == "-" ? String(rest.dropFirst()) : nil
  }
}

// MARK: Levels

extension Backlight {
  /// How a brightness is shown with a backlight.
  package struct Level: Hashable, Sendable {
    /// The value of the backlight, 1 … maximum. Never 0, which switches some panels off.
    package var value: Int
    /// The brightness of the picture, 0 … 1. Less than 1 for a brightness below the minimum of the backlight:
    /// then the picture is darkened too.
    package var picture: Double
  }

  /// How perceived brightness becomes light, as in sRGB: a darkened picture and a dimmed lamp look alike.
  private static let gamma = 2.2

  /// - Parameter percent: the brightness, 0 (a black picture) … 100.
  package func level(percent: Int) -> Level {
    guard percent > 0 else { return Level(value: 1, picture: 0) }
    let brightness = min(Double(percent) / 100, 1)
    let wanted = (isLinear ? pow(brightness, Self.gamma) : brightness) * Double(maximum)
    if wanted >= 1 { return Level(value: min(Int(wanted.rounded()), maximum), picture: 1) }
    return Level(value: 1, picture: isLinear ? pow(wanted, 1 / Self.gamma) : wanted)
  }
}

// MARK: Choosing

/// Which backlight belongs to a display.
package enum BacklightPreference: Hashable, Sendable {
  /// The backlight of the display's panel, if it is known.
  case auto
  /// No backlight, `"none"` in the config: the picture is darkened instead.
  case unused
  case named(String)

  /// The kernel's names of connectors for built-in panels. Displays on other connectors have their own lamps,
  /// which the machine cannot dim.
  private static let panelConnectors = ["eDP", "LVDS", "DSI", "DPI", "SPI"]

  /// The backlight among `backlights` for the display on `connector`; nil if there is none.
  ///
  /// - Parameter connectors: the connectors of all displays. With `auto`, a backlight without a known
  ///   connector belongs to the built-in panel, if there is exactly one panel.
  package func backlight(for connector: String, _ connectors: [String], among backlights: [Backlight])
    -> Backlight?
  {
    switch self {
    case .unused: return nil
    case .named(let name): return backlights.first { $0.name == name }
    case .auto:
      if let own = Self.best(backlights.filter { $0.connector == connector }) { return own }
      let panels = connectors.filter(Self.isPanel)
      return panels == [connector] ? Self.best(backlights.filter { $0.connector == nil }) : nil
    }
  }

  private static func isPanel(_ connector: String) -> Bool {
    panelConnectors.contains { connector.hasPrefix("\($0)-") }
  }

  private static func best(_ backlights: [Backlight]) -> Backlight? {
    for kind in Backlight.Kind.allCases {
      if let first = backlights.first(where: { $0.kind == kind }) { return first }
    }
    return nil
  }
}

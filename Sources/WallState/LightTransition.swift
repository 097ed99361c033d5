// SPDX-License-Identifier: Apache-2.0

/// Whether a display is on, and how bright it is.
package struct Light: Hashable, Sendable {
  /// Whether the display is off.
  package var isBlank: Bool
  /// Percent; 0: the picture is black.
  package var level: Int
}

/// The lights of all displays.
package struct Lights: Hashable, Sendable {
  /// The light of displays that have none of their own, and of those that are connected later.
  package var common: Light
  /// By connector.
  package var displays: [String: Light]

  /// - Parameter name: a display; nil: the common light.
  package subscript(name: String?) -> Light { name.flatMap { displays[$0] } ?? common }

  /// Whether displays are off that were on, or the other way round.
  package func areSwitched(from before: Lights) -> Bool {
    let names = [nil] + Set(displays.keys).union(before.displays.keys).map(Optional.init)
    return names.contains { self[$0].isBlank != before[$0].isBlank }
  }
}

/// A change of the light that takes time. Instants are match times in nanoseconds.
enum LightTransition: Hashable {
  /// Levels change gradually.
  case fade(BrightnessFade)
  /// Displays whose light is `Schedule.Light.offAndBlack` show a black picture before they are switched off.
  case black(until: Int64)

  /// How long a black picture is shown.
  static let blackDuration: Int64 = 1_000_000_000

  /// When the light changes next.
  var next: Int64 {
    switch self {
    case .fade(let fade): fade.next
    case .black(let end): end
    }
  }
}

/// A gradual change of the brightness within a minute, in steps of at least one per cent. There are at most
/// 100 redraws, each at least 0.6 s after the one before.
struct BrightnessFade: Hashable {
  static let duration: Int64 = 60_000_000_000

  private let from: Lights
  private let steps: Int
  private let start: Int64
  /// How many steps are done.
  private var step = 0

  /// Nil if no level changes.
  init?(from: Lights, to: Lights, at now: Int64) {
    let names = [nil] + to.displays.keys.map(Optional.init)
    let largest = names.map { abs(from[$0].level - to[$0].level) }.max() ?? 0
    guard largest > 0 else { return nil }
    self.from = from
    steps = min(largest, 100)
    start = now
  }

  /// When the next step is due.
  var next: Int64 { start + Self.duration / Int64(steps) * Int64(step + 1) }

  /// Does the steps that are due; returns false after the last one.
  mutating func advance(to now: Int64) -> Bool {
    step = Int(min(max((now - start) / (Self.duration / Int64(steps)), 0), Int64(steps)))
    return step < steps
  }

  /// The present level of a display whose level at the end is `target`.
  func level(of display: String?, to target: Int) -> Int {
    let start = from[display].level
    return Int((Double(start) + Double(target - start) * Double(step) / Double(steps)).rounded())
  }
}

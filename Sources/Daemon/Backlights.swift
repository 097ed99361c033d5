// SPDX-License-Identifier: Apache-2.0

import Display
import LinuxSystem

/// The backlights of the displays. The picture of a display whose backlight cannot be set is darkened
/// instead.
final class Backlights {
  private struct Use {
    /// The preference and the displays with which the backlight was chosen.
    var preference: BacklightPreference
    var displays: [String]
    /// Nil if the display has no backlight, or it cannot be set.
    var control: BacklightControl?
  }

  private let directory: String
  private let log: Log
  private var uses: [String: Use] = [:]

  init(in directory: String = Backlight.directory, log: Log) {
    self.directory = directory
    self.log = log
  }

  /// Looks for the backlight of `display` if the display is new, or if `preference` or `displays` has
  /// changed. Opens the backlight, and logs what it found.
  ///
  /// - Parameter displays: the names of all connected displays.
  func find(for display: String, _ preference: BacklightPreference, _ displays: [String]) {
    if let use = uses[display], use.preference == preference, use.displays == displays { return }
    let wanted = choose(for: display, preference, displays)
    var use = Use(preference: preference, displays: displays, control: nil)
    if let wanted, let control = uses[display]?.control, control.backlight == wanted {
      use.control = control
    } else {
      // Restores the value of another backlight that the display had before.
      uses[display] = nil
      use.control = wanted.flatMap { open($0, for: display) }
    }
    uses[display] = use
  }

  /// Whether a display has a backlight that can be set.
  func isUsed(for display: String) -> Bool { uses[display]?.control != nil }

  private func choose(
    for display: String, _ preference: BacklightPreference, _ displays: [String]
  ) -> Backlight? {
    if preference == .unused { return nil }
    let all = Backlight.all(in: directory)
    let wanted = preference.backlight(for: display, displays, among: all)
    if case .named(let name) = preference, wanted == nil {
      let known = all.isEmpty ? "there is none" : "there are: \(all.map(\.name).joined(separator: ", "))"
      log.warning("\(display): no backlight '\(name)' in \(directory), so the picture is darkened; \(known)")
    }
    if let wanted, let other = uses.first(where: { $0 != display && $1.control?.backlight == wanted })?.key {
      log.warning("\(display): the backlight \(wanted.name) is that of \(other), so the picture is darkened")
      return nil
    }
    return wanted
  }

  private func open(_ backlight: Backlight, for display: String) -> BacklightControl? {
    do throws(SystemError) {
      let control = try BacklightControl(backlight, in: directory)
      log.info("\(display): backlight \(backlight.name), up to \(backlight.maximum)")
      return control
    } catch {
      log.warning(
        "\(display): the picture is darkened, because its backlight cannot be set; 'flipclockctl doctor' says why: \(error)"
      )
      return nil
    }
  }

  /// The name of the backlight that is used for a display.
  func name(for display: String) -> String? { uses[display]?.control?.backlight.name }

  /// The brightness of a display's picture, 0 … 1, at the level `percent`. With a backlight it is 1, unless
  /// the backlight cannot be dark enough.
  ///
  /// - Parameter display: nil for displays without a backlight.
  func picture(of display: String?, percent: Int) -> Double {
    display.flatMap { uses[$0]?.control?.backlight.level(percent: percent).picture } ?? Double(percent) / 100
  }

  /// Sets the backlight of a display, if it has one. Returns false if it can no longer be set.
  func set(_ display: String, percent: Int) -> Bool {
    guard let control = uses[display]?.control else { return true }
    do throws(SystemError) {
      try control.set(control.backlight.level(percent: percent).value)
      return true
    } catch {
      log.warning("\(display): the picture is darkened, because its backlight failed: \(error)")
      uses[display]?.control = nil
      return false
    }
  }

  /// Looks again for backlights that could not be set.
  func retry() { uses = uses.filter { $1.control != nil } }

  /// Restores the backlights of all displays except `displays`, because the others are disconnected.
  func keep(only displays: [String]) { uses = uses.filter { displays.contains($0.key) } }

  /// Restores all backlights.
  func restore() { uses = [:] }
}

// SPDX-License-Identifier: Apache-2.0

import CEvdev
import Spelling
import TOMLConfig

/// `[input]`: what the keys of keyboards, presenters and number pads do.
package struct InputSettings: Hashable, Sendable {
  package struct KeyBinding: Hashable, Sendable {
    /// The key's code, from linux/input-event-codes.h.
    package var code: UInt16
    /// The words of a command of flipclockctl.
    package var command: String
    /// Whether the command is run again while the key is held.
    package var repeats = false
  }

  package var isEnabled = false
  /// Whether other programs do not receive the keys.
  package var grab = false
  /// Patterns for the names of devices, with `*` and `?`.
  package var devices = ["*"]
  /// A press within this many seconds after the last event of its key is ignored, because contacts bounce.
  package var debounce = 0.03
  package var keys: [KeyBinding] = []
}

extension ConfigTable where Draft == SettingsDraft {
  static var input: ConfigTable {
    ConfigTable(
      .input, \.configuration.input, standard: InputSettings(), heading: "Input",
      parts: [TableReference(.binding("input.keys"), standard: InputSettings.Draft())]
    ) { draft, _, report in
      for reference in report.references where reference.kind == "command" {
        report.report(
          report.checks.command(reference.name, draft.configuration), at: reference.location,
          in: reference.place)
        guard let advice = report.checks.advice(reference.name) else { continue }
        report.warning(
          reference.location, "\(reference.place.description): \(advice.message)", hint: advice.hint)
      }
    }
  }
}

extension Section where Target == InputSettings {
  static var input: Section {
    Section(
      title: "input",
      text: """
        Keyboards, presenters and number pads that are plugged into this machine, now or later. The daemon has to be in
        the group `input`, as the service is. Keys do nothing while another virtual terminal is active. While Alt is
        held, the keys that switch terminals do nothing either.
        """,
      keys: [
        Key("enabled", \.isEnabled, .boolean, "Whether keys do anything."),
        Key(
          "grab", \.grab, .boolean,
          """
          `true` keeps the devices' keys from all other programs, including the console's login, and from the kernel.
          The keys then do not switch terminals, and their commands are always run.
          """),
        Key(
          "devices", \.devices, .devicePatterns,
          """
          The names of the devices, which `libinput list-devices` or `sudo evtest` print; `*` is any text and `?` any
          character.
          """),
        Key(
          "debounce", \.debounce, .duration(maximum: 1),
          "How long after the last event of a key a press of that key is ignored, because contacts bounce."),
        Key(
          name: "keys", shape: .table,
          text: "What the keys do: the table `[input.keys]`."
        ) { settings, node, _, report in
          for entry in node.entries("input.keys", &report) ?? [] { settings.bind(entry, &report) }
        },
      ])
  }
}

extension InputSettings {
  fileprivate mutating func bind(_ entry: Node.Entry, _ report: inout Report) {
    guard let code = KeyName.code(entry.key) else {
      report.error(
        entry.keyLocation, "\(entry.key.quoted) in [input.keys] is not a key",
        hint: KeyName.hint(for: entry.key)
          ?? "names are those of linux/input-event-codes.h without KEY_, such as KP1, PAGEDOWN or A")
      return
    }
    let title = "input.keys"
    var binding = Draft()
    let place = Place(key: entry.key, section: title)
    if case .table = entry.value.value {
      let section = Section<Draft>.binding("\(title).\(entry.key)")
      section.apply(entry.value, to: &binding, &report)
      section.reportMissing(in: [entry.value], place.description, at: entry.value.location, &report)
    } else {
      binding.command = ValueKind.command.read(entry.value, place, &report)
    }
    guard let command = binding.command else { return }
    keys.removeAll { $0.code == code }
    keys.append(KeyBinding(code: code, command: command, repeats: binding.repeats))
  }

  struct Draft {
    var command: String?
    var repeats = false
  }
}

extension Section where Target == InputSettings.Draft {
  static func binding(_ title: String) -> Section {
    Section(
      title: title,
      text: """
        A key and the command it runs: the words of `flipclockctl`, without quotes around them. Keys have the names of
        linux/input-event-codes.h without `KEY_`, such as `KP1`, `PAGEDOWN` or `A`. All commands that change what is shown
        are accepted, from `set-score` to `lead`, and `network open`, which opens an access point where flipclock-host runs.

        A key that is held runs its command once, or repeatedly with `repeat = true`.
        """,
      keys: [
        Key("do", \.command, .command, "The command.", example: "\"add-score home +1\"", isRequired: true),
        Key("repeat", \.repeats, .boolean, "Whether the command is run again while the key is held."),
      ])
  }
}

extension ValueKind where Value == [String] {
  static var devicePatterns: ValueKind {
    ValueKind(
      shape: .array(of: .form(pattern: "^.", maximum: 255), count: 1...32, isUnique: false),
      read: { node, place, report in
        let hint = "write [\"*Presenter*\"]"
        return node.elements(
          1...32, "an array of names", "must have 1 to 32 names", hint: hint, countHint: hint, place, &report
        ) { node, report in
          if let text = node.string, (1...255).contains(text.count) { return text }
          report.error(node, place, "must contain names, found \(node.found)", hint: hint)
          return nil
        }
      }, write: { Units.array($0) })
  }
}

/// The names of keys and buttons in linux/input-event-codes.h: keys without `KEY_`, such as `KP1` and
/// `PAGEDOWN`, and buttons with their prefix, such as `BTN_LEFT`.
enum KeyName {
  /// The code of a name; nil: there is no such key. The corresponding C function is
  /// `libevdev_event_code_from_name`.
  static func code(_ name: String) -> UInt16? {
    let upper = name.uppercased()
    let full = upper.hasPrefix("BTN_") || upper.hasPrefix("KEY_") ? upper : "KEY_\(upper)"
    guard !full.utf8.contains(0) else { return nil }
    return UInt16(exactly: libevdev_event_code_from_name(UInt32(EV_KEY), full))
  }

  /// `did you mean 'KP1'?`, or nil when no name is similar.
  static func hint(for name: String) -> String? {
    let known = (UInt32(0)...UInt32(KEY_MAX)).compactMap { code in
      libevdev_event_code_get_name(UInt32(EV_KEY), code).map { String(cString: $0) }
    }
    let short = known.map { $0.hasPrefix("KEY_") ? String($0.dropFirst(4)) : $0 }
    let typed = name.uppercased()
    return Spelling.hint(for: typed.hasPrefix("KEY_") ? String(typed.dropFirst(4)) : typed, among: short)
  }
}

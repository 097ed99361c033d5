// SPDX-License-Identifier: Apache-2.0

/// `[input]`: what keyboards, presenters and number pads do.
public struct InputSettings: Hashable, Sendable {
  public struct KeyBinding: Hashable, Sendable {
    /// Of linux/input-event-codes.h.
    public var code: UInt16
    /// The words of a command, as flipclockctl takes them.
    public var command: String
    /// Goes on while the key is held.
    public var repeats: Bool

    public init(code: UInt16, command: String, repeats: Bool = false) {
      self.code = code
      self.command = command
      self.repeats = repeats
    }
  }

  public var isEnabled = false
  /// Nobody else gets the keys of the devices.
  public var grab = false
  /// Patterns of devices' names, with `*` and `?`.
  public var devices = ["*"]
  /// A press so soon after the last event of its key is a contact that bounces; seconds.
  public var debounce = 0.03
  public var keys: [KeyBinding] = []

  public init() {}
}

extension Section where Target == InputSettings {
  static var input: Section {
    Section(
      title: "input",
      keys: [
        Key("enabled", \.isEnabled, .boolean),
        Key("grab", \.grab, .boolean),
        Key("devices", \.devices, .devicePatterns),
        Key("debounce", \.debounce, .duration(maximum: 1)),
        Key(name: "keys", shape: .table) { settings, node, _, report in
          for entry in node.entries("input.keys", &report) ?? [] { settings.bind(entry, &report) }
        },
      ])
  }
}

extension InputSettings {
  fileprivate mutating func bind(_ entry: Node.Entry, _ report: inout Report) {
    guard let code = KeyName.code(entry.key) else {
      report.error(
        entry.keyLocation, "\(entry.key.quoted) in [input.keys] is no key",
        hint: KeyName.hint(for: entry.key)
          ?? "names are those of linux/input-event-codes.h without KEY_, such as KP1, PAGEDOWN or A")
      return
    }
    let title = "input.keys"
    var binding = Draft()
    let place = Place(key: entry.key, section: title)
    if case .table = entry.value.value {
      Section<Draft>.binding("\(title).\(entry.key)").apply(entry.value, to: &binding, &report)
      if binding.command == nil {
        report.error(
          entry.value.location, "\(place.description) has no 'do'", hint: "do = \"add-score home +1\"")
      }
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
    Section(title: title, keys: [Key("do", \.command, .command), Key("repeat", \.repeats, .boolean)])
  }
}

extension ValueKind where Value == String {
  /// Words that flipclockctl takes; they are checked when the whole configuration is known.
  static var command: ValueKind {
    ValueKind(shape: .text(maximum: 200)) { node, place, report in
      guard let text = ValueKind.text(maximum: 200).read(node, place, &report) else { return nil }
      report.checkLater(command: text, place, at: node.location)
      return text
    }
  }
}

extension ValueKind where Value == [String] {
  static var devicePatterns: ValueKind {
    ValueKind(shape: .array) { node, place, report in
      var patterns: [String] = []
      if case .array(let nodes) = node.value, (1...32).contains(nodes.count) {
        for case .string(let text) in nodes.map(\.value) where (1...255).contains(text.count) {
          patterns.append(text)
        }
        if patterns.count == nodes.count { return patterns }
      }
      report.error(
        node.location, "\(place.description) must be an array of 1 to 32 names, found \(node.found)",
        hint: "write [\"*Presenter*\"]")
      return nil
    }
  }
}

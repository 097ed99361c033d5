// SPDX-License-Identifier: Apache-2.0

import Commands
import TOMLConfig

/// `[horn]`: what flipclock-horn sounds, and how.
package struct HornSettings: Hashable, Sendable {
  package var isOn = false
  /// In percent.
  package var volume = 100
  /// The name of an ALSA device.
  package var device = "default"
  package var sounds = Sound.allCases

  package init() {}
}

extension Section where Target == HornSettings {
  static var horn: Section {
    Section(
      title: "horn",
      text: """
        The horn at the end of a period, of the shot clock, of a break and of a countdown. It is sounded by
        flipclock-horn, a package of its own, which follows a change at once.
        """,
      keys: [
        Key("on", \.isOn, .boolean, "Whether the horn sounds."),
        Key(
          "volume", \.volume, .percent(from: 1, zeroHint: "write on = false"),
          "The amplitude of the sounds. The volume of the sound card is not changed."),
        Key(
          "device", \.device, .device,
          """
          The ALSA device. `aplay -L` from the package alsa-utils lists the names, such as `"hdmi:CARD=vc4hdmi0"`.
          """),
        Key(
          "sounds", \.sounds, .sounds,
          """
          What sounds: `"period"`, `"shot"`, `"break"`, `"break-warning"`, which is the moment at which the clock of a
          break warns, and `"countdown"`.
          """),
      ])
  }
}

extension ValueKind where Value == String {
  /// The name of an ALSA device.
  fileprivate static var device: ValueKind {
    form(
      pattern: "^[!-~]+( [!-~]+)*$", maximum: 200, "the name of an ALSA device",
      hint: "write \"default\", or a name that 'aplay -L' prints"
    ) { text in
      (1...200).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
        && text.first != " " && text.last != " "
    }
  }
}

extension ValueKind where Value == [Sound] {
  /// Different sounds, at least one.
  fileprivate static var sounds: ValueKind {
    let sound = ValueKind<Sound>.choice()
    let count = 1...Sound.allCases.count
    return ValueKind(
      shape: .array(of: sound.shape, count: count, isUnique: true),
      read: { node, place, report in
        let read = node.elements(
          count, "an array of sounds", "must have 1 to \(count.upperBound) sounds",
          hint: "write [\"period\", \"shot\"]", place, &report
        ) { sound.read($0, place, &$1) }
        return read.map { wanted in Sound.allCases.filter(wanted.contains) }
      }, write: { Units.array($0.map(\.rawValue)) })
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A card as /sys/class/drm tells it, without opening it: whoever opens the first becomes its master.
struct Card {
  struct Connector {
    var name: String
    /// `connected`, `disconnected` or `unknown`.
    var status: String
    /// The best first, as the kernel lists them.
    var modes: [String]
  }

  /// `card0`
  var name: String
  /// The kernel's driver; nil where the card has none to name.
  var driver: String?
  var connectors: [Connector]

  var path: String { "/dev/dri/\(name)" }

  /// The firmware's framebuffer, until the native driver comes.
  var isFirmwareFramebuffer: Bool {
    ["simple-framebuffer", "simpledrm", "ofdrm", "efidrm", "vesadrm", "of-display"].contains(driver ?? "")
  }

  var drivesDisplays: Bool { !connectors.isEmpty }
}

extension SystemView {
  /// All cards, by number.
  var cards: [Card] {
    let all = names("/sys/class/drm") ?? []
    let cards = all.compactMap { name in
      name.hasPrefix("card") ? Int(name.dropFirst(4)) : nil
    }
    return cards.sorted().map { number in
      let name = "card\(number)"
      let connectors = all.filter { $0.hasPrefix("\(name)-") }.map { entry in
        let folder = "/sys/class/drm/\(entry)"
        return Card.Connector(
          name: String(entry.dropFirst(name.count + 1)), status: text("\(folder)/status") ?? "unknown",
          modes: lines("\(folder)/modes"))
      }
      let driver = link("/sys/class/drm/\(name)/device/driver")?.split(separator: "/").last.map(String.init)
      return Card(
        name: name, driver: driver, connectors: connectors.filter { !$0.name.hasPrefix("Writeback") })
    }
  }
}

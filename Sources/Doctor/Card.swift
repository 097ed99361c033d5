// SPDX-License-Identifier: Apache-2.0

/// A card as /sys/class/drm describes it. It is not opened, because the first program that opens it becomes
/// its master.
struct Card {
  struct Connector {
    var name: String
    /// `connected`, `disconnected` or `unknown`.
    var status: String
    /// The modes in the kernel's order, the best first.
    var modes: [String]
  }

  /// E.g. `card0`.
  var name: String
  /// The DRM driver, by the name that `status` and the config use; nil if unknown.
  var driver: String?
  var connectors: [Connector]

  var path: String { "/dev/dri/\(name)" }

  /// Whether this is the firmware's framebuffer, which the native driver replaces.
  var isFirmwareFramebuffer: Bool {
    ["simpledrm", "ofdrm", "efidrm", "vesadrm"].contains(driver ?? "")
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
      return Card(
        name: name, driver: driver(ofCard: name),
        connectors: connectors.filter { !$0.name.hasPrefix("Writeback") })
    }
  }

  /// The driver of the card's device. Sysfs has the name of the bus driver, which differs from the name of
  /// the DRM driver for some devices.
  private func driver(ofCard name: String) -> String? {
    let device = "/sys/class/drm/\(name)/device"
    func driver(_ device: String) -> String? {
      link("\(device)/driver")?.split(separator: "/").last.map(String.init)
    }
    guard let found = driver(device) else { return nil }
    switch found {
    case "virtio-pci", "virtio-mmio":
      // The DRM driver's device is below the bus device.
      let inner = (names(device) ?? []).first { $0.hasPrefix("virtio") && driver("\(device)/\($0)") != nil }
      return inner.flatMap { driver("\(device)/\($0)") } ?? "virtio_gpu"
    case "vc4-drm": return "vc4"
    case "simple-framebuffer": return "simpledrm"
    case "of-display": return "ofdrm"
    case "rockchip-drm": return "rockchip"
    default: return found
    }
  }
}

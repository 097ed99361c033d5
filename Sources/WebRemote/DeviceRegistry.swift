// SPDX-License-Identifier: Apache-2.0

import Commands
import JSON

/// The paired devices.
package struct DeviceRegistry: Hashable, Sendable {
  /// The maximum number of devices.
  package static let limit = 64
  /// A use of a device is stored only if the stored one is at least this much older, in seconds.
  static let seenInterval: Int64 = 3600

  package private(set) var devices: [Device] = []

  package init() {}

  /// The device with one of the tokens. Takes the same time for all tokens that are not known.
  package func device(with tokens: [DeviceToken]) -> Device? {
    var found: Device?
    for token in tokens {
      let hash = token.hash
      for device in devices where device.hash.isEqual(to: hash) { found = device }
    }
    return found
  }

  package var hasOwner: Bool { devices.contains { $0.role == .owner } }

  /// The role of a device that is paired with a code for `role`. While there is no owner, the next scorer
  /// becomes one. An owner who is paired again as a scorer stays an owner.
  ///
  /// - Parameter replaced: the same device, as it is known until now.
  func role(_ role: RemoteRole, replacing replaced: Device?) -> DeviceRole {
    role == .scorer && (!hasOwner || replaced?.role == .owner) ? .owner : DeviceRole(role)
  }

  /// Adds a device with an unused id.
  ///
  /// - Parameter connected: the ids of devices with an open stream, which are removed only if all devices
  ///   but the owners have one.
  /// - Returns: the device, and the one that had to be removed because there were too many: the least
  ///   recently used viewer, or if there are no viewers, the least recently used device; an owner only if
  ///   all are owners.
  package mutating func add(
    _ token: DeviceToken, role: DeviceRole, isProgram: Bool = false, board: String? = nil, name: String,
    at seconds: Int64, connected: Set<String> = []
  ) -> (device: Device, removed: Device?) {
    let removed = devices.count >= Self.limit ? makeRoom(connected) : nil
    let device = Device(
      id: unusedID(), hash: token.hash, role: role, isProgram: isProgram, board: board, name: name,
      paired: seconds, seen: seconds)
    devices.append(device)
    return (device, removed)
  }

  private mutating func makeRoom(_ connected: Set<String>) -> Device? {
    // Owners come last, so that nobody becomes one because others were paired.
    func rank(_ device: Device) -> (Int, Int, Int, Int64) {
      (
        device.role == .owner ? 1 : 0, connected.contains(device.id) ? 1 : 0, device.role == .viewer ? 0 : 1,
        device.seen
      )
    }
    guard let index = devices.indices.min(by: { rank(devices[$0]) < rank(devices[$1]) }) else { return nil }
    return devices.remove(at: index)
  }

  private func unusedID() -> String {
    // Without letters and digits that are easily confused.
    let characters = Array("abcdefghjkmnpqrstuvwxyz23456789")
    while true {
      let id = String((0..<6).map { _ in characters[Int.random(in: 0..<characters.count)] })
      if !devices.contains(where: { $0.id == id }) { return id }
    }
  }

  package mutating func remove(_ id: String) -> Device? {
    guard let index = devices.firstIndex(where: { $0.id == id }) else { return nil }
    return devices.remove(at: index)
  }

  /// Adds a device again that was removed.
  package mutating func restore(_ device: Device) {
    if devices.count < Self.limit { devices.append(device) }
  }

  package mutating func removeAll() { devices = [] }

  /// Records a use. Returns whether the registry has to be stored.
  package mutating func use(_ id: String, at seconds: Int64) -> Bool {
    guard let index = devices.firstIndex(where: { $0.id == id }) else { return false }
    // The clock may have been set back.
    guard abs(seconds - devices[index].seen) >= Self.seenInterval else { return false }
    devices[index].seen = seconds
    return true
  }
}

// MARK: The file

extension DeviceRegistry {
  package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  private struct Document: Codable {
    struct Entry: Codable {
      var id: String
      var sha256: String
      var role: String
      /// Nil: an earlier version has written the file.
      var program: Bool?
      var board: String?
      var name: String
      var paired: Int64
      var seen: Int64
    }
    var version: Int
    var devices: [Entry]
  }

  package init(reading bytes: [UInt8]) throws(Malformed) {
    let document: Document
    do { document = try JSONReader.read(bytes).decoded(as: Document.self) } catch {
      throw Malformed(description: "it is not a list of devices: \(error)")
    }
    guard document.version == 1 else {
      throw Malformed(description: "it has version \(document.version); is it from a newer flipclock-web?")
    }
    guard document.devices.count <= Self.limit,
      Set(document.devices.map(\.id)).count == document.devices.count
    else { throw Malformed(description: "it has too many devices, or two of the same id") }
    for entry in document.devices {
      guard let hash = TokenHash(hexadecimal: entry.sha256), let role = DeviceRole(rawValue: entry.role),
        (1...32).contains(entry.id.utf8.count)
      else { throw Malformed(description: "a device has no valid id, hash or role") }
      devices.append(
        Device(
          id: entry.id, hash: hash, role: role,
          isProgram: entry.program ?? (role == .board || !Device.isKind(entry.name)), board: entry.board,
          name: entry.name, paired: entry.paired, seen: entry.seen))
    }
  }

  package var document: [UInt8] {
    let document = Document(
      version: 1,
      devices: devices.map {
        Document.Entry(
          id: $0.id, sha256: $0.hash.hexadecimal, role: $0.role.rawValue, program: $0.isProgram,
          board: $0.board, name: $0.name, paired: $0.paired, seen: $0.seen)
      })
    return ((try? JSONValue(encoding: document))?.bytes ?? []) + [0x0a]
  }
}

// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LinuxSystem
import MachineNetwork

/// What flipclock-host keeps across restarts, in `state.json` of its state directory, which only its user can
/// read.
struct HostState: Hashable, Sendable {
  var accessPoint: AccessPointIdentity
  var memory = NetworkSetup.Memory()
  /// ISO 3166, as it was given to `Join`.
  var country: String?
  /// Whether there is a file that could not be read and may be intact, so that nothing is stored.
  var isReadOnly = false

  static let fileName = "state.json"
  /// The country alone, for flipclock-host-country.service.
  static let countryName = "country"
  private static let limit = 64 * 1024

  init(accessPoint: AccessPointIdentity = .random()) { self.accessPoint = accessPoint }

  /// Nil if the bytes are not a state of this program.
  init?(reading bytes: [UInt8]) {
    guard let value = try? JSONReader.read(bytes), let name = value["accessPoint"]?["name"]?.string,
      let password = value["accessPoint"]?["password"]?.string,
      let identity = AccessPointIdentity(name: name, password: password),
      let hasBeenOnline = value["hasBeenOnline"]?.bool, let isFallbackAllowed = value["fallback"]?.bool
    else { return nil }
    accessPoint = identity
    memory.hasBeenOnline = hasBeenOnline
    memory.isFallbackAllowed = isFallbackAllowed
    memory.isLost = value["lost"]?.bool ?? false
    country = value["country"]?.string.flatMap { Self.isCountry($0) ? $0 : nil }
  }

  var bytes: [UInt8] {
    var members: [String: JSONValue] = [
      "accessPoint": .object([
        "name": .string(accessPoint.name), "password": .string(accessPoint.password.secret),
      ]),
      "hasBeenOnline": .bool(memory.hasBeenOnline), "fallback": .bool(memory.isFallbackAllowed),
    ]
    if memory.isLost { members["lost"] = .bool(true) }
    if let country { members["country"] = .string(country) }
    return JSONValue.object(members).bytes + [UInt8(ascii: "\n")]
  }

  static func isCountry(_ text: String) -> Bool {
    text.utf8.count == 2 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }

  /// Reads the state, or makes a new one and stores it. A damaged file is set aside. One that cannot be read
  /// for another reason is kept, and nothing is stored until the next start. In both cases the access point
  /// has a new password.
  static func load(_ directory: String, log: Log) -> HostState {
    let path = "\(directory)/\(fileName)"
    var state = HostState()
    do throws(SystemError) {
      let bytes = try readFile(path, limit: limit)
      if let state = HostState(reading: bytes) { return state }
      state.memory.isLost = true
      SetAsideFiles(of: path).setAside(because: "it is not a state of flipclock-host", log: log)
    } catch {
      state.memory.isLost = error.errno.rawValue != ENOENT
      if SetAsideFiles.mustSetAside(error) {
        SetAsideFiles(of: path).setAside(because: "\(error)", log: log)
      } else if state.memory.isLost {
        state.isReadOnly = true
        log.error("\(error); nothing is stored until the next start, and the access point's password is new")
      }
    }
    state.save(directory, log: log)
    return state
  }

  /// Stores the state. Waits for the disk: this happens a few times in the life of a machine, and nothing
  /// else is to be done meanwhile.
  func save(_ directory: String, log: Log) {
    guard !isReadOnly else { return }
    do throws(SystemError) {
      try AtomicFile.write(bytes, to: "\(directory)/\(Self.fileName)", mode: 0o600)
      // A service waits for a change of this file, and then sets the country.
      let (path, line) = ("\(directory)/\(Self.countryName)", country.map { Array("\($0)\n".utf8) })
      if let line, (try? readFile(path, limit: Self.limit)) != line {
        try AtomicFile.write(line, to: path, mode: 0o644)
      }
    } catch {
      log.error("\(error)")
    }
  }
}

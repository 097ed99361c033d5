// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LinuxSystem
import MQTTConfig

/// The password that was set without a file, in the state directory. Only the user of this program may read
/// it.
struct PasswordFile {
  let path: String

  private static let limit = 16_384

  private let directory: String

  init(directory: String) { (self.directory, path) = (directory, "\(directory)/password.json") }

  /// The password; nil: there is none. A damaged file is set aside, and what a write has left that a power
  /// cut has interrupted is removed.
  func load(log: Log) -> BrokerPassword? {
    _ = AtomicFile.removeTemporaries(in: directory)
    SetAsideFiles(of: path).prune(log: log)
    do throws(SystemError) {
      let bytes = try readFile(path, limit: Self.limit)
      if let password = Self.password(in: bytes, of: path) { return password }
      SetAsideFiles(of: path).setAside(because: "it is damaged", log: log)
    } catch {
      if SetAsideFiles.mustSetAside(error) {
        SetAsideFiles(of: path).setAside(because: "\(error)", log: log)
      } else if error.errno.rawValue != ENOENT {
        log.error("\(error); the broker's password is not known")
      }
    }
    return nil
  }

  static func password(in bytes: [UInt8], of path: String) -> BrokerPassword? {
    guard let value = try? JSONReader.read(bytes), let text = value["password"]?.string,
      let host = value["host"]?.string, let port = value["port"]?.integer, let tls = value["tls"]?.bool
    else { return nil }
    return BrokerPassword(text, in: path, host: host, port: Int(port), tls: tls)
  }

  /// Stores or removes the password. Waits for the disk: this happens a few times in the life of a machine.
  func save(_ password: BrokerPassword?) throws(SystemError) {
    guard let password else {
      guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("remove", path) }
      return try AtomicFile.synchronize(directory: directory)
    }
    let (host, port, tls) = password.target
    let value = JSONValue.object([
      "password": .string(password.text), "host": .string(host), "port": .integer(Int64(port)),
      "tls": .bool(tls),
    ])
    try AtomicFile.write(value.bytes + [UInt8(ascii: "\n")], to: path, mode: 0o600)
  }
}

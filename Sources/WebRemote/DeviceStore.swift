// SPDX-License-Identifier: Apache-2.0

import Commands
import Glibc
import LinuxSystem

/// The paired devices and their file, `devices.json` in the state directory.
final class DeviceStore {
  private static let sizeLimit = 256 * 1024

  private(set) var registry = DeviceRegistry()
  let path: String
  private let writer: DurableWriter
  private let log: Log

  /// Reads the file. A file that cannot be used is renamed to `devices.json.bad`, and no device is known.
  init(directory: String, on loop: EventLoop, log: Log) throws(SystemError) {
    let path = "\(directory)/devices.json"
    self.path = path
    self.log = log
    var status = stat()
    if lstat(path, &status) == 0 {
      let bytes = try readFile(path, limit: Self.sizeLimit)
      do throws(DeviceRegistry.Malformed) { registry = try DeviceRegistry(reading: bytes) } catch {
        let bad = path + ".bad"
        _ = try retryingInterrupts("rename", path) { rename(path, bad) }
        log.error(
          "\(path) cannot be used: \(error); it is now \(bad), and all devices have to be paired again")
      }
    }
    writer = try DurableWriter(path: path, mode: 0o600, on: loop)
  }

  /// - Parameter replaced: the same device, as it was known before.
  func add(
    _ token: DeviceToken, role: DeviceRole, isProgram: Bool = false, board: String? = nil, name: String,
    at seconds: Int64, connected: Set<String>, replacing replaced: Device?,
    completion: @escaping (Result<Device, SystemError>) -> Void
  ) {
    if let replaced { _ = registry.remove(replaced.id) }
    let (device, removed) = registry.add(
      token, role: role, isProgram: isProgram, board: board, name: name, at: seconds, connected: connected)
    if let removed {
      log.warning(
        "unpaired the \(removed.role.rawValue) \(removed.id) (\(removed.name)) to make room: at most "
          + "\(DeviceRegistry.limit) devices can be paired")
    }
    save { [weak self] result in
      switch result {
      case .success: completion(.success(device))
      case .failure(let error):
        // The file still has the devices as they were.
        _ = self?.registry.remove(device.id)
        for before in [replaced, removed].compactMap({ $0 }) { self?.registry.restore(before) }
        completion(.failure(error))
      }
    }
  }

  /// Forgets a device, or all of them if `id` is nil.
  func forget(_ id: String?, completion: @escaping (Result<[Device], SystemError>) -> Void) {
    let removed: [Device]
    if let id {
      removed = registry.remove(id).map { [$0] } ?? []
    } else {
      removed = registry.devices
      registry.removeAll()
    }
    save { completion($0.map { removed }) }
  }

  func use(_ id: String, at seconds: Int64) {
    guard registry.use(id, at: seconds) else { return }
    save { [log] in
      if case .failure(let error) = $0 { log.warning("\(error)") }
    }
  }

  private func save(completion: @escaping (Result<Void, SystemError>) -> Void) {
    writer.submit(registry.document, completion: completion)
  }

  func close() { writer.close() }
}

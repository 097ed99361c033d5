// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// Keeps what people have set without a file in the file `settings.toml` of the state directory, which is
/// replaced atomically. It is read at the start, and again if another program has changed it.
package final class SettingsStore<Selection: OwnerSelection> {
  package typealias Settings = StoredSettings<Selection>

  package let path: String
  private let mode: mode_t
  private let loop: EventLoop
  private let log: Log
  private var writer: DurableWriter?
  /// That the file was set aside at the start, for `status`; nil: it was not, or settings were saved since.
  package private(set) var warning: String?
  /// The error of a file that could not be read, and that must not be overwritten; nil if there is none.
  private var unreadable: SystemError?
  /// What the file contains as far as this program knows (nil: it does not exist), then what is being
  /// written.
  private var contents: [[UInt8]?] = [nil]

  /// The maximum size of a file that is read, in bytes.
  private static var sizeLimit: Int { 1 << 18 }

  /// - Parameter mode: who may read the file.
  package init(directory: String, mode: mode_t, on loop: EventLoop, log: Log) {
    path = directory + "/settings.toml"
    self.mode = mode
    self.loop = loop
    self.log = log
  }

  /// Returns the settings; none if the file cannot be used. A damaged file is set aside under another name;
  /// after any other error of reading it, no settings are saved. Both are logged.
  package func load() -> Settings {
    SetAsideFiles(of: path).prune(log: log)
    do throws(SystemError) {
      let bytes = try readFile(path, limit: Self.sizeLimit)
      do throws(SettingsProblem) { return try settings(in: bytes) } catch {
        setAside(error.message)
      }
    } catch {
      if SetAsideFiles.mustSetAside(error) {
        setAside("\(error)")
      } else if error.errno.rawValue != ENOENT {
        unreadable = error
        log.error("the settings cannot be read, so new ones are not saved in their place: \(error)")
      }
    }
    return Settings()
  }

  /// Reads the file again if another program has changed it.
  ///
  /// - Returns: nil: it is as this program has written it.
  package func edited() throws(SettingsProblem) -> Settings? {
    var bytes: [UInt8]?
    do throws(SystemError) { bytes = try readFile(path, limit: Self.sizeLimit) } catch {
      // Saving reports the error of a file that could not be read at the start either.
      if unreadable != nil { return nil }
      guard error.errno.rawValue == ENOENT else { throw .malformed("\(error)") }
    }
    guard unreadable != nil || !contents.contains(bytes) else { return nil }
    let settings = try settings(in: bytes)
    log.notice("\(path) was edited, and is read again")
    return settings
  }

  /// The settings in a file that another program may have written; none if there is no file.
  private func settings(in bytes: [UInt8]?) throws(SettingsProblem) -> Settings {
    let settings = try bytes.map { bytes throws(SettingsProblem) in
      try Settings(reading: bytes, of: path)
    }
    contents[0] = bytes
    (unreadable, warning) = (nil, nil)
    guard let settings else { return Settings() }
    // A file that was written by hand gets the lines that messages name.
    if bytes != Array(settings.text.utf8) { save(settings) { _ in } }
    return settings
  }

  private func setAside(_ reason: String) {
    SetAsideFiles(of: path).setAside(because: "it is not a file of settings: \(reason)", log: log)
    warning = "\(path) was damaged and is set aside: \(reason)"
  }

  /// Saves the settings. `completion` is called when they are durable, or when saving failed.
  package func save(
    _ settings: Settings, completion: @escaping (Result<Void, SystemError>) -> Void
  ) {
    warning = nil
    if let unreadable { return completion(.failure(unreadable)) }
    do throws(SystemError) {
      if writer == nil { writer = try DurableWriter(path: path, mode: mode, on: loop) }
      let bytes = Array(settings.text.utf8)
      contents.append(bytes)
      writer?.submit(bytes, isUrgent: true) { [weak self] result in
        self?.written(result)
        completion(result)
      }
    } catch {
      completion(.failure(error))
    }
  }

  /// Notes the result of the oldest write.
  private func written(_ result: Result<Void, SystemError>) {
    if case .success = result { contents.removeFirst() } else { contents.remove(at: 1) }
  }

  package func close() { writer?.close() }
}

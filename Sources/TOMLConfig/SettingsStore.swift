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
  private let check: AtomicFile.Check
  private var writer: DurableWriter?
  /// Repeats a save that has failed.
  package let retry: SaveRetry
  /// The settings that were saved last, perhaps without success.
  private var latest: Settings?
  /// That the file was set aside at the start, for `status`; nil: it was not, or settings were saved since.
  package private(set) var warning: String?
  /// The error of a file that could not be read, and that must not be overwritten; nil if there is none.
  private var unreadable: SystemError?
  /// What the file may contain as far as this program knows (nil: it does not exist), then what is being
  /// written. After a write that has failed, the file may contain the old or the new bytes.
  private var contents: [[UInt8]?] = [nil]
  /// How many of `contents` are from writes that have failed.
  private var failed = 0

  /// The maximum size of a file that is read, in bytes.
  private static var sizeLimit: Int { 1 << 18 }

  /// - Parameters:
  ///   - mode: who may read the file.
  ///   - check: called before each step of a save, on the writer's thread.
  package init(
    directory: String, mode: mode_t, on loop: EventLoop, log: Log,
    before check: @escaping AtomicFile.Check = { _ in }
  ) throws(SystemError) {
    path = directory + "/settings.toml"
    self.mode = mode
    self.loop = loop
    self.log = log
    self.check = check
    retry = try SaveRetry(of: "settings", on: loop, log: log)
    retry.saveAgain = { [weak self] in self?.saveAgain() }
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
    contents.replaceSubrange(...failed, with: [bytes])
    (failed, unreadable, warning) = (0, nil, nil)
    // What could not be saved is replaced by this.
    retry.stop()
    guard let settings else { return Settings() }
    // A file that was written by hand gets the lines that messages name.
    if bytes != Array(settings.text.utf8) { save(settings) { _ in } }
    return settings
  }

  /// Sets a file aside that another program has written, and that is to be replaced.
  package func setAsideEdited(because problem: SettingsProblem) {
    setAside(problem.message)
    contents.replaceSubrange(...failed, with: [nil])
    (failed, unreadable) = (0, nil)
  }

  private func setAside(_ reason: String) {
    SetAsideFiles(of: path).setAside(because: "it is not a file of settings: \(reason)", log: log)
    warning = "\(path) was damaged and is set aside: \(reason)"
  }

  /// Saves the settings. `completion` is called when they are durable, or when saving failed. After a failure
  /// it is tried again until it succeeds.
  package func save(
    _ settings: Settings, completion: @escaping (Result<Void, SystemError>) -> Void
  ) {
    latest = settings
    warning = nil
    let completion = { [weak self] (result: Result<Void, SystemError>) in
      self?.retry.ended(result)
      completion(result)
    }
    if let unreadable { return completion(.failure(unreadable)) }
    do throws(SystemError) {
      if writer == nil { writer = try DurableWriter(path: path, mode: mode, before: check, on: loop) }
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

  /// Saves what could not be saved, if there is something. `completion` is called as above.
  package func ensureSaved(completion: @escaping (Result<Void, SystemError>) -> Void) {
    guard retry.unsaved != nil, let latest else { return completion(.success(())) }
    save(latest, completion: completion)
  }

  /// Repeats a save, unless another program has changed the file: then `edited` returns what it contains.
  private func saveAgain() {
    if unreadable == nil, let bytes = try? readFile(path, limit: Self.sizeLimit) {
      guard contents.contains(bytes) else { return }
    }
    ensureSaved { _ in }
  }

  /// Notes the result of the oldest write.
  private func written(_ result: Result<Void, SystemError>) {
    let index = failed + 1
    if case .success = result {
      contents.removeFirst(index)
      failed = 0
    } else if contents[..<index].contains(contents[index]) {
      contents.remove(at: index)
    } else {
      failed = index
    }
  }

  /// Waits until everything is saved. Tries once more to save what could not be saved.
  package func close() {
    writer?.flush()
    if retry.unsaved != nil {
      saveAgain()
      writer?.flush()
    }
    retry.close()
    writer?.close()
  }
}

// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Scoreboard
import WallState
import Walls

/// Keeps the wall's state across restarts and power cuts, in one JSON file that is replaced atomically. Only
/// one process at a time can use the directory.
///
/// After a failure `retry.saveAgain` is called until a save succeeds.
final class StateStore {
  let path: String
  let retry: SaveRetry
  let directory: String
  private let loop: EventLoop
  private let log: Log
  var aside: AsideMatches
  private var writer: DurableWriter?
  private var finished: FinishedStore?
  private var lock: DirectoryLock?
  private var document = StateWriter()
  /// The error of a state file that could not be read, and that must not be overwritten; nil if there is
  /// none.
  private var unreadable: SystemError?
  private let check: AtomicFile.Check

  /// The maximum size of a state file that is read, in bytes: several times that of the longest history
  /// (`StateDocument.historyBytes`).
  private static let sizeLimit = 1 << 20

  /// Fails if another process uses the directory, because the two would overwrite each other's scores, or if
  /// another user could replace its files.
  ///
  /// - Parameter check: called before each step of a save, on the writer's thread.
  init(
    directory: String, on loop: EventLoop, log: Log, before check: @escaping AtomicFile.Check = { _ in }
  ) throws(StartFailure) {
    self.directory = directory
    self.loop = loop
    self.log = log
    path = directory + "/state.json"
    aside = AsideMatches(directory: directory)
    self.check = check
    do throws(SystemError) { retry = try SaveRetry(of: "scores", on: loop, log: log) } catch {
      throw StartFailure("\(error)")
    }
    do throws(DirectoryLock.Failure) {
      try open()
    } catch {
      guard case .system(let error) = error else {
        throw StartFailure(error.text(directory), exitCode: error.exitStatus)
      }
      log.error("scores will not survive a restart: \(error)")
    }
  }

  /// Creates the directory and the writer. If that fails (a disk that is mounted late), each save tries it
  /// again.
  private func open() throws(DirectoryLock.Failure) {
    if lock == nil {
      lock = try StateDirectory.lock(directory, mode: 0o750)
      cleanUp()
    }
    guard writer == nil else { return }
    do throws(SystemError) {
      if finished == nil {
        finished = try FinishedStore(directory: directory, on: loop, log: log, before: check)
      }
      writer = try DurableWriter(path: path, mode: 0o640, before: check, on: loop)
    } catch {
      throw .system(error)
    }
  }

  /// Removes temporary files that interrupted writes have left, and old state files that were set aside.
  /// Reads the matches that were set aside.
  private func cleanUp() {
    let count = AtomicFile.removeTemporaries(in: directory)
    if count > 0 { log.info("removed \(count) temporary file\(count == 1 ? "" : "s") from \(directory)") }
    SetAsideFiles(of: path).prune(log: log)
    aside.load(limit: Self.sizeLimit, log: log)
  }

  /// Returns the saved state; nil if there is none that can be used. A file that can never be used is set
  /// aside under another name; after any other error of reading the file, nothing is saved. Both are logged.
  func load() -> StateDocument? {
    let bytes: [UInt8]
    do {
      bytes = try readFile(path, limit: Self.sizeLimit)
    } catch {
      if error.errno.rawValue == ENOENT { return nil }
      if SetAsideFiles.mustSetAside(error) {
        setAside(because: "it is not a flipclock state file: \(error)")
        return nil
      }
      unreadable = error
      log.error("the saved scores cannot be read, so new scores are not saved in their place: \(error)")
      return nil
    }
    do throws(StateDocument.Failure) {
      let document = try StateDocument(reading: bytes)
      if document.version < StateDocument.currentVersion {
        log.info("the state file has version \(document.version); the next change upgrades it")
      }
      if document.lostHistory { log.warning("the history in \(path) cannot be read; nothing can be undone") }
      for entry in document.leftOut { log.warning("\(entry) in \(path) cannot be read, and is left out") }
      return document
    } catch {
      switch error {
      case .version(let version):
        setAside(
          because:
            "it has version \(version); this program supports versions up to \(StateDocument.currentVersion)")
      case .foreign: setAside(because: "it is damaged, or not a flipclock state file")
      }
      return nil
    }
  }

  /// Returns the finished matches; see `FinishedStore.load`.
  func loadFinished() -> FinishedMatches { finished?.load(limit: Self.sizeLimit) ?? FinishedMatches() }

  private func setAside(because reason: String) {
    SetAsideFiles(of: path).setAside(because: reason, log: log)
  }

  /// Saves a wall as of `moment`. `completion` is called when it and its finished matches are durable, or
  /// when saving failed.
  ///
  /// - Parameter isUrgent: whether to write at once, without waiting for the minimum interval between writes.
  func save(
    _ wall: SavedWall, at moment: Moment = .now, isUrgent: Bool = false,
    completion: @escaping (Result<Void, SystemError>) -> Void
  ) {
    let completion = { [weak self] (result: Result<Void, SystemError>) in
      self?.ended(result)
      completion(result)
    }
    if let unreadable { return completion(.failure(unreadable)) }
    do throws(DirectoryLock.Failure) {
      try open()
    } catch {
      return completion(.failure(error.systemError(directory)))
    }
    guard let bytes = try? document.bytes(of: wall, at: moment) else {
      completion(.failure(SystemError("encode", path, errno: Errno(rawValue: EINVAL))))
      return
    }
    // A start compares the two files (`FinishedMatches.update`), so they may be written in any order.
    var first: Result<Void, SystemError>?
    let both = { (result: Result<Void, SystemError>) in
      if case .failure? = first { return completion(first ?? result) }
      if first != nil { completion(result) }
      first = result
    }
    finished?.save(wall.finished, isUrgent: isUrgent, completion: both)
    writer?.submit(bytes, isUrgent: isUrgent, completion: both)
  }

  private func ended(_ result: Result<Void, SystemError>) {
    if case .failure = result {
      // A directory that was removed is made again, and locked.
      var status = stat()
      if stat("\(directory)/\(DirectoryLock.fileName)", &status) != 0, [ENOENT, ENOTDIR].contains(errno) {
        lock = nil
      }
    }
    retry.ended(result)
  }

  /// Waits until everything is saved. Tries once more to save what could not be saved.
  func close() {
    flush()
    if retry.unsaved != nil {
      retry.saveAgain()
      flush()
    }
    retry.close()
    writer?.close()
    finished?.close()
  }

  private func flush() {
    finished?.flush()
    writer?.flush()
  }
}

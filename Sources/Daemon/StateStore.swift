// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Scoreboard

/// Keeps the match over restarts and power cuts, in one JSON file that is replaced as a whole. One process
/// has the directory at a time.
final class StateStore {
  let path: String
  private let directory: String
  private let loop: EventLoop
  private let log: Log
  /// Kept with the match, where it was set by hand.
  var brightness: StateDocument.Brightness?
  private var writer: DurableWriter?
  private var lock: DirectoryLock?
  private var document = StateWriter()
  /// There is a state that could not be read: it must not be written over.
  private var unreadable: SystemError?

  /// A state of this program has at most some 300 KiB (`StateDocument.historyBytes`); what is larger is not one.
  private static let sizeLimit = 1 << 20

  /// Fails when another process has the directory: its scores and these would overwrite each other.
  init(directory: String, on loop: EventLoop, log: Log) throws(StartFailure) {
    self.directory = directory
    self.loop = loop
    self.log = log
    path = directory + "/state.json"
    do throws(DirectoryLock.Failure) {
      try open()
    } catch {
      switch error {
      case .held: throw StartFailure(Self.text(of: error, directory), exitCode: EX_TEMPFAIL)
      case .system(let error): log.error("scores will not survive a restart: \(error)")
      }
    }
  }

  private static func text(of failure: DirectoryLock.Failure, _ directory: String) -> String {
    switch failure {
    case .system(let error): return "\(error)"
    case .held(let pid, let program):
      var holder = "another daemon"
      if let pid { holder = "\(program ?? "a daemon") (process \(pid))" }
      return "\(holder) uses the state directory \(directory); stop it, or choose another with --state-dir"
    }
  }

  /// Makes the directory and the writer; what failed at the start (a disk that is mounted late) is tried
  /// again with every save.
  private func open() throws(DirectoryLock.Failure) {
    guard writer == nil else { return }
    if lock == nil {
      do throws(SystemError) {
        try makeDirectories(
          directory, mode: 0o750, hint: "give a directory that can be written with --state-dir")
      } catch {
        throw .system(error)
      }
      lock = try DirectoryLock(directory)
      cleanUp()
    }
    do throws(SystemError) {
      writer = try DurableWriter(path: path, mode: 0o640, on: loop)
    } catch {
      throw .system(error)
    }
  }

  /// Removes what earlier runs left: the temporary files of writes that were cut short, and old files that
  /// were set aside.
  private func cleanUp() {
    let count = AtomicFile.removeTemporaries(in: directory)
    if count > 0 { log.info("removed \(count) temporary file\(count == 1 ? "" : "s") from \(directory)") }
    SetAsideFiles(of: path).prune(log: log)
  }

  /// What was saved last; nil when there is nothing. What cannot be read is set aside under another
  /// name, with a line in the log.
  func load() -> StateDocument? {
    let bytes: [UInt8]
    do {
      bytes = try readFile(path, limit: Self.sizeLimit)
    } catch {
      if error.errno.rawValue == ENOENT { return nil }
      // Too long, or no file at all: no later start could read it, and no score be saved while it is there.
      if [EFBIG, EISDIR, EINVAL].contains(error.errno.rawValue) {
        setAside(because: "it is no state of this program: \(error)")
        return nil
      }
      // It may be whole: a later start can read it, if nothing is written over it.
      unreadable = error
      log.error("the saved scores cannot be read and are left as they are: \(error)")
      return nil
    }
    do throws(StateDocument.Failure) {
      let document = try StateDocument(reading: bytes)
      if document.version < StateDocument.currentVersion {
        log.info("the state file is of version \(document.version); the next change writes it anew")
      }
      if document.lostHistory { log.warning("what could be undone is lost: \(path) has it in another form") }
      brightness = document.brightness
      return document
    } catch {
      switch error {
      case .version(let version):
        setAside(because: "it is of version \(version), this program knows \(StateDocument.currentVersion)")
      case .foreign: setAside(because: "it is torn, or not a state of this program")
      }
      return nil
    }
  }

  private func setAside(because reason: String) {
    let files = SetAsideFiles(of: path)
    let aside = files.freeName(at: SystemClock.realtime.now.seconds)
    if rename(path, aside) == 0 {
      log.warning("the state file \(path) was set aside as \(aside): \(reason)")
      files.prune(log: log)
    } else {
      log.warning("the state file \(path) is not used: \(reason)")
    }
  }

  /// Saves `match` as it is at `moment`; `completion` comes when it is on the disk, or cannot be put there.
  func save(
    _ match: Match, at moment: StateDocument.Moment = .now,
    completion: @escaping (Result<Void, SystemError>) -> Void
  ) {
    if let unreadable { return completion(.failure(unreadable)) }
    do throws(DirectoryLock.Failure) {
      try open()
    } catch {
      let hint = if case .held = error { Self.text(of: error, directory) } else { String?.none }
      if case .system(let error) = error { return completion(.failure(error)) }
      return completion(.failure(SystemError("flock", directory, errno: Errno(rawValue: EBUSY), hint: hint)))
    }
    guard let bytes = try? document.bytes(of: match, at: moment, brightness: brightness) else {
      completion(.failure(SystemError("encode", path, errno: Errno(rawValue: EINVAL))))
      return
    }
    writer?.submit(bytes, completion: completion)
  }

  /// Waits for what was submitted.
  func close() {
    writer?.flush()
    writer?.close()
  }
}

extension StateDocument.Moment {
  static var now: StateDocument.Moment {
    StateDocument.Moment(
      clock: SystemClock.monotonic.now.totalNanoseconds, wall: SystemClock.realtime.now.totalNanoseconds)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Scoreboard

/// Keeps the match over restarts and power cuts, in one JSON file that is replaced as a whole.
final class StateStore {
  let path: String
  private let directory: String
  private let loop: EventLoop
  private let log: Log
  /// Kept with the match, where it was set by hand.
  var brightness: StateDocument.Brightness?
  private var writer: DurableWriter?
  private var document = StateWriter()
  /// There is a state that could not be read: it must not be written over.
  private var unreadable: SystemError?

  /// A state of this program has at most some 300 KiB (`StateDocument.historyBytes`); what is larger is not one.
  private static let sizeLimit = 1 << 20

  init(directory: String, on loop: EventLoop, log: Log) {
    self.directory = directory
    self.loop = loop
    self.log = log
    path = directory + "/state.json"
    do throws(SystemError) {
      try open()
    } catch {
      log.error("scores will not survive a restart: \(error)")
    }
  }

  /// Makes the directory and the writer; what failed at the start (a disk that is mounted late) is tried
  /// again with every save.
  private func open() throws(SystemError) {
    guard writer == nil else { return }
    try makeDirectories(directory, mode: 0o750, hint: "give a directory that can be written with --state-dir")
    writer = try DurableWriter(path: path, mode: 0o640, on: loop)
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
    let aside = "\(path).bad-\(SystemClock.realtime.now.seconds)"
    if rename(path, aside) == 0 {
      log.warning("the state file \(path) was set aside as \(aside): \(reason)")
    } else {
      log.warning("the state file \(path) is not used: \(reason)")
    }
  }

  /// Saves `match` as it is at `moment`; `completion` comes when it is on the disk, or cannot be put there.
  func save(
    _ match: Match, at moment: StateDocument.Moment = .now,
    completion: @escaping (Result<Void, SystemError>) -> Void
  ) {
    do throws(SystemError) {
      if let unreadable { throw unreadable }
      try open()
    } catch {
      completion(.failure(error))
      return
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

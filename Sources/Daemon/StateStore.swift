// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LinuxSystem
import Scoreboard

/// Keeps the scoreboard over restarts and power cuts, in one JSON file that is replaced as a whole.
final class StateStore {
  /// The file's shape. A file of another version is set aside, not guessed at.
  private struct Document: Codable {
    static let currentVersion = 1
    var version: Int
    var scoreboard: Scoreboard
  }

  let path: String
  private let log: Log
  private var writer: DurableWriter?
  private var unusable: SystemError?

  /// A state of this program is a few hundred bytes; what is larger is not one.
  private static let sizeLimit = 1 << 20

  init(directory: String, on loop: EventLoop, log: Log) {
    path = directory + "/state.json"
    self.log = log
    do {
      try Self.makeDirectory(directory)
      writer = try DurableWriter(path: path, mode: 0o640, on: loop)
    } catch {
      unusable = error
      log.error("scores will not survive a restart: \(error)")
    }
  }

  /// What was saved last; nil when there is nothing. What cannot be read is set aside under another
  /// name, with a line in the log.
  func load() -> Scoreboard? {
    let bytes: [UInt8]
    do {
      bytes = try readFile(path, limit: Self.sizeLimit)
    } catch {
      if error.errno.rawValue == ENOENT { return nil }
      setAside(because: "\(error)")
      return nil
    }
    do {
      let document = try JSONDecoder().decode(Document.self, from: Data(bytes))
      guard document.version == Document.currentVersion else {
        setAside(because: "it is of version \(document.version), this program knows \(Document.currentVersion)")
        return nil
      }
      return document.scoreboard
    } catch {
      setAside(because: "it is torn, or not a state of this program")
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

  /// Saves `scoreboard`; `completion` comes when it is on the disk, or cannot be put there.
  func save(_ scoreboard: Scoreboard, completion: @escaping (Result<Void, SystemError>) -> Void) {
    guard let writer else {
      let error = unusable ?? SystemError("write", path, errno: Errno(rawValue: EIO))
      completion(.failure(error))
      return
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    let document = Document(version: Document.currentVersion, scoreboard: scoreboard)
    guard let data = try? encoder.encode(document) else {
      completion(.failure(SystemError("encode", path, errno: Errno(rawValue: EINVAL))))
      return
    }
    writer.submit([UInt8](data) + [UInt8(ascii: "\n")], completion: completion)
  }

  /// Waits for what was submitted.
  func close() {
    writer?.flush()
    writer?.close()
  }

  /// Makes the directory and those above it.
  private static func makeDirectory(_ path: String) throws(SystemError) {
    var partial = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      partial += "/" + part
      if mkdir(partial, 0o750) != 0, errno != EEXIST {
        throw SystemError("mkdir", partial, hint: "give a directory that can be written with --state-dir")
      }
    }
  }
}

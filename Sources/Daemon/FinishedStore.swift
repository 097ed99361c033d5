// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LinuxSystem
import WallState

/// Keeps the finished matches across restarts and power cuts, in the file `matches.json` of the state
/// directory, which is replaced atomically. It is a file of its own, so that not every change of the match
/// writes all of them.
final class FinishedStore {
  let path: String
  private let writer: DurableWriter
  private let log: Log
  /// What is in the file.
  private var saved = FinishedMatches()
  /// How many saves have not ended.
  private var pending = 0
  /// Whether the file could not be read and must not be overwritten.
  private var isUnreadable = false

  /// - Parameter check: called before each step of a save, on the writer's thread.
  init(
    directory: String, on loop: EventLoop, log: Log, before check: @escaping AtomicFile.Check
  ) throws(SystemError) {
    path = directory + "/matches.json"
    self.log = log
    writer = try DurableWriter(path: path, mode: 0o640, before: check, on: loop)
    SetAsideFiles(of: path).prune(log: log)
  }

  /// Returns the saved matches; none if the file cannot be used. A file that can never be used is set aside
  /// under another name; after any other error of reading it, no finished matches are saved. Both are logged.
  ///
  /// - Parameter limit: the maximum size of the file, in bytes.
  func load(limit: Int) -> FinishedMatches {
    do {
      saved = try JSONReader.read(try readFile(path, limit: limit)).decoded(as: FinishedMatches.self)
    } catch let error as SystemError where error.errno.rawValue == ENOENT {
    } catch let error as SystemError where !SetAsideFiles.mustSetAside(error) {
      isUnreadable = true
      log.error("the finished matches cannot be read, so new ones are not saved in their place: \(error)")
    } catch {
      SetAsideFiles(of: path).setAside(
        because: "it is damaged, or not a list of finished matches of flipclock", log: log)
    }
    return saved
  }

  /// Saves the matches, if the file has others. `completion` is called when they are durable, or when saving
  /// failed.
  func save(
    _ matches: FinishedMatches, isUrgent: Bool, completion: @escaping (Result<Void, SystemError>) -> Void
  ) {
    guard !isUnreadable, matches != saved || pending > 0 else { return completion(.success(())) }
    guard let bytes = try? JSONValue(encoding: matches).bytes else {
      return completion(.failure(SystemError("encode", path, errno: Errno(rawValue: EINVAL))))
    }
    pending += 1
    writer.submit(bytes + Array("\n".utf8), isUrgent: isUrgent) { [weak self] result in
      self?.pending -= 1
      if case .success = result { self?.saved = matches }
      completion(result)
    }
  }

  func flush() { writer.flush() }
  func close() { writer.close() }
}

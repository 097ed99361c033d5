// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Typography

/// The fonts of the stages. Keeps fontconfig's matches in the state directory, because asking fontconfig
/// takes longer than everything else that happens at a start.
final class FontStore {
  private(set) var library: FontLibrary
  private let path: String
  private let log: Log
  /// The cache that `saveMatches` last wrote or tried to write.
  private var written: [UInt8]?

  private static let sizeLimit = 1 << 20

  init(directory: String, log: Log) {
    path = directory + "/fonts"
    self.log = log
    library = Self.library(path, log)
  }

  private static func library(_ path: String, _ log: Log) -> FontLibrary {
    // Without the file, or if it is damaged, fontconfig is asked.
    let cache = (try? readFile(path, limit: sizeLimit)) ?? []
    return FontLibrary(matchCache: cache) { log.warning($0) }
  }

  /// Finds fonts that were installed since the last call, and warns again about missing ones.
  func renew() { library = Self.library(path, log) }

  /// Writes the matches if they have changed. Does not wait for the disk; a damaged file is ignored when it
  /// is read.
  func saveMatches() {
    guard let cache = library.matchCacheToSave, cache != written else { return }
    written = cache
    do throws(SystemError) {
      try AtomicFile.write(cache, to: path, isDurable: false)
    } catch {
      log.info("the font cache for the next start was not written: \(error)")
    }
  }
}

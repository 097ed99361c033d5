// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Typography

/// The fonts of the stages. What fontconfig answered lies in the state directory, so that a start need not ask it:
/// that takes longer than all else that a start does.
final class FontStore {
  private(set) var library: FontLibrary
  private let path: String
  private let log: Log
  /// What was written, or could not be.
  private var written: [UInt8]?

  private static let sizeLimit = 1 << 20

  init(directory: String, log: Log) {
    path = directory + "/fonts"
    self.log = log
    library = Self.library(path, log)
  }

  private static func library(_ path: String, _ log: Log) -> FontLibrary {
    // Without it, or with what cannot be read, fontconfig is asked.
    let answers = (try? readFile(path, limit: sizeLimit)) ?? []
    return FontLibrary(matchCache: answers) { log.warning($0) }
  }

  /// A font that was installed since is found, and what is still missing is said again.
  func renew() { library = Self.library(path, log) }

  /// Writes down what fontconfig was asked since the last time. The disk is not waited for: what is torn is not
  /// used.
  func keepAnswers() {
    guard let answers = library.matchCacheToSave, answers != written else { return }
    written = answers
    do throws(SystemError) {
      try AtomicFile.write(answers, to: path, isDurable: false)
    } catch {
      log.info("the places of the fonts are not kept for the next start: \(error)")
    }
  }
}

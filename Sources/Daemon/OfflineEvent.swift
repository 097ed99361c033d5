// SPDX-License-Identifier: Apache-2.0

import Commands
import Glibc

extension OfflineRenderer {
  /// A change that is made at a given time while frames are rendered.
  public struct Event: Hashable, Sendable {
    /// Seconds after the start.
    public var seconds: Double
    let change: Change

    /// `SECONDS COMMAND`, e.g. `1.5 set-score home 3`.
    public init(parsing text: String) throws(StartFailure) {
      func refuse(_ why: String) -> StartFailure {
        StartFailure(
          "event '\(text.printable)': \(why); write a time and a command, e.g. '1.5 set-score home 3'",
          exitCode: EX_USAGE)
      }
      let words = text.split(separator: " ", maxSplits: 1)
      guard let time = words.first else { throw refuse("it is empty") }
      guard let seconds = Double(String(time)), seconds.isFinite, (0...86_400).contains(seconds) else {
        throw refuse("'\(time)' is not a time in seconds, 0 to 86400")
      }
      self.seconds = seconds
      do throws(UsageError) {
        change = try Change(parsing: words.count == 2 ? String(words[1]) : "", on: .event)
      } catch {
        throw refuse(error.line)
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Control
import Glibc

extension OfflineRenderer {
  /// Something that happens while the frames run: a moment, and a command in flipclockctl's words, as keys have
  /// it.
  public struct Event: Hashable, Sendable {
    /// After the start.
    public var seconds: Double
    let command: ControlCommand

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
      do throws(UnusableCommand) {
        command = try ControlCommand(parsing: words.count == 2 ? String(words[1]) : "")
      } catch {
        throw refuse(error.description)
      }
    }
  }
}

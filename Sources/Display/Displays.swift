// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// The displays of the machine, or one in memory or in a terminal.
package protocol Displays: AnyObject {
  var traits: DisplayTraits { get }
  /// The connected displays, and those that were used before but are missing now.
  var outputs: [any Output] { get }
  /// Bytes written by all outputs since the start, including outputs that were removed.
  var bytesCopied: UInt64 { get }
  /// Whether the keyboards of this machine belong to this program's user: false while another virtual
  /// terminal is active.
  var hasKeyboard: Bool { get }
  /// Whether displays that appear later are blank. Setting it also sets all outputs.
  var isBlank: Bool { get set }

  /// Starts looking for displays. `handler` receives all events, never from inside a call to this object or
  /// to an output. Throws only for errors that waiting cannot resolve.
  func start(handler: @escaping (DisplayEvent) -> Void) throws(SystemError)

  /// Applies a changed configuration. `.connected` follows for each output whose picture must be drawn again.
  func apply(_ preferences: OutputPreferences)

  /// Called when the machine runs again after a suspend: displays and their memory may have lost their state.
  /// `.connected` follows for each output that is set again.
  func resumed()

  /// Restores the displays to their original state and ends the work. No event follows.
  func stop()
}

package enum DisplayEvent {
  case output(any Output, OutputEvent)
  /// There is no display at all at the moment. The search goes on until there is one, unless the traits
  /// contain `endsWithDisplay`.
  case none(reason: String)
}

/// Differences between displays that the caller must respect. They do not change during the displays'
/// lifetime.
package struct DisplayTraits: OptionSet, Hashable, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// The picture is drawn on the process's terminal. Nothing else may be written there, and SIGHUP means that
  /// the terminal was closed.
  package static let usesTerminal = DisplayTraits(rawValue: 1)
  /// A display that is gone does not return.
  package static let endsWithDisplay = DisplayTraits(rawValue: 2)
  /// The displays themselves log when a display is connected or lost, and why. The caller must not log it
  /// again.
  package static let logsDisplays = DisplayTraits(rawValue: 4)
}

/// An output that needs no graphics card.
package protocol StandaloneOutput: Output {
  var traits: DisplayTraits { get }

  /// Like `Displays.start`, for this output.
  func start(handler: @escaping (OutputEvent) -> Void) throws(SystemError)
  func apply(_ preferences: OutputPreferences)
  func stop()
}

/// A fixed list of outputs, such as one in memory.
package final class FixedDisplays: Displays {
  private let fixed: [any StandaloneOutput]

  package init(_ outputs: [any StandaloneOutput]) { fixed = outputs }

  package var outputs: [any Output] { fixed }

  package var bytesCopied: UInt64 { fixed.reduce(0) { $0 &+ $1.statistics.bytesCopied } }

  package var traits: DisplayTraits { fixed.first?.traits ?? [] }

  package var hasKeyboard: Bool { true }

  package var isBlank = false {
    didSet { for output in fixed { output.isBlank = isBlank } }
  }

  package func start(handler: @escaping (DisplayEvent) -> Void) throws(SystemError) {
    for output in fixed {
      try output.start { [weak self, weak output] event in
        guard let self, let output else { return }
        handler(.output(output, event))
        guard case .disconnected(let reason) = event else { return }
        if self.fixed.allSatisfy({ $0.description == nil }) { handler(.none(reason: reason)) }
      }
    }
  }

  package func apply(_ preferences: OutputPreferences) {
    for output in fixed { output.apply(preferences.applying(preferences.rules.rule(for: output.name))) }
  }

  /// Memory and terminals keep their content.
  package func resumed() {}

  package func stop() { for output in fixed { output.stop() } }
}

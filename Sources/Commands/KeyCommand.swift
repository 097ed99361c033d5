// SPDX-License-Identifier: Apache-2.0

/// What a key of the config's `[input]` does.
package enum KeyCommand: Hashable, Sendable {
  case change(Change)
  /// Has flipclock-host change the machine's network.
  case network(HostRequest)

  /// Reads the words of a key.
  package init(parsing text: String) throws(UsageError) {
    self = try CommandTable.read(text, on: .key) { KeyCommand($0) }
  }

  /// Nil: the command changes nothing.
  private init?(_ invocation: Invocation) {
    switch invocation {
    case .request(.command(.change(let change))): self = .change(change)
    case .network(let request) where request != .state: self = .network(request)
    default: return nil
    }
  }
}

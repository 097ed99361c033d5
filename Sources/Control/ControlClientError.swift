// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// Why a call did not succeed.
public enum ControlClientError: Error, Hashable, Sendable {
  /// No daemon answers at any of these places; each with why.
  case unreachable([SystemError])
  /// The connection broke or a system call failed under way.
  case broken(SystemError)
  /// The daemon closed the connection before it replied.
  case disconnected
  /// The daemon closed the connection on which it told changes.
  case streamEnded
  case timedOut(seconds: Int)
  /// What came is no Varlink reply.
  case malformedReply(String)
  /// The daemon answered with an error.
  case refused(ControlError)
}

extension ControlClientError: CustomStringConvertible {
  /// One line for a person: what failed, on which path, why, and what to try.
  public var description: String {
    switch self {
    case .unreachable(let errors): Self.unreachable(errors)
    case .broken(let error): "lost the connection: \(error)"
    case .disconnected:
      "the daemon closed the connection without a reply; look for why in 'journalctl -u flipclockd'"
    case .streamEnded:
      "no more changes will be told: flipclockd has stopped, or this reader was too slow for it; "
        + "'systemctl status flipclockd' tells"
    case .timedOut(let seconds):
      "no reply within \(seconds) s; is the daemon stuck? 'systemctl status flipclockd' tells"
    case .malformedReply(let reason): "the reply is not understood: \(reason); is this flipclockd's socket?"
    case .refused(let error): error.message
    }
  }

  private static func unreachable(_ errors: [SystemError]) -> String {
    // A socket that is there tells more than one that is not.
    guard let telling = errors.first(where: { $0.errno.rawValue != ENOENT }) ?? errors.last else {
      return "no socket to connect to"
    }
    var paths = telling.subject ?? ""
    if errors.allSatisfy({ $0.errno.rawValue == ENOENT }) {
      paths = errors.compactMap(\.subject).joined(separator: " or ")
    }
    var text = "cannot connect to \(paths): \(telling.errno)"
    if let hint = telling.hint ?? hint(telling.errno.rawValue) { text += "; \(hint)" }
    return text
  }

  private static func hint(_ errno: Int32) -> String? {
    switch errno {
    case ENOENT:
      "is flipclockd running? 'systemctl start flipclockd' starts it, --socket names another place"
    case ECONNREFUSED:
      "the socket is there but nobody listens: 'systemctl restart flipclockd', or remove a stale file"
    case EACCES, EPERM:
      "only members of group 'flipclock' may connect: 'sudo usermod -aG flipclock $USER', then log in again"
    case EAGAIN, ETIMEDOUT: "the daemon takes no connections: 'systemctl status flipclockd' tells more"
    case ENOTSOCK, ECONNRESET, EPROTOTYPE, ENOTDIR: "that is not flipclockd's socket"
    default: nil
    }
  }
}

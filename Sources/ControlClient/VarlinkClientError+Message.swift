// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Glibc
import LinuxSystem
import VarlinkSockets

extension VarlinkClientError {
  /// One line for a person: what failed, on which path, why, and what to try.
  package var message: String {
    switch self {
    case .unreachable(let errors): Self.unreachable(errors)
    case .broken(let error): "lost the connection: \(error)"
    case .disconnected:
      "the daemon closed the connection without a reply; 'journalctl -u flipclockd' may say why"
    case .streamEnded:
      "the daemon ended the stream: flipclockd has stopped, or this reader was too slow; "
        + "'systemctl status flipclockd' shows more"
    case .timedOut(let seconds):
      "no reply within \(seconds) s; is the daemon stuck? 'systemctl status flipclockd' shows more"
    case .malformedReply(let reason): "unexpected reply: \(reason); is this flipclockd's socket?"
    case .refused(let error): ControlError(error).message
    }
  }

  private static func unreachable(_ errors: [SystemError]) -> String {
    // ENOENT means only that a socket is missing. Any other error is more helpful.
    guard let relevant = errors.first(where: { $0.errno.rawValue != ENOENT }) ?? errors.last else {
      return "no socket to connect to"
    }
    var paths = relevant.subject ?? ""
    if errors.allSatisfy({ $0.errno.rawValue == ENOENT }) {
      paths = errors.compactMap(\.subject).joined(separator: " or ")
    }
    var text = "cannot connect to \(paths): \(relevant.errno)"
    if let hint = relevant.hint {
      text += "; \(hint)"
      if relevant.errno.rawValue != ENAMETOOLONG { text += "; are --socket and $FLIPCLOCK_SOCKET right?" }
    } else if let hint = hint(relevant.errno.rawValue) {
      text += "; \(hint)"
    }
    return text
  }

  private static func hint(_ errno: Int32) -> String? {
    switch errno {
    case ENOENT:
      "is flipclockd running? 'systemctl start flipclockd' starts it, --socket names another place"
    case ECONNREFUSED:
      "the socket exists but nobody listens: 'systemctl restart flipclockd', or remove a stale file"
    case EACCES, EPERM:
      "only members of group 'flipclock' may connect: 'sudo usermod -aG flipclock $USER', then log in again"
    case EAGAIN, ETIMEDOUT:
      "the daemon does not accept connections: 'systemctl status flipclockd' shows more"
    case ENOTSOCK, ECONNRESET, EPROTOTYPE, ENOTDIR: "that is not flipclockd's socket"
    default: nil
    }
  }
}

extension SystemError {
  /// Whether the other side has closed the connection.
  var isDisconnection: Bool { [ECONNRESET, EPIPE].contains(errno.rawValue) }
}

// SPDX-License-Identifier: Apache-2.0

import ControlClient
import Glibc
import LinuxSystem
import Varlink
import VarlinkSockets

extension VarlinkClientError {
  /// One line for people: what failed in a call of another program than the daemon, and what to try.
  ///
  /// - Parameters:
  ///   - unit: the unit of systemd that starts the program.
  ///   - refusal: describes an error of the program's interface.
  func message(
    calling program: String, startedBy unit: String, _ refusal: (VarlinkError) -> String?
  ) -> String {
    switch self {
    case .unreachable(let errors):
      let shown = errors.first { $0.errno.rawValue != ENOENT } ?? errors.last
      let hint =
        switch shown?.errno.rawValue {
        case EACCES, EPERM: "only members of group 'flipclock' may connect"
        default: "'systemctl enable --now \(unit)' starts \(program)"
        }
      let reason = shown.map { "\($0.subject ?? "it"): \($0.errno)" } ?? "no socket"
      return "cannot connect to \(program) at \(reason); \(hint)"
    case .refused(let error): return refusal(error) ?? message
    case .malformedReply(let reason): return "unexpected reply: \(reason); is this \(program)'s socket?"
    case .broken(let error): return "lost the connection with \(program): \(error)"
    case .disconnected, .streamEnded:
      return "\(program) closed the connection; 'journalctl -u \(program)' may say why"
    case .timedOut(let seconds):
      return "no reply within \(seconds) s; 'systemctl status \(program)' shows more"
    }
  }
}

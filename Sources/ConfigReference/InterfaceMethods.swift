// SPDX-License-Identifier: Apache-2.0

import ControlCalls

/// The methods of org.flipclock.Control, for its interface file.
enum InterfaceMethods {
  static var text: String {
    var lines: [String] = []
    for method in ControlInterface.methods {
      if let text = method.text {
        if !lines.isEmpty { lines.append("") }
        lines += text.split(separator: "\n", omittingEmptySubsequences: false).map {
          $0.isEmpty ? "" : "# \($0)"
        }
      }
      lines += declaration(of: method)
    }
    return lines.joined(separator: "\n")
  }

  /// The declaration: on one line if it fits, or else with each parameter of the reply on a line of its own.
  private static func declaration(of method: ControlMethod) -> [String] {
    let head = "method \(method.name)(\(method.parameters)) -> ("
    let line = "\(head)\(method.reply))"
    guard line.count > 110 else { return [line] }
    return [head] + method.reply.replacing(", ", with: ",\n").split(separator: "\n").map { "  \($0)" } + [")"]
  }
}

// SPDX-License-Identifier: Apache-2.0

/// What `--help` prints.
package enum Help {
  private static let width = 80

  package static var overview: String {
    let rows = CommandTable.rows.filter { !$0.isHidden }
    return """
      OVERVIEW: Tell flipclockd what to show, and ask what it shows.

      USAGE: flipclockctl [--socket <path>] [--json] <command> [<argument> ...]

      The socket is that of --socket, else $FLIPCLOCK_SOCKET, else
      /run/flipclock/control.sock, else $XDG_RUNTIME_DIR/flipclock/control.sock.

      OPTIONS:
      \(list(CommandTable.commonOptions + [CommandTable.version]))

      COMMANDS:
      \(list(rows))

      EXIT STATUS: 0 success; 1 the daemon cannot be reached, or a file cannot be
      written; 2 the daemon refused, or doctor found a problem; 64 wrong usage; 78 the
      config has errors.

      'flipclockctl help <command>' describes a command.

      """
  }

  /// - Parameter common: options that are allowed besides those of the row.
  package static func text<Meaning>(
    _ row: CommandRow<Meaning>, of program: String = "flipclockctl",
    common: [CommandOption] = CommandTable.commonOptions
  ) -> String {
    var parts = [
      "OVERVIEW: \(row.summary)",
      "USAGE: " + row.forms.map { "\(program) \($0)" }.joined(separator: "\n       "),
    ]
    if let discussion = row.discussion { parts.append(wrapped(discussion, indent: 0)) }
    if !row.operands.isEmpty {
      parts.append("ARGUMENTS:\n" + list(row.operands.map { ("<\($0.name)>", $0.help) }))
    }
    parts.append("OPTIONS:\n" + list(row.options + common))
    if !row.examples.isEmpty {
      parts.append("EXAMPLES:\n" + row.examples.map { "  \(program) \($0)" }.joined(separator: "\n"))
    }
    return parts.joined(separator: "\n\n") + "\n"
  }

  /// Commands and what they do.
  package static func list<Meaning>(_ rows: [CommandRow<Meaning>]) -> String {
    list(rows.map { ($0.verb, $0.summary) })
  }

  package static func list(_ options: [CommandOption]) -> String { list(options.map(entry)) }

  private static func entry(_ option: CommandOption) -> (String, String) {
    let name = option.name == "--help" ? "-h, --help" : option.name
    return (option.value.map { "\(name) <\($0)>" } ?? name, option.help)
  }

  /// The entries in two columns.
  private static func list(_ entries: [(name: String, help: String)]) -> String {
    let column = (entries.map(\.name.count).max() ?? 0) + 4
    return entries.map { entry in
      let name = "  " + entry.name
      let help = wrapped(entry.help, indent: column).dropFirst(column)
      return name + String(repeating: " ", count: column - name.count) + help
    }.joined(separator: "\n")
  }

  /// Lines of at most 80 columns.
  private static func wrapped(_ text: String, indent: Int) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    let margin = String(repeating: " ", count: indent)
    return (lines + [line]).map { margin + $0 }.joined(separator: "\n")
  }
}

// SPDX-License-Identifier: Apache-2.0

extension CommandTable {
  static let countdown: CommandSyntax = CommandSyntax(
    verb: "countdown",
    usage: [
      "<countdown> <time> [--label <text>] [--show] [--from <name>]",
      "<countdown> --until <hh:mm> [--label <text>] [--show] [--from <name>]",
      "<countdown> --pause|--resume|--toggle|--clear", "<countdown> --add <time>", "",
    ],
    summary: "Set or control a countdown with a name, or print all.",
    discussion: """
      A countdown is shown by the widgets of type 'timer' that have its name. A time is '15:00', '90s' or '1h30min'. \
      '--until 19:30' counts down to the next time at which the wall's clock shows 19:30. Setting a countdown again \
      replaces it. It goes on after a restart. More words belong to the label, as a key has no quotes. Without arguments, \
      'countdown' prints the countdowns.
      """,
    operands: [
      .init(name: "countdown", help: "Its name: letters, digits, '-' and '_'.", isOptional: true),
      .init(name: "time", help: "How long it runs: 15:00.", isOptional: true, isRepeated: true),
    ],
    options: [
      .init(
        name: "--until", value: "hh:mm", help: "The time of day at which it ends.",
        examples: ["12:00", "19:30"]),
      .init(name: "--label", value: "text", help: "The text above it, up to 40 characters."),
      .init(name: "--show", help: "Show the page that has it."),
      .init(name: "--from", value: "name", help: "Who or what sets it, for 'status'."),
      .init(name: "--pause", help: "Stop it where it is."),
      .init(name: "--resume", help: "Let it go on."),
      .init(name: "--toggle", help: "Resume it if it is paused, and pause it if it runs."),
      .init(
        name: "--add", value: "time", help: "Make it longer, or shorter with -1:00.",
        examples: ["1:00", "5:00", "-1:00"]),
      .init(name: "--clear", help: "Remove it."),
    ],
    examples: [
      "countdown doors 15:00 --label \"DOORS OPEN\"", "countdown doors --until 19:30 --show",
      "countdown doors --pause", "countdown doors --add -1:00", "countdown doors --clear", "countdown",
    ], surfaces: .all,
    completion: { $0.isEmpty ? [.names(.countdowns, "countdown")] : [] },
    parse: { arguments throws(UsageError) in
      guard let name = arguments.operands.first else {
        guard !arguments.hasAny(of: countdown.options) else {
          throw UsageError("which countdown? 'countdown doors 15:00'")
        }
        return .request(.command(.countdowns))
      }
      return .request(.command(.change(try countdownChange(name, arguments))))
    })

  private static func countdownChange(
    _ name: String, _ arguments: Arguments
  ) throws(UsageError) -> Change {
    let end = try arguments.value("--until", "a time of day such as 19:30", TimeOfDay.second)
    var words = arguments.operands.dropFirst()
    let isTime = (words.first.flatMap { try? milliseconds($0) }) != nil
    let time = end == nil || isTime ? words.popFirst() : nil
    let source = try arguments.text("--from")
    // A label without quotes is several words.
    words = [try arguments.text("--label")].compactMap { $0 } + words
    let label = words.isEmpty ? nil : words.joined(separator: " ")
    var wanted: [Change] = []
    if let time {
      wanted.append(.setCountdown(name, CountdownSetting(.after(try milliseconds(time)), label: label)))
    }
    if let end { wanted.append(.setCountdown(name, CountdownSetting(.timeOfDay(end), label: label))) }
    for (option, control) in [
      ("--pause", CountdownControl.pause), ("--resume", .resume), ("--toggle", .toggle),
    ] where arguments.has(option) {
      wanted.append(.controlCountdown(name, control))
    }
    if let word = arguments["--add"] { wanted.append(.controlCountdown(name, .add(try signed(word)))) }
    if arguments.has("--clear") { wanted.append(.clearCountdown(name)) }
    guard let change = wanted.first, wanted.count == 1 else {
      throw UsageError(
        wanted.isEmpty
          ? "missing <time>: 'countdown \(name.printable) 15:00'"
          : "a time, --until, --pause, --resume, --toggle, --add and --clear exclude each other")
    }
    guard case .setCountdown(_, var setting) = change else {
      guard label == nil, source == nil, !arguments.has("--show") else {
        throw UsageError(
          "--label, --from and --show belong to a countdown that is set: give a time or --until")
      }
      return change
    }
    (setting.source, setting.showsPage) = (source, arguments.has("--show"))
    return .setCountdown(name, setting)
  }

  /// Reads a time that may have a sign, in milliseconds.
  private static func signed(_ word: String) throws(UsageError) -> Int {
    let time = try milliseconds(isRelative(word) ? String(word.dropFirst()) : word)
    return word.hasPrefix("-") ? -time : time
  }
}

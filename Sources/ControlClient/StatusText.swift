// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON

/// `flipclockctl status` for people. It reads JSON, so that it accepts the status of an older or newer
/// daemon: missing parts are left out.
enum StatusText {
  static func table(of status: JSONValue) -> String {
    var rows: [(String, String)] = []
    add(daemon(status), named: ["flipclockd"], to: &rows)
    add(cost(status["cost"]), named: ["cost"], to: &rows)
    add(config(status["config"]), named: ["config"], to: &rows)
    add(saving(status["unsaved"]), named: ["saving"], to: &rows)
    if status["timeUnconfirmed"]?.bool == true {
      add(["nothing has confirmed the time since the machine started"], named: ["time"], to: &rows)
    }
    let outputs = status["outputs"]?.array ?? []
    add(
      light(status) + (outputs.isEmpty ? ["none"] : outputs.flatMap { output($0, in: status) }),
      named: ["display"], to: &rows)
    add(page(status), named: ["page"], to: &rows)
    if let language = status["language"]?.string { add([language], named: ["language"], to: &rows) }
    add(schedule(status["schedule"]), named: ["schedule"], to: &rows)
    if let wall = status["wall"] { add([Self.wall(wall)], named: ["walls"], to: &rows) }
    if let message = status["message"]?.string { add([message], named: ["message"], to: &rows) }
    add(status["warnings"]?.array?.compactMap(\.string) ?? [], named: ["warnings"], to: &rows)
    let widgets = ordered(status["widgets"], by: status["widgetOrder"])
    add(
      widgets.map { "\($0): \($1["text"]?.string ?? "")  (\($1["type"]?.string ?? "?"))" },
      named: ["widgets"],
      to: &rows)
    let boards = (status["boards"]?.array ?? []).filter { $0["since"] != nil || $0["problem"] != nil }
    add(boards.map(MatchText.boardHeading), named: ["boards"], to: &rows)
    add(leftOut(status), named: ["left out"], to: &rows)
    add(
      (status["countdowns"]?.array ?? []).map(MatchText.countdown),
      named: ["countdowns"], to: &rows)
    let teams = ordered(status["scoreboard"]?["teams"], by: status["scoreboard"]?["teamOrder"])
    let match = status["match"] ?? .null
    let parts = [MatchText.clocks(of: match), MatchText.counts(of: match, includesZero: true)]
    add(
      teams.map(team) + period(status["scoreboard"])
        + parts.filter { !$0.isEmpty }.map { $0.joined(separator: "  ") }, named: ["score"], to: &rows)
    let width = (rows.map(\.0.count).max() ?? 0) + 2
    return rows.map { label, text in
      label + String(repeating: " ", count: width - label.count) + text.printable
    }.joined(separator: "\n")
  }

  /// Adds a row for each line, with the label of the same index; lines beyond the labels have none.
  private static func add(_ lines: [String], named labels: [String], to rows: inout [(String, String)]) {
    for (index, line) in lines.enumerated() { rows.append((index < labels.count ? labels[index] : "", line)) }
  }

  /// The members in the given order, then the others by name.
  private static func ordered(_ value: JSONValue?, by order: JSONValue?) -> [(String, JSONValue)] {
    var members = value?.object ?? [:]
    let first = (order?.array?.compactMap(\.string) ?? []).compactMap { name in
      members.removeValue(forKey: name).map { (name, $0) }
    }
    return first + members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private static func daemon(_ status: JSONValue) -> [String] {
    var facts: [String] = []
    if let version = status["version"]?.string { facts.append(version) }
    if let seconds = status["uptimeSeconds"]?.integer { facts.append("up \(duration(seconds))") }
    if let wakeups = status["wakeups"]?.integer { facts.append("\(wakeups) wakeups") }
    if let now = status["now"]?.string { facts.append("its time is \(now)") }
    return [facts.joined(separator: ", ")]
  }

  private static let meaningfulSeconds = 30

  private static func cost(_ cost: JSONValue?) -> [String] {
    guard let cost else { return [] }
    var facts: [String] = []
    // Rates over the first seconds would only extrapolate the cost of the start.
    let hasRates = (cost["seconds"]?.integer ?? meaningfulSeconds) >= meaningfulSeconds
    if hasRates, let wakeups = cost["wakeupsPerMinute"]?.integer { facts.append("\(wakeups) wakeups/min") }
    if hasRates, let time = cost["processorMicrosecondsPerMinute"]?.integer {
      // The processor time in hundredths of a per cent of a core.
      let share = time / 6000
      let decimals = share % 100
      facts.append("\(share / 100).\(decimals < 10 ? "0" : "")\(decimals) % of a core")
    }
    if hasRates, let bytes = cost["bytesCopiedPerMinute"]?.integer {
      facts.append("\(size(bytes)) copied/min")
    }
    if let bytes = cost["residentBytes"]?.integer { facts.append("\(size(bytes)) of memory") }
    return facts.isEmpty ? [] : [facts.joined(separator: ", ")]
  }

  private static func config(_ config: JSONValue?) -> [String] {
    guard let config else { return [] }
    let reload = config["lastReload"]
    let path = config["path"]?.string
    let errors = reload?["errors"]?.array?.compactMap(\.string) ?? []
    let warnings = reload?["warnings"]?.array?.compactMap(\.string) ?? []
    let located = (errors + warnings).map { "  \($0)" }
    if reload?["ok"]?.bool ?? true { return [path ?? "none, all defaults"] + located }
    // If there is no path, the configuration in force was not read from a file: it is the built-in default.
    let verdict =
      path.map { "\($0) has errors; the present configuration stays in force" }
      ?? "the config has errors; the built-in default is in force"
    return [verdict] + located
  }

  private static func saving(_ unsaved: JSONValue?) -> [String] {
    guard let reason = unsaved?["reason"]?.string else { return [] }
    let since = unsaved?["since"]?.string.map { ", since \(LocalTime.text($0))" } ?? ""
    return ["the last changes are not saved, and a restart would lose them: \(reason)\(since); trying again"]
  }

  /// The current page and all pages; empty if there is only one page.
  private static func page(_ status: JSONValue) -> [String] {
    let pages = status["pages"]?.array?.compactMap(\.string) ?? []
    guard let page = status["page"]?.string, pages.count > 1 else { return [] }
    return ["\(page)  (of \(pages.joined(separator: ", ")))"]
  }

  private static func wall(_ wall: JSONValue) -> String {
    let board = wall["board"]?.string ?? "?"
    let role = wall["role"]?.string
    let isReachable = wall["reachable"]?.bool != false
    var text =
      switch role {
      case "leader": "leads \(board)\(isReachable ? "" : "; not connected with other walls")"
      case "candidate": "is to lead \(board); looks for its match"
      default: "follows \(board)\(isReachable ? "" : "; the leader cannot be reached")"
      }
    if let difference = wall["clockDifference"]?.integer, abs(difference) >= 1_000 {
      let seconds = (Double(abs(difference)) / 1_000).rounded()
      text += "; its time of day is \(Int(seconds)) s \(difference > 0 ? "behind" : "ahead of") the leader's"
    }
    if let count = wall["setAside"]?.integer, count > 0 {
      text += "; \(count) match\(count == 1 ? " was" : "es were") set aside, see 'flipclockctl match list'"
    }
    return text
  }

  private static func schedule(_ schedule: JSONValue?) -> [String] {
    guard let schedule else { return [] }
    let entries = schedule["entries"]?.array?.compactMap(\.string) ?? []
    var line = entries.isEmpty ? "no entry is in effect" : "in effect: \(entries.joined(separator: ", "))"
    if let next = schedule["nextSwitch"]?.string { line += "; next switch \(next)" }
    if schedule["waits"]?.bool == true { line += "; waits until the game clock is paused" }
    let held = (schedule["held"]?.array ?? []).map { held in
      let output = held["output"]?.string.map { " of \($0)" } ?? ""
      let until = held["until"]?.string.map { "until \($0)" } ?? "until it is set again"
      return "the \(held["what"]?.string ?? "?")\(output) was set by command, \(until)"
    }
    var place: [String] = []
    if let latitude = schedule["latitude"], let longitude = schedule["longitude"] {
      place = ["sunrise and sunset at latitude \(latitude.text), longitude \(longitude.text)"]
    }
    return [line] + held + place
  }

  private static func leftOut(_ status: JSONValue) -> [String] {
    (status["leftOut"]?.array ?? []).map { "\($0["name"]?.string ?? "?"): \($0["reason"]?.string ?? "")" }
  }

  private static func light(_ status: JSONValue) -> [String] {
    if status["blanked"]?.bool == true { return ["dark; 'flipclockctl unblank' lights it"] }
    guard let brightness = status["brightness"]?.integer, brightness < 100 else { return [] }
    return ["dimmed to \(brightness)%"]
  }

  private static func output(_ output: JSONValue, in status: JSONValue) -> [String] {
    let isDark = output["mode"]?.string?.isEmpty ?? false
    var facts = ["connector", "mode", "driver"].compactMap { output[$0]?.string }.filter { !$0.isEmpty }
    if isDark { facts.append("dark") }
    if let format = output["format"]?.string {
      facts.append(output["dithered"]?.bool == true ? "\(format) dithered" : format)
    }
    if let rotation = output["rotation"]?.integer, rotation != 0 { facts.append("turned by \(rotation)°") }
    facts += ownSettings(output, in: status)
    let details = (output["leftOutDetails"]?.array ?? []).map { left in
      "  the widget '\(left["widget"]?.string ?? "?")' of the page '\(left["page"]?.string ?? "?")' leaves out: "
        + (left["details"]?.array ?? []).compactMap(\.string).joined(separator: ", ")
    }
    let lines = [facts.joined(separator: ", ")] + problem(output) + details
    guard !isDark else { return lines }
    var counts: [String] = []
    if let frames = output["framesPresented"]?.integer {
      counts.append("\(frames) frame\(frames == 1 ? "" : "s")")
    }
    if let missed = output["flipsMissed"]?.integer {
      counts.append("\(missed) flip\(missed == 1 ? "" : "s") missed")
    }
    if let bytes = output["bytesCopied"]?.integer { counts.append("\(size(bytes)) copied") }
    let time = output["frameTimeMicroseconds"]
    if let median = time?["p50"]?.integer, let slow = time?["p99"]?.integer {
      counts.append("frame time \(median) µs (p99 \(slow) µs)")
    }
    return lines + ["  " + counts.joined(separator: ", ")]
  }

  /// What differs from the common settings, the table that applies, and the display's make, model and serial
  /// number.
  private static func ownSettings(_ output: JSONValue, in status: JSONValue) -> [String] {
    var facts: [String] = []
    if output["blanked"]?.bool == true, status["blanked"]?.bool != true { facts.append("switched off") }
    if let brightness = output["brightness"]?.integer,
      brightness != status["brightness"]?.integer ?? 100
    {
      facts.append("brightness \(brightness)%")
    }
    if let backlight = output["backlight"]?.string { facts.append("backlight \(backlight)") }
    if let page = output["page"]?.string { facts.append("page \(page)") }
    if let settings = output["settings"]?.string { facts.append("[outputs.\(settings)]") }
    if let display = output["display"]?.string { facts.append("display \(display)") }
    return facts
  }

  /// Why a display is dark or has another mode, since when, and what was tried.
  private static func problem(_ output: JSONValue) -> [String] {
    guard let problem = output["problem"]?.string else { return [] }
    let since = output["since"]?.string.map { "since \(LocalTime.text($0))" }
    let tried = output["tried"]?.array?.compactMap(\.string) ?? []
    let attempts = tried.isEmpty ? nil : "tried: \(tried.joined(separator: ", "))"
    return ["  " + [problem, since, attempts].compactMap(\.self).joined(separator: "; ")]
  }

  private static func team(_ id: String, _ team: JSONValue) -> String {
    let points = team["points"]?.string ?? "\(team["score"]?.integer ?? 0)"
    return "\(id): \(team["name"]?.string ?? "") \(points)"
      + (team["won"]?.integer.map { " (\($0) won)" } ?? "")
      + (team["winningPoint"]?.string.map { ", \($0) point" } ?? "")
  }

  private static func period(_ scoreboard: JSONValue?) -> [String] {
    let result = scoreboard?["result"]?.string.map { "match over, \($0)" }
    let facts = [scoreboard?["period"]?.string, result].compactMap { $0 }
    return facts.isEmpty ? [] : [facts.joined(separator: ", ")]
  }

  /// E.g. `3 d 4 h`, `5 min 2 s`: the two largest units.
  static func duration(_ seconds: Int) -> String {
    let parts = [(86400, "d"), (3600, "h"), (60, "min"), (1, "s")]
    guard let first = parts.firstIndex(where: { seconds >= $0.0 }) else { return "0 s" }
    var rest = seconds
    var text: [String] = []
    for (unit, name) in parts[first...].prefix(2) {
      if rest >= unit { text.append("\(rest / unit) \(name)") }
      rest %= unit
    }
    return text.joined(separator: " ")
  }

  /// Bytes in the largest binary unit that fits, with one decimal.
  static func size(_ bytes: Int) -> String {
    guard bytes >= 1024 else { return "\(bytes) B" }
    var scale = 1024
    let names = ["KiB", "MiB", "GiB", "TiB"]
    var index = 0
    while index + 1 < names.count, bytes / scale >= 1024 {
      scale *= 1024
      index += 1
    }
    return "\(bytes / scale).\(bytes % scale * 10 / scale) \(names[index])"
  }
}

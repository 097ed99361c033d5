// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Schedule
import Testing

@testable import Settings
@testable import TOMLConfig

/// `[place]` and `[schedule.NAME]`.
struct ScheduleSettingsTests {
  private static let pages = "[pages.clock]\nrows = [\"time\"]\n[pages.match]\nrows = [\"score\"]\n"
  private static let times = "from = \"22:30\"\nto = \"06:00\"\n"

  private func entry(_ lines: String) -> Schedule.Entry? {
    let result = load("\(Self.pages)[schedule.night]\n\(lines)\n")
    if !result.diagnostics.isEmpty { Issue.record("\(lines): \(found(result))") }
    return result.configuration?.schedule.first
  }

  @Test("An entry has all its keys")
  func allKeys() {
    let night = entry(
      """
      from = "sunset+30m"
      to = "6:00"
      days = ["mon-thu", "sun"]
      brightness = "10%"
      page = "match"
      theme = "night"
      display = "off-and-black"
      keep-on-during-game = false
      """)
    let values = Schedule.Values(brightness: 10, page: "match", theme: "night", light: .offAndBlack)
    #expect(
      night
        == Schedule.Entry(
          "night", from: .sun(.sunset, minutes: 30), to: .clock(minutes: 360),
          days: Weekdays(rawValue: 0b001_1111), values: values, waitsForGame: false))
    #expect(entry(Self.times + "page = \"clock\"")?.waitsForGame == true)
    #expect(entry(Self.times + "display = \"on\"")?.days == .all)
    #expect(load("").configuration?.schedule == [])
    #expect(load("[schedule]\n").configuration?.schedule == [])
  }

  @Test("Entries keep the order of the files, and a later file changes single keys")
  func order() {
    let text =
      "[schedule.b]\n\(Self.times)brightness = \"1%\"\n[schedule.a]\n\(Self.times)brightness = \"2%\"\n"
    let result = SettingsLoader.load(
      texts: [("a", Array(text.utf8)), ("b", Array("[schedule.b]\nbrightness = \"3%\"\n".utf8))], mode: .check
    )
    #expect(result.configuration?.schedule.map(\.name) == ["b", "a"])
    #expect(result.configuration?.schedule.map(\.values.brightness) == [3, 2])
  }

  @Test(
    "Mistakes are reported at their positions",
    arguments: [
      ("from = \"24:00\"", "2:8", "from \"00:00\" to \"23:59\""), ("from = \"22\"", "2:8", "must be a time"),
      ("from = 22:30:00", "2:8", "must be a time"), ("from = \"sunsett\"", "2:8", "did you mean 'sunset'?"),
      ("from = \"sunset+30\"", "2:8", "needs a unit"), ("from = \"sunset+13h\"", "2:8", "at most 12 hours"),
      ("from = \"06:00\"", "3:6", "are the same time"), ("days = [\"monday\"]", "4:9", "must be weekdays"),
      ("days = []", "4:8", "1 to 7 weekdays"), ("days = \"mon\"", "4:8", "1 to 7 weekdays"),
      ("brightness = \"0%\"", "4:14", "from \"1%\" to \"100%\""),
      ("page = \"macth\"", "4:8", "unknown page 'macth'"),
      ("theme = \"nigth\"", "4:9", "unknown theme 'nigth' in [schedule.night]"),
      ("display = \"dark\"", "4:11", "\"on\", \"off\", \"black\" or \"off-and-black\""),
      ("keep-on-during-game = true", "1:11", "does nothing"),
      ("days = [\"mon\"]", "1:11", "does nothing"),
    ])
  func mistakes(line: String, place: String, words: String) throws {
    let key = line.prefix { $0 != " " }
    var lines = ["from = \"22:30\"", "to = \"06:00\"", "brightness = \"10%\""]
    switch key {
    case "from": lines[0] = line
    case "days" where words == "does nothing": lines[2] = line
    default:
      lines =
        [lines[0], lines[1], line]
        + (key == "brightness" || key == "page" ? [] : key == "keep-on-during-game" ? [] : [lines[2]])
    }
    let result = load("[schedule.night]\n\(lines.joined(separator: "\n"))\n\(Self.pages)")
    #expect(result.configuration == nil)
    let report = found(result)
    #expect(report.count == 1, "\(report)")
    #expect(report.first?.hasPrefix("error \(place) ") ?? false, "\(report)")
    #expect(report.first?.contains(words) ?? false, "\(report)")
  }

  @Test("An entry needs a beginning and an end, and a name")
  func missing() {
    #expect(
      found(load("[schedule.night]\nfrom = \"22:30\"\nbrightness = \"5%\"\n")).first?.contains("has no 'to'")
        ?? false)
    #expect(found(load("[schedule.night]\nbrightness = \"5%\"\n")).first?.contains("has no 'from'") ?? false)
    #expect(found(load("[schedule.\"a b\"]\n")).first?.contains("is not a name") ?? false)
    let many = (0..<33).map { "[schedule.e\($0)]\n\(Self.times)brightness = \"5%\"\n" }.joined()
    #expect(found(load(many)).first?.contains("at most 32 tables [schedule.NAME]") ?? false)
  }

  @Test("A place has both coordinates or a zone")
  func place() {
    #expect(
      load("[place]\nlatitude = 52.5\nlongitude = -13\n").configuration?.place.coordinates
        == Coordinates(latitude: 52.5, longitude: -13))
    #expect(load("[place]\nzone = \"Europe/Berlin\"\n").configuration?.place.zone == "Europe/Berlin")
    let table = [
      ("latitude = 91\nlongitude = 0", "2:12", "must be from -90 to 90"),
      ("latitude = 0\nlongitude = -181", "3:13", "must be from -180 to 180"),
      ("latitude = 0", "1:2", "no 'longitude'"), ("longitude = 0", "1:2", "no 'latitude'"),
      ("latitude = 0\nlongitude = 0\nzone = \"UTC\"", "4:8", "exclude each other"),
    ]
    for (lines, place, words) in table {
      let report = found(load("[place]\n\(lines)\n"))
      #expect(report.first?.hasPrefix("error \(place) ") ?? false, "\(report)")
      #expect(report.first?.contains(words) ?? false, "\(report)")
    }
  }

  @Test("The place is checked where it is needed", arguments: [Report.Mode.check, .running])
  func placeChecks(mode: Report.Mode) {
    var checks = SettingsChecks()
    checks.place = { Problem("no place for \($0)") }
    func messages(_ text: String) -> [String] {
      found(SettingsLoader.load(texts: [("t", Array(text.utf8))], mode: mode, checks: checks))
    }
    let severity = mode == .check ? "error" : "warning"
    let sun = "[schedule.a]\nfrom = \"22:30\"\nto = \"sunrise\"\nbrightness = \"5%\"\n"
    #expect(messages(sun) == ["\(severity) 3:6 no place for local"])
    #expect(messages(sun + "[place]\nlatitude = 1\nlongitude = 2\n") == [])
    #expect(messages("[schedule.a]\n\(Self.times)brightness = \"5%\"\n") == [])
    #expect(messages("[place]\nzone = \"UTC\"\n") == ["\(severity) 2:8 no place for UTC"])
  }
}

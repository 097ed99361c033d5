// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import ControlCalls
import Schedule
import Scoreboard
import Settings
import Testing

@testable import WallState

@Suite("What a wall shows") struct WallTests {
  private let lit = Light(isBlank: false, level: 100)
  private let off = Light(isBlank: true, level: 100)

  // MARK: The schedule

  @Test("A night: the brightness falls within a minute, and rises in the morning")
  func night() {
    var wall = TestWall([entry("night", 1, 7, brightness: 10)])
    #expect(wall.light == lit)
    wall.pass(3599)
    #expect(wall.light == lit)
    wall.pass(31)
    #expect((50...60).contains(wall.light.level) && wall.wall.shown.isFading)
    wall.pass(31)
    #expect(wall.light.level == 10 && !wall.wall.shown.isFading)
    wall.pass(6 * 3600)
    #expect(wall.light == lit)
    #expect(
      wall.notes == [
        "the schedule's entries in effect: night", "the schedule's entries in effect: none",
      ])
  }

  @Test("The wall needs no timer while nothing is due")
  func quiet() {
    var wall = TestWall()
    #expect(wall.wall.nextClock == nil && wall.wall.nextInstant == nil)
    wall.adopt(TestWall.configuration(), [entry("night", 1, 7, light: .off)])
    #expect(wall.wall.nextClock == nil)
    #expect(wall.wall.nextInstant == Instant(seconds: TestWall.midnight.seconds + 3600))
    wall.pass(3600)
    #expect(wall.light.isBlank && wall.wall.nextClock == nil)
  }

  @Test("Off after a black picture: black for a second, then off; a display that is off stays off")
  func black() {
    var wall = TestWall(
      [entry("night", 1, 7, light: .offAndBlack)], displays: [.init(name: "A"), .init(name: "B")],
      configure: { $0.motion = .none })
    wall.pass(3600)
    #expect(wall.light == Light(isBlank: false, level: 0))
    wall.pass(0.9)
    #expect(!wall.light.isBlank)
    wall.pass(0.2)
    #expect(wall.light == Light(isBlank: true, level: 0))
    wall.pass(7 * 3600)
    #expect(wall.light == lit)
  }

  @Test(
    "With motion, a picture becomes black within a minute, is black for a second, and then the display is off"
  )
  func blackWithMotion() {
    var wall = TestWall([entry("night", 1, 7, light: .offAndBlack)])
    wall.pass(3600 + 59)
    #expect(!wall.light.isBlank && (1...3).contains(wall.light.level))
    wall.pass(1.5)
    #expect(wall.light == Light(isBlank: false, level: 0))
    wall.pass(1)
    #expect(wall.light.isBlank)
  }

  @Test("After a step of the clock or a sleep, the light changes at once", arguments: [true, false])
  func late(isSleep: Bool) {
    var wall = TestWall([entry("night", 1, 7, brightness: 10)])
    if isSleep { wall.sleep(2 * 3600) } else { wall.step(2 * 3600) }
    #expect(wall.light.level == 10 && !wall.wall.shown.isFading)
    if !isSleep {
      wall.step(-2 * 3600)
      #expect(wall.light == lit)
    }
  }

  @Test("A change of the page does not disturb a gradual change of the brightness")
  func pageDuringFade() throws {
    var wall = TestWall([entry("night", 1, 7, brightness: 10)])
    wall.pass(3600 + 30)
    let level = wall.light.level
    try wall.command("show match")
    #expect(wall.light.level == level && wall.wall.shown.isFading)
    wall.pass(31)
    #expect(wall.light.level == 10)
  }

  @Test("A command ends a gradual change at once")
  func commandDuringFade() throws {
    var wall = TestWall([entry("night", 1, 7, brightness: 10)])
    wall.pass(3600 + 30)
    try wall.command("brightness 60%")
    #expect(wall.light.level == 60 && !wall.wall.shown.isFading)
    wall.pass(3600)
    #expect(wall.light.level == 60)
    wall.pass(6 * 3600)
    #expect(wall.light == lit, "the next switch ends what was set")
  }

  @Test("A reload during a gradual change ends it at once")
  func reloadDuringFade() {
    let entries = [entry("night", 1, 7, brightness: 10)]
    var wall = TestWall(entries)
    wall.pass(3600 + 30)
    wall.adopt(TestWall.configuration(), entries)
    #expect(wall.light.level == 10 && !wall.wall.shown.isFading)
    wall.adopt(TestWall.configuration(), [])
    #expect(wall.light == lit)
  }

  @Test("The schedule's page and theme come and go; a page by command holds until the schedule's next page")
  func pages() throws {
    var wall = TestWall([
      entry("a", 1, 2, page: "match", theme: "paper"), entry("b", 2, 3, page: "main"),
    ])
    #expect(wall.page == "main" && wall.wall.theme == nil)
    wall.pass(3600)
    #expect(wall.page == "match" && wall.wall.theme == "paper")
    try wall.command("show main")
    #expect(wall.page == "main")
    wall.pass(3600)
    #expect(wall.page == "main" && wall.wall.holds.page == nil && wall.wall.theme == nil)
    wall.pass(3600)
    #expect(wall.page == "main")
  }

  @Test(
    "A page that was set without a schedule survives a reload, unless the config no longer has it")
  func commonPage() throws {
    var wall = TestWall()
    try wall.command("show match")
    wall.adopt(TestWall.configuration(), [])
    #expect(wall.page == "match")
    wall.adopt(TestWall.configuration(["main", "other"]), [])
    #expect(wall.page == "main")
  }

  @Test(
    "A change that was set for a time ends after it", arguments: ["show match", "blank", "brightness 30%"])
  func held(command: String) throws {
    var wall = TestWall()
    let before = wall.wall.shown
    try wall.command("\(command) --for 10min")
    #expect(wall.wall.shown != before)
    wall.pass(599)
    #expect(wall.wall.shown != before)
    wall.pass(61)
    #expect(wall.wall.shown == before && wall.wall.nextInstant == nil)
  }

  // MARK: Games

  @Test("Page, theme, brightness and display wait for a game that is played, and change when its clock stops")
  func game() throws {
    var wall = TestWall([entry("night", 1, 7, brightness: 10, page: "match", theme: "paper", light: .off)])
    wall.pass(3590)
    try wall.command("timer start")
    wall.pass(300)
    #expect(wall.light == lit && wall.page == "main" && wall.wall.theme == nil)
    #expect(wall.wall.scheduleStatus?.waits == true)
    try wall.command("timer pause")
    #expect(wall.light.isBlank && wall.page == "match" && wall.wall.theme == "paper")
    #expect(wall.wall.scheduleStatus?.waits == nil)
  }

  @Test("A clock that nobody stops does not keep the schedule waiting for more than twelve hours")
  func forgottenClock() throws {
    var wall = TestWall([entry("night", 1, 23, light: .off)], configure: { $0.game.rules = .init(.free) })
    try wall.command("timer start")
    wall.pass(11.9 * 3600)
    #expect(wall.light == lit)
    wall.pass(0.2 * 3600)
    #expect(wall.light.isBlank)
  }

  @Test("An entry that does not wait switches during a game")
  func impatient() throws {
    var wall = TestWall([entry("night", 1, 7, theme: "paper", waits: false)])
    wall.pass(3590)
    try wall.command("timer start")
    wall.pass(20)
    #expect(wall.wall.theme == "paper")
  }

  @Test("The end of a timer is reported, and a running match is saved every ten seconds")
  func events() throws {
    var wall = TestWall(configure: {
      $0.game.rules.game?.length = 35 * second
      $0.game.rules.breaks.intervals = []
    })
    try wall.command("timer start")
    wall.pass(34)
    // The first save has the beginning of the game, and one the end of the shot clock.
    #expect(wall.saves == 5)
    let before = wall.reached
    wall.pass(2)
    #expect(wall.reached > before)
    // The last one has the end of the game clock.
    wall.pass(100)
    #expect(wall.saves == 6 && wall.wall.nextClock == nil)
  }

  /// The program ends, without saving, at the moment at which a clock, a penalty, a period or a break has
  /// ended, or a break has begun.
  @Test(
    "What a match does by itself is saved when it happens, in every game and period",
    arguments: GameRules.Preset.allCases)
  func ownChanges(preset: GameRules.Preset) throws {
    var count = 0
    for period in 1...GameRules(preset).periods + 2 {
      for (isTied, isTimeOut) in [(true, false), (false, false), (true, true)] {
        var wall = TestWall(configure: { $0.game.rules = GameRules(preset) })
        let id = try #require(wall.wall.match.scoreboard.teams.first?.id)
        let end = wall.wall.match.scoreboard.rules.game?.length ?? 0
        var actions: [Scoreboard.Action] = [.setPeriod(to: period, anyway: true)]
        if !isTied { actions.append(.addScore(team: id, by: 1)) }
        actions += [.addPenalty(team: id, length: nil, number: 7), .resetTimer(.game), .startTimer(.game)]
        if isTimeOut { actions.append(.startBreak(.timeOut(team: id), length: 5 * second)) }
        // Not every game has all of this.
        for action in actions { _ = try? wall.perform(.match(action)) }
        wall.pass(1)
        for _ in 0..<40 {
          let before = wall.wall.match.scoreboard
          guard let event = before.nextEvent(after: wall.now.clock),
            event - wall.now.clock <= max(end, 60 * second)
          else { break }
          let settled = before.settled(at: wall.now.clock)
          wall.go(to: event)
          guard before.settled(at: event) != settled else { continue }
          count += 1
          var (shown, kept) = (wall.wall.match, wall.disk.match)
          shown.pauseTimers(at: event)
          kept.pauseTimers(at: wall.savedAt)
          #expect(kept.scoreboard == shown.scoreboard, "period \(period), tied \(isTied)")
        }
      }
    }
    #expect(count > 0 || GameRules(preset).game?.length == 0)
  }

  // MARK: Commands

  @Test("Blank and unblank, for all displays or for one, and what they reply")
  func blank() throws {
    var wall = TestWall(displays: [.init(name: "A"), .init(name: "B")])
    #expect(try wall.command("blank") == .blank(changed: true))
    #expect(try wall.command("blank") == .blank(changed: false))
    #expect(wall.light == off && wall.wall.isDark)
    #expect(try wall.command("unblank --output B") == .blank(changed: true))
    #expect(wall.light == off && wall.wall.light(of: "B") == lit && !wall.wall.isDark)
    #expect(try wall.command("blank --toggle --output B") == .toggledBlank(isBlank: true))
    #expect(wall.wall.isDark)
    #expect(try wall.command("unblank") == .blank(changed: true))
    #expect(wall.light == lit && wall.wall.light(of: "B") == lit)
    #expect(throws: ControlError.self) { try wall.command("blank --output C") }
    #expect(wall.notes.count == 4)
  }

  @Test("'unblank' lights a display that the schedule has switched off or made black, until the next switch")
  func unblankScheduled() throws {
    for light in [Schedule.Light.off, .black, .offAndBlack] {
      var wall = TestWall([entry("night", 1, 7, light: light)])
      wall.pass(2 * 3600)
      #expect(wall.light.isDark)
      #expect(try wall.command("unblank") == .blank(changed: true))
      #expect(wall.light == lit)
      wall.pass(4 * 3600)
      #expect(wall.light == lit)
      wall.pass(2 * 3600)
      #expect(wall.light == lit && wall.wall.holds.lights.isEmpty)
    }
  }

  @Test("The brightness of a single display, by config and by command")
  func ownBrightness() throws {
    var settings = OutputSettings(name: "tall")
    settings.brightness = 30
    var wall = TestWall(displays: [.init(name: "A"), .init(name: "B", settings: settings)])
    #expect(wall.wall.light(of: "B").level == 30 && wall.wall.hasOwnLevel("B") && !wall.wall.hasOwnLevel("A"))
    #expect(try wall.command("brightness 50%") == .brightness(50))
    #expect(wall.light.level == 50 && wall.wall.light(of: "B").level == 50)
    #expect(try wall.command("brightness 20% --output tall") == .brightness(20))
    #expect(wall.light.level == 50 && wall.wall.light(of: "B").level == 20)
    #expect(try wall.command("brightness -50%") == .brightness(1))
    #expect(try wall.perform(.setBrightness(percent: nil)) == .brightness(100))
    #expect(wall.light.level == 100 && wall.wall.light(of: "B").level == 30)
  }

  @Test("A brightness that was set is used until the config's brightness is changed")
  func configuredBrightness() throws {
    var wall = TestWall()
    try wall.command("brightness 40%")
    wall.adopt(TestWall.configuration(), [])
    #expect(wall.light.level == 40)
    wall.adopt(TestWall.configuration { $0.display.brightness = 70 }, [])
    #expect(wall.light.level == 70)
    wall.adopt(TestWall.configuration(), [])
    #expect(wall.light.level == 100)
  }

  @Test("A message disappears after its time, one without a time stays, and one replaces another")
  func messages() throws {
    var wall = TestWall()
    try wall.command("message A --for 5s")
    wall.pass(4.9)
    #expect(wall.wall.message?.text == "A")
    try wall.command("message B --until-cleared")
    wall.pass(100_000)
    #expect(wall.wall.message?.text == "B")
    #expect(try wall.command("message --clear") == .cleared("B"))
    #expect(try wall.command("message --clear") == .cleared(nil))
    try wall.command("message C")
    wall.pass(10)
    #expect(wall.wall.message == nil && wall.wall.nextClock == nil)
    #expect(throws: ControlError.self) { try wall.perform(.message("x", milliseconds: -1)) }
  }

  @Test("The box of an invitation lights all displays while it is open, and 'blank' closes it")
  func invitation() throws {
    var wall = TestWall()
    try wall.command("blank")
    wall.invite()
    #expect(wall.light == lit && wall.wall.invitation != nil)
    wall.pass(119)
    #expect(wall.light == lit)
    wall.pass(2)
    #expect(wall.light == off && wall.wall.invitation == nil)
    wall.invite()
    #expect(try wall.command("blank") == .blank(changed: true))
    #expect(wall.light == off && wall.wall.invitation == nil)
  }

  // MARK: Rotation

  @Test("Pages rotate while somebody can see them, each for its time, and not while a page is held")
  func rotation() throws {
    var wall = TestWall(configure: { $0.rotation.every = 20 })
    wall.pass(19)
    #expect(wall.page == "main")
    wall.pass(2)
    #expect(wall.page == "match")
    try wall.command("show main")
    wall.pass(19)
    #expect(wall.page == "main")
    wall.pass(2)
    #expect(wall.page == "match")
    try wall.command("show match --for 10min")
    wall.pass(500)
    #expect(wall.page == "match")
    try wall.command("blank")
    wall.pass(1000)
    #expect(wall.wall.nextClock == nil)
    try wall.command("unblank")
    let page = wall.page
    wall.pass(19)
    #expect(wall.page == page)
    wall.pass(2)
    #expect(wall.page != page)
  }

  @Test("Pages do not rotate if all displays have a page of their own, or none is connected")
  func noRotation() {
    var settings = OutputSettings(name: "A")
    settings.page = "match"
    for displays in [[], [Wall.Display(name: "A", settings: settings)]] {
      let wall = TestWall(displays: displays, configure: { $0.rotation.every = 20 })
      #expect(wall.wall.nextClock == nil)
    }
  }
}

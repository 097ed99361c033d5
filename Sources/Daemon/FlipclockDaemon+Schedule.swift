// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ControlCalls
import Display
import LinuxSystem
import Schedule
import Settings

/// The schedule. At its switches, and when something that was set by command is over, the daemon shows what holds then:
/// manual settings, else the schedule's, else the config's.
extension FlipclockDaemon {
  // MARK: Following

  /// The schedule of the current config, with the machine's time zone as it is now.
  private var configuredSchedule: Schedule {
    let entries = config.configuration.schedule
    guard !entries.isEmpty else { return Schedule() }
    let zone = zones["local"]
    return Schedule(entries, zone: zone, place: place(in: zone))
  }

  /// The place for the sun; nil: no entry needs one, or it is not known.
  private func place(in zone: TimeZone) -> Coordinates? {
    guard config.configuration.schedule.contains(where: \.needsSun) else { return nil }
    let settings = config.configuration.place
    return settings.coordinates ?? TimeZone.coordinates(of: settings.zone ?? zone.name)
  }

  /// Follows the schedule of the current config and time zone. Shows nothing yet; call `showSchedule` or `rebuild` next.
  func renewSchedule() {
    let now = WallClock.now
    noteGame()
    _ = schedule.replace(configuredSchedule, at: now, during: game(at: now))
    theme = schedule.state.theme?.value
    _ = expireManual(at: now)
    manual.renew(schedule, at: now)
    // Outside of the schedule's pages, a page that was set by command is the common one.
    if let held = manual.page, !held.hold.isTimed, schedule.state.page == nil {
      page = held.name
      state.page = held.name
      manual.page = nil
    }
    if state.brightness?.isTimed == false
      || state.outputBrightness.values.contains(where: { $0.isTimed == false })
    {
      let until = schedule.hold(.brightness, milliseconds: nil, at: now).until?.seconds
      if state.brightness?.isTimed == false { state.brightness?.until = until }
      for (output, set) in state.outputBrightness where set.isTimed == false {
        state.outputBrightness[output]?.until = until
      }
    }
    endFade()
    turnBlackFirst()
  }

  /// Called when the wall clock reaches `scheduleWake`, and when it was set.
  func followSchedule(at now: Instant) {
    guard schedule.wake != nil || scheduleWake != nil else { return }
    let before = levels
    let update = schedule.update(at: now, during: game(at: now))
    let ended = expireManual(at: now, changed: update.properties)
    let properties = update.properties.union(ended.keys)
    guard !properties.isEmpty else { return }
    if !update.properties.isEmpty {
      let entries = schedule.state.entries
      log.info(
        "the schedule's entries in effect: \(entries.isEmpty ? "none" : entries.joined(separator: ", "))")
    }
    let isOnTime =
      update.isOnTime
      || (update.properties.isEmpty && ended.values.allSatisfy { now.seconds - $0.seconds <= 5 })
    showSchedule(properties, from: isOnTime && config.configuration.motion != .none ? before : nil)
  }

  /// Removes what was set by command and is over.
  ///
  /// - Parameter changed: what the schedule has changed, although it may wait for a game.
  private func expireManual(
    at now: Instant, changed: Set<Schedule.Property> = []
  ) -> [Schedule.Property: Instant] {
    let waiting = schedule.isWaiting ? Set(Schedule.Property.allCases).subtracting(changed) : []
    var ended = manual.expire(at: now, waiting: waiting)
    let isOver = { (set: StateDocument.Brightness) in
      set.hold.isOver(at: now, waits: waiting.contains(.brightness))
    }
    if let until = brightnessSets.filter(isOver).compactMap(\.hold.until).max() {
      ended[.brightness] = until
      if state.brightness.map(isOver) ?? false { state.brightness = nil }
      state.outputBrightness = state.outputBrightness.filter { !isOver($0.value) }
    }
    return ended
  }

  private var brightnessSets: [StateDocument.Brightness] {
    [state.brightness].compactMap { $0 } + Array(state.outputBrightness.values)
  }

  /// When `followSchedule` is to be called; nil: never.
  var scheduleWake: Instant? {
    let waits = schedule.isWaiting
    let sets = brightnessSets.map(\.hold).filter { !waits || $0.isTimed }
    return ([schedule.wake, manual.wake(waits: waits)] + sets.map(\.until)).compactMap { $0 }.min()
  }

  // MARK: Showing

  /// Shows what holds now.
  ///
  /// - Parameter before: the levels that were shown, from which the brightness changes gradually; nil: it changes at once.
  func showSchedule(_ properties: Set<Schedule.Property>, from before: [String?: Int]? = nil) {
    endFade()
    if let before { startFade(from: before) }
    turnBlackFirst()
    applyLight()
    if properties.contains(.brightness) || properties.contains(.light) { showLevels(animated: false) }
    if properties.contains(.page) { showPage() }
    if properties.contains(.theme) { show(theme: schedule.state.theme?.value) }
    displayChanged()
  }

  /// Called when the match has changed, because the schedule leaves a game alone.
  func gameClockChanged() {
    let wasRunning = gameStart != nil
    noteGame()
    guard wasRunning != (gameStart != nil) else { return }
    followSchedule(at: WallClock.now)
    arm()
  }

  private func noteGame() {
    let start = match.board.runningSince(at: MatchTime.now)
    // A clock that is set while it runs counts from then on, but the game goes on.
    gameStart = start.map { gameStart ?? $0 }
  }

  /// When the game began, by a wall clock that shows `now`; nil: no game clock runs.
  private func game(at now: Instant) -> Instant? {
    guard let gameStart else { return nil }
    let (seconds, rest) = max(MatchTime.now - gameStart, 0).quotientAndRemainder(dividingBy: 1_000_000_000)
    return Instant(seconds: now.seconds - seconds, nanoseconds: now.nanoseconds - Int32(rest))
  }

  /// Called when the card for phones was shown, changed or removed. Displays are lit while it is open.
  func invitationChanged() {
    if applyLight() { displayChanged() }
    if schedule.state.light != nil { showLevels(animated: false) }
    showModel()
  }

  // MARK: On and off

  /// What the schedule and the commands want of a display; nil: of one that is connected later.
  private func wantedDisplay(_ output: String?) -> Schedule.Light {
    if invitation.isOpen { return .on }
    if let light = manual.light(of: output) { return light.isBlank ? .off : .on }
    return schedule.state.light?.value ?? .on
  }

  /// Whether a display is to be off now. One that turns black first is on until then.
  func wantsBlank(_ output: String?) -> Bool {
    switch wantedDisplay(output) {
    case .on, .black: false
    case .off: true
    case .offAndBlack: fade == nil && !isTurningBlack
    }
  }

  private func wantsBlack(_ output: String?) -> Bool {
    switch wantedDisplay(output) {
    case .on, .off: false
    case .black, .offAndBlack: true
    }
  }

  /// Switches the displays off or on; returns whether that changed anything.
  @discardableResult
  func applyLight() -> Bool {
    var changed = false
    let common = wantsBlank(nil)
    if presenter.isBlank != common {
      presenter.isBlank = common
      changed = true
    }
    for output in presenter.displays.outputs {
      let isWanted = wantsBlank(output.name)
      guard output.isBlank != isWanted else { continue }
      presenter.setBlank(output, isWanted)
      changed = true
    }
    return changed
  }

  // MARK: Levels

  /// The level in percent that a canvas is to have in the end: its brightness, or 0 for a black picture.
  ///
  /// - Parameter name: the display whose own level it is; nil: the common one.
  private func targetLevel(_ name: String?) -> Int { wantsBlack(name) ? 0 : brightness(ofDimmed: name) }

  /// The level to show now, which differs from `targetLevel` while the brightness changes gradually.
  func level(ofDimmed name: String?) -> Int {
    let target = targetLevel(name)
    return fade?.level(of: name, to: target) ?? target
  }

  /// The levels that are shown.
  private var levels: [String?: Int] { allLevels { level(ofDimmed: $0) } }

  private func allLevels(_ level: (String?) -> Int) -> [String?: Int] {
    var levels: [String?: Int] = [nil: level(nil)]
    for output in presenter.displays.outputs { levels[output.name] = level(output.name) }
    return levels
  }

  func showLevels(animated: Bool) {
    _ = setBacklights()
    for output in presenter.displays.outputs { presenter.regroup(output) }
    for dimmed in Set(presenter.canvases.map(\.content.dimmed)) {
      presenter.setBrightness(pictureBrightness(ofDimmed: dimmed), of: dimmed, animated: animated)
    }
  }

  private func startFade(from before: [String?: Int]) {
    fade = BrightnessFade(from: before, to: allLevels(targetLevel))
    if let fade { fadeTimer.arm(inNanoseconds: fade.interval) }
  }

  /// Ends a gradual change; the levels are those of its end from then on.
  func endFade() {
    fade = nil
    isTurningBlack = false
    fadeTimer.disarm()
  }

  /// Lets displays that are to be off after a black picture show that picture for a second.
  private func turnBlackFirst() {
    let wantsOff = { (output: String?) in self.wantedDisplay(output) == .offAndBlack }
    let isLit = presenter.displays.outputs.contains { wantsOff($0.name) && !$0.isBlank }
    guard fade == nil, isLit || (wantsOff(nil) && !presenter.isBlank) else { return }
    isTurningBlack = true
    fadeTimer.arm(inNanoseconds: 1_000_000_000)
  }

  /// Called by `fadeTimer`.
  func stepFade() {
    if fade?.advance() ?? false {
      if let fade { fadeTimer.arm(inNanoseconds: fade.interval) }
      return showLevels(animated: false)
    }
    fade = nil
    showLevels(animated: false)
    if !isTurningBlack { return turnBlackFirst() }
    isTurningBlack = false
    if applyLight() { displayChanged() }
  }

  // MARK: Status

  /// Nil: the config has no schedule, and nothing is held for a time.
  var scheduleStatus: ScheduleStatus? {
    var held: [HeldStatus] = []
    func add(_ what: String, _ output: String?, _ until: Instant?) {
      held.append(HeldStatus(what: what, output: output, until: until?.rfc3339UTC))
    }
    let hasSchedule = !schedule.schedule.entries.isEmpty
    if let set = state.brightness, hasSchedule || set.until != nil {
      add("brightness", nil, set.until.map { Instant(seconds: $0) })
    }
    for (output, set) in state.outputBrightness.sorted(by: { $0.key < $1.key })
    where hasSchedule || set.until != nil {
      add("brightness", output, set.until.map { Instant(seconds: $0) })
    }
    if let page = manual.page { add("page", nil, page.hold.until) }
    for (output, light) in manual.lights.sorted(by: { ($0.key ?? "") < ($1.key ?? "") })
    where hasSchedule || light.hold.until != nil {
      add("display", output, light.hold.until)
    }
    guard hasSchedule || !held.isEmpty else { return nil }
    return ScheduleStatus(
      entries: schedule.state.entries, held: held, nextSwitch: schedule.nextSwitch?.time.rfc3339UTC,
      waits: schedule.isWaiting ? true : nil,
      latitude: schedule.schedule.place?.latitude, longitude: schedule.schedule.place?.longitude)
  }
}

// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import ConfigChecks
import ControlCalls
import Glibc
import Images
import LinuxSystem
import Raster
import Schedule
import Scoreboard
import Settings
import TOMLConfig
import Typography
import WallState
import Walls
import Widgets

/// Renders frames as PNG files on virtual time, with the daemon's widgets, layers and compositor. The same
/// input gives the same bytes.
package struct OfflineRenderer: Sendable {
  package var config: String?
  /// The machine's time zone: what `local` means if the config does not say it.
  package var zone: String
  package var size: PixelSize
  package var start: Instant
  package var framesPerSecond: Double
  package var frames: Int
  package var directory: String
  package var events: [Event]

  package init(
    config: String?, zone: String = "UTC", size: PixelSize, start: Instant, framesPerSecond: Double,
    frames: Int,
    directory: String, events: [Event]
  ) {
    self.config = config
    self.zone = zone
    self.size = size
    self.start = start
    self.framesPerSecond = framesPerSecond
    self.frames = frames
    self.directory = directory
    self.events = events
  }

  /// Writes `DIR/frame-00000.png` and the following frames.
  package func run() throws(StartFailure) {
    let log = Log(program: "flipclockd")
    let configuration = try loadConfiguration(log)
    let machine = zone == "local" ? "UTC" : zone
    do throws(TimeZoneError) { _ = try TimeZone(named: machine) } catch {
      throw StartFailure("--zone: \(error)", exitCode: EX_USAGE)
    }
    let chosen = configuration.locale.zone
    let zones = ZoneCache(local: chosen == "local" ? machine : chosen, log: log)
    var wall = Wall(
      alone: configuration, schedule: Schedule(configuration, zone: zones["local"]),
      displays: [Wall.Display(name: "render")], at: moment(0))
    var effects = Wall.Effects()
    wall.offer(SetUpOffer(.example, at: .example), now: moment(0), &effects)
    var presented = wall.shown
    let stage = Stage(
      configuration, size: size, margins: configuration.display.margins,
      fonts: FontLibrary { log.warning($0) }, pictures: PictureLibrary(warn: { log.warning($0.printable) }),
      zones: { zones[$0] },
      model: wall.model(at: start), time: 0, page: presented.page, theme: presented.theme)
    for left in stage.leftOutDetails where left.page == presented.page {
      log.notice("at \(left.width)x\(left.height) \(left.description)")
    }
    stage.dimmer.setBrightness(Double(presented.lights.common.level) / 100, animated: false)
    var events = ArraySlice(events.sorted { $0.seconds < $1.seconds })
    // Reports a mistake before the first frame instead of at its event.
    var rehearsal = wall
    for event in events { try event.perform(on: &rehearsal, at: moment(event.seconds)) }
    let shadow = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    do throws(SystemError) {
      try makeDirectories(directory, mode: 0o755)
    } catch {
      throw StartFailure("\(error)")
    }

    var boundary = stage.nextChange(after: start)
    var black: Bitmap?
    for frame in 0..<frames {
      let time = Double(frame) / framesPerSecond
      // Makes all changes that are due up to the time of this frame, in order, each at its own time.
      while true {
        let instants = [boundary, wall.nextInstant].compactMap { $0 }
        let event = events.first?.seconds ?? .infinity
        let match = wall.nextClock.map { Double($0) / 1e9 } ?? .infinity
        let due = instants.min()
        let next = min(due.map(seconds(until:)) ?? .infinity, event, match)
        guard next <= time else { break }
        stage.scene.advance(to: next)
        let instant = due.flatMap { seconds(until: $0) == next ? $0 : nil } ?? start.advanced(by: next)
        if event == next, let event = events.popFirst() {
          try event.perform(on: &wall, at: moment(next))
        } else {
          wall.advance(to: moment(next), &effects)
        }
        let before = presented
        presented = wall.shown
        let model = wall.model(at: instant)
        stage.update(model, at: next, animated: true)
        if presented.lights != before.lights {
          stage.dimmer.setBrightness(
            Double(presented.lights.common.level) / 100,
            animated: !presented.isFading && configuration.motion != .none)
        }
        stage.show(presented, insteadOf: before, model) { next }
        boundary = stage.nextChange(after: instant)
      }
      stage.scene.advance(to: time)
      _ = stage.scene.render(into: shadow.buffer)
      let isBlank = presented.lights.common.isBlank
      if isBlank, black == nil { black = Bitmap(width: size.width, height: size.height, format: .xrgb8888) }
      try write(isBlank ? black ?? shadow : shadow, frame: frame)
    }
  }

  /// The moment `seconds` after the start.
  private func moment(_ seconds: Double) -> Moment {
    let clock = Int64((seconds * 1e9).rounded())
    return Moment(clock: clock, realtime: start.seconds * 1_000_000_000 + Int64(start.nanoseconds) + clock)
  }

  private func seconds(until instant: Instant) -> Double {
    Double(instant.seconds - start.seconds) + Double(instant.nanoseconds - start.nanoseconds) / 1e9
  }

  private func loadConfiguration(_ log: Log) throws(StartFailure) -> Configuration {
    var checks = SettingsChecks()
    checks.checkPictures { Picture.problem(with: $0, isWhole: false) }
    let result = SettingsLoader.load(
      config.map(SettingsSources.explicit) ?? .standard(), mode: .running, checks: checks,
      environment: environmentVariable)
    for diagnostic in result.diagnostics { log.write(.warning, diagnostic.description) }
    guard let configuration = result.configuration else {
      throw StartFailure("the config has errors; nothing was drawn", exitCode: EX_CONFIG)
    }
    return configuration
  }

  private func write(_ picture: Bitmap, frame: Int) throws(StartFailure) {
    let digits = String(frame)
    let name = String(repeating: "0", count: max(5 - digits.count, 0)) + digits
    let path = "\(directory)/frame-\(name).png"
    do {
      try writeFile(PNG.encode(picture.buffer), to: path)
    } catch {
      throw StartFailure("\(error)")
    }
  }
}

extension OfflineRenderer {
  /// A change that is made at a given time while frames are rendered.
  package struct Event: Hashable, Sendable {
    /// Seconds after the start.
    package var seconds: Double
    let change: Change

    /// `SECONDS COMMAND`, e.g. `1.5 set-score home 3`.
    package init(parsing text: String) throws(StartFailure) {
      func refuse(_ why: String) -> StartFailure {
        StartFailure(
          "event '\(text.printable)': \(why); write a time and a command, e.g. '1.5 set-score home 3'",
          exitCode: EX_USAGE)
      }
      let words = text.split(separator: " ", maxSplits: 1)
      guard let time = words.first else { throw refuse("it is empty") }
      guard let seconds = Double(String(time)), seconds.isFinite, (0...86_400).contains(seconds) else {
        throw refuse("'\(time)' is not a time in seconds, 0 to 86400")
      }
      self.seconds = seconds
      do throws(UsageError) {
        change = try Change(parsing: words.count == 2 ? String(words[1]) : "", on: .event).ofAllDisplays
      } catch {
        throw refuse(error.line)
      }
    }

    func perform(on wall: inout Wall, at now: Moment) throws(StartFailure) {
      var effects = Wall.Effects()
      do throws(ControlError) {
        try change.check(pages: wall.pages)
        guard let (role, milliseconds) = change.invitation else {
          _ = try wall.perform(change, at: now, &effects)
          return
        }
        // With fixed codes the picture is always the same. They pair no phone.
        let invitation = Invitation(role: role, at: now.clock, for: milliseconds, .example)
        _ = wall.invite(invitation, at: .example, now: now, &effects)
      } catch {
        throw StartFailure("event at \(seconds) s: \(error.message)", exitCode: EX_USAGE)
      }
    }
  }
}

extension Instant {
  /// The instant that is `seconds` later, rounded to a nanosecond.
  func advanced(by seconds: Double) -> Instant {
    advanced(nanoseconds: Int64((seconds * 1e9).rounded()))
  }
}

/// Writes a file, but not durably: pictures can be rendered again.
func writeFile(_ bytes: [UInt8], to path: String) throws(SystemError) {
  let file = try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_TRUNC)
  try writeAll(bytes, to: file.rawValue, path)
}

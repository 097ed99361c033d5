// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ConfigChecks
import Glibc
import Images
import LinuxSystem
import Raster
import Settings
import Typography
import Widgets

/// Renders frames as PNG files on virtual time, with the daemon's widgets, layers and compositor. The same input gives
/// the same bytes.
package struct OfflineRenderer: Sendable {
  package var config: String?
  /// The time zone that `local` means in the config.
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
    let zones = ZoneCache(log: log)
    let local = zone == "local" ? "UTC" : zone
    do throws(TimeZoneError) { _ = try TimeZone(named: local) } catch {
      throw StartFailure("--zone: \(error)", exitCode: EX_USAGE)
    }
    let pages = configuration.allPages.map(\.name)
    let session = OfflineSession(configuration, pages: pages)
    let stage = Stage(
      configuration, size: size, fonts: FontLibrary { log.warning($0) },
      zones: { zones[$0 == "local" ? local : $0] }, model: model(of: session, at: start, 0), time: 0)
    let brightness = session.brightness
    stage.dimmer.setBrightness(Double(brightness) / 100, animated: false)
    // Reports a mistake before the first frame instead of at its event.
    let rehearsal = OfflineSession(configuration, pages: pages)
    for event in events.sorted(by: { $0.seconds < $1.seconds }) { _ = try rehearsal.perform(event) }
    let shadow = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    do throws(SystemError) {
      try makeDirectories(directory, mode: 0o755)
    } catch {
      throw StartFailure("\(error)")
    }

    var events = ArraySlice(events.sorted { $0.seconds < $1.seconds })
    var boundary = stage.nextChange(after: start)
    var shown = 0.0
    var black: Bitmap?
    for frame in 0..<frames {
      let time = Double(frame) / framesPerSecond
      // Makes all changes that are due up to the time of this frame, in order, each at its own time.
      while true {
        let change = boundary.map(seconds(until:)) ?? .infinity
        let event = events.first?.seconds ?? .infinity
        let turn = stage.nextTurn
        let match = session.match.board.nextEvent(after: OfflineSession.clock(shown)).map { Double($0) / 1e9 }
        let message = session.noticeEnd ?? .infinity
        let next = min(change, event, turn?.time ?? .infinity, match ?? .infinity, message)
        guard next <= time else { break }
        stage.scene.advance(to: next)
        var page: String?
        let lit = session.brightness
        if event == next, let due = events.popFirst() {
          page = try session.perform(due)
        } else if message == next {
          session.endNotice()
        } else if let turn, turn.time == next {
          page = turn.page
        }
        if session.brightness != lit {
          stage.dimmer.setBrightness(
            Double(session.brightness) / 100, animated: configuration.motion != .none)
        }
        let instant = change == next ? boundary ?? start : start.advanced(by: next)
        let model = model(of: session, at: instant, next)
        stage.update(model, at: next, animated: true)
        if let page { stage.show(page: page, model) { next } }
        boundary = stage.nextChange(after: instant)
        shown = next
      }
      stage.scene.advance(to: time)
      _ = stage.scene.render(into: shadow.buffer)
      if session.isDark, black == nil {
        black = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
      }
      try write(session.isDark ? black ?? shadow : shadow, frame: frame)
    }
  }

  private func model(of session: OfflineSession, at instant: Instant, _ seconds: Double) -> StageModel {
    let clock = OfflineSession.clock(seconds)
    return StageModel(
      instant: instant, scoreboard: session.match.board.settled(at: clock), clock: clock,
      message: session.message, invitation: session.invitation)
  }

  private func seconds(until instant: Instant) -> Double {
    Double(instant.seconds - start.seconds) + Double(instant.nanoseconds - start.nanoseconds) / 1e9
  }

  private func loadConfiguration(_ log: Log) throws(StartFailure) -> Configuration {
    let result = SettingsLoader.load(
      config.map(SettingsSources.explicit) ?? .standard(), mode: .running, environment: environmentVariable)
    for diagnostic in result.diagnostics { log.write(.warning, diagnostic.description) }
    guard let configuration = result.configuration else {
      throw StartFailure("the config has errors; nothing was drawn", exitCode: EX_CONFIG)
    }
    if !configuration.schedule.isEmpty { log.notice("frames are drawn without [schedule.NAME]") }
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

extension Instant {
  /// The instant that is `seconds` later, rounded to a nanosecond.
  func advanced(by seconds: Double) -> Instant {
    let time = ClockTime(
      totalNanoseconds: Int64(nanoseconds) + Int64((seconds * 1e9).rounded()))
    return Instant(seconds: self.seconds + time.seconds, nanoseconds: time.nanoseconds)
  }
}

/// Writes a file, but not durably: pictures can be rendered again.
func writeFile(_ bytes: [UInt8], to path: String) throws(SystemError) {
  let file = try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_TRUNC)
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = try retryingInterrupts("write", path) {
      rest.withUnsafeBytes { Glibc.write(file.rawValue, $0.baseAddress, $0.count) }
    }
    rest = rest.dropFirst(count)
  }
}

// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ConfigChecks
import Control
import Glibc
import Images
import LinuxSystem
import Raster
import Scoreboard
import Settings
import Spelling
import Typography
import Widgets

/// The same widgets, layers and compositor on virtual time: frames as PNG files. The same input gives
/// the same bytes.
public struct OfflineRenderer: Sendable {
  /// Something that happens while the frames run.
  public struct Event: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
      case score(Scoreboard.Action)
      case show(page: String)
    }

    /// After the start.
    public var seconds: Double
    public var action: Action

    public init(seconds: Double, action: Action) {
      self.seconds = seconds
      self.action = action
    }

    /// `SECONDS set-score TEAM N`, `SECONDS add-score TEAM N` or `SECONDS show PAGE`.
    public init(parsing text: String) throws(StartFailure) {
      let words = text.split(separator: " ").map(String.init)
      func refuse(_ why: String) -> StartFailure {
        StartFailure(
          "event '\(text)': \(why); try '1.5 set-score home 3' or '2 add-score guest +1'", exitCode: EX_USAGE)
      }
      let isPage = words.count == 3 && words[1] == "show"
      guard isPage || words.count == 4 else {
        throw refuse("an event is a time, a command, a team and a number, or a time, 'show' and a page")
      }
      guard let seconds = Double(words[0]), seconds.isFinite, (0...86_400).contains(seconds) else {
        throw refuse("'\(words[0])' is not a time in seconds, 0 to 86400")
      }
      if isPage {
        self.seconds = seconds
        action = .show(page: words[2])
        return
      }
      guard let number = Int(words[3]) else { throw refuse("'\(words[3])' is not a whole number") }
      self.seconds = seconds
      switch words[1] {
      case "set-score": action = .score(.setScore(team: words[2], to: number))
      case "add-score": action = .score(.addScore(team: words[2], by: number))
      default: throw refuse("unknown command '\(words[1])'")
      }
    }
  }

  public var config: String?
  public var size: PixelSize
  public var start: Instant
  public var framesPerSecond: Double
  public var frames: Int
  public var directory: String
  public var events: [Event]

  public init(
    config: String?, size: PixelSize, start: Instant, framesPerSecond: Double, frames: Int,
    directory: String, events: [Event]
  ) {
    self.config = config
    self.size = size
    self.start = start
    self.framesPerSecond = framesPerSecond
    self.frames = frames
    self.directory = directory
    self.events = events
  }

  /// Writes `DIR/frame-00000.png` and on.
  public func run() throws(StartFailure) {
    let log = Log(program: "flipclockd")
    let configuration = try loadConfiguration(log)
    var scoreboard = Scoreboard(teams: [])
    scoreboard.adopt(configuration.scoreboardTeams, rules: configuration.gameRules)
    let zones = ZoneCache(log: log)
    let stage = Stage(
      configuration, size: size, fonts: FontLibrary { log.warning($0) }, zones: { zones[$0] },
      model: StageModel(instant: start, scoreboard: scoreboard), time: 0)
    // A mistake is told before the first frame, not after a thousand.
    var rehearsal = scoreboard
    for event in events.sorted(by: { $0.seconds < $1.seconds }) {
      _ = try event.apply(to: &rehearsal, pages: stage.pageNames)
    }
    let shadow = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    do throws(SystemError) {
      try makeDirectories(directory, mode: 0o755)
    } catch {
      throw StartFailure("\(error)")
    }

    var events = ArraySlice(events.sorted { $0.seconds < $1.seconds })
    var boundary = stage.nextChange(after: start)
    for frame in 0..<frames {
      let time = Double(frame) / framesPerSecond
      // Everything that happens until this frame, each at its own moment, in order.
      while true {
        let change = boundary.map(seconds(until:)) ?? .infinity
        let event = events.first?.seconds ?? .infinity
        let turn = stage.nextTurn
        let next = min(change, event, turn?.time ?? .infinity)
        guard next <= time else { break }
        stage.scene.advance(to: next)
        var page: String?
        if event == next, let due = events.popFirst() {
          page = try due.apply(to: &scoreboard, pages: stage.pageNames)
        } else if let turn, turn.time == next {
          page = turn.page
        }
        let instant = change == next ? boundary ?? start : start.advanced(by: next)
        let model = StageModel(
          instant: instant, scoreboard: scoreboard, clock: Int64((next * 1e9).rounded()))
        stage.update(model, at: next, animated: true)
        if let page { stage.show(page: page, model) { next } }
        if page != nil || change == next { boundary = stage.nextChange(after: instant) }
      }
      stage.scene.advance(to: time)
      _ = stage.scene.render(into: shadow.buffer)
      try write(shadow, frame: frame)
    }
  }

  private func seconds(until instant: Instant) -> Double {
    Double(instant.seconds - start.seconds) + Double(instant.nanoseconds - start.nanoseconds) / 1e9
  }

  private func loadConfiguration(_ log: Log) throws(StartFailure) -> Configuration {
    let result = SettingsLoader.load(config.map(SettingsSources.explicit) ?? .standard(), mode: .running)
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

extension OfflineRenderer.Event {
  /// Does what the event says to the scores; returns the page that it shows.
  func apply(to scoreboard: inout Scoreboard, pages: [String]) throws(StartFailure) -> String? {
    let why: String
    switch action {
    case .show(let page):
      if pages.contains(page) { return page }
      why = Spelling.unknown("page", page, among: pages)
    case .score(let action):
      do throws(Scoreboard.Refusal) {
        try scoreboard.apply(action)
        return nil
      } catch {
        why = ControlError(error).message
      }
    }
    throw StartFailure("event at \(seconds) s: \(why)", exitCode: EX_USAGE)
  }
}

extension Instant {
  /// This moment and `seconds` more, to the nanosecond.
  func advanced(by seconds: Double) -> Instant {
    let time = ClockTime(
      totalNanoseconds: Int64(nanoseconds) + Int64((seconds * 1e9).rounded()))
    return Instant(seconds: self.seconds + time.seconds, nanoseconds: time.nanoseconds)
  }
}

/// Writes a file as it is, not durably: pictures can be drawn again.
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

// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Display
import Layers
import Raster
import Scoreboard
import Settings
import Typography
import Widgets

/// flipclock's frames, made as in the daemon: the scene is drawn to the shadow buffer, and the damage is
/// copied to the scanout.
final class StageRun {
  let stage: Stage
  let shadow: Bitmap
  private let scanouts: [Bitmap]
  private var damage: ScanoutDamage
  private var back = 0
  /// Applies change number N: another model or page.
  private let change: (Stage, Int) -> Void
  private var changes = 0
  private(set) var frames: [RecordedFrame] = []
  private var isRecording = false
  /// The time of each frame, in seconds after the change.
  private let times: [Double]
  private var start = 1.0
  private let period: Double

  init(
    _ configuration: Configuration, size: PixelSize, duration: Double, frames count: Int,
    change: @escaping (Stage, Int) -> Void
  ) {
    stage = Stage(
      configuration, size: size, fonts: FontLibrary { _ in }, zones: { _ in .utc },
      model: StageRun.model(0), time: 0)
    shadow = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    scanouts = (0..<2).map { _ in Bitmap(width: size.width, height: size.height, format: .xrgb8888) }
    damage = ScanoutDamage(size: size)
    self.change = change
    times = (0..<count).map { duration * (Double($0) + 0.5) / Double(count) }
    period = duration + 1
    // Runs the change and its reverse first, so that everything that is drawn only once has been drawn.
    for _ in 0..<4 {
      begin()
      run()
    }
    isRecording = true
    begin()
    frames = []
    run()
    isRecording = false
  }

  static func model(_ index: Int) -> StageModel {
    // 09:59:59 and 10:00:00: all six digits change.
    StageModel(
      instant: Instant(seconds: 1_795_168_799 + Int64(index & 1)),
      scoreboard: Scoreboard(teams: [
        .init(id: "home", name: "HOME", score: 12), .init(id: "guest", name: "GUEST", score: 9),
      ]))
  }

  /// Finishes the current change and starts the next.
  func begin() {
    start += period
    _ = frame(at: start)
    _ = frame(at: start)
    changes += 1
    change(stage, changes)
  }

  /// Draws all frames of a change.
  func run() {
    for time in times {
      let drawn = frame(at: start + time)
      guard isRecording else { continue }
      frames.append(
        RecordedFrame(items: LayerWalk(stage.scene).items, damage: drawn, copied: damage.drawn))
    }
  }

  /// Draws the complete picture of a recorded frame.
  func picture(of index: Int, into bitmap: Bitmap) {
    // The number of the recorded change was odd, so the number of the change drawn now must be odd too.
    if changes & 1 == 1 {
      begin()
      run()
    }
    begin()
    stage.scene.advance(to: start + times[index])
    stage.scene.invalidate()
    _ = stage.scene.render(into: bitmap.buffer)
    stage.scene.invalidate()
  }

  private func frame(at time: Double) -> [PixelRect] {
    stage.scene.advance(to: time)
    let drawn = stage.scene.render(into: shadow.buffer)
    _ = damage.draw(shadow.buffer, damage: drawn, on: scanouts[back].buffer, index: back)
    back = 1 - back
    return drawn
  }
}

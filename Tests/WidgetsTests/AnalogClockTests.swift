// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Glibc
import Raster
import Settings
import Testing

@testable import Layers
@testable import Widgets

@Suite struct AnalogClockTests {
  private static let ticks: [AnalogClockSettings.Tick] = [
    .spring, .eased(.easeIn), .eased(.easeInOut), .none,
  ]

  private func settings(_ change: (inout AnalogClockSettings) -> Void = { _ in }) -> AnalogClockSettings {
    var settings = AnalogClockSettings()
    change(&settings)
    return settings
  }

  private func stage(
    _ settings: AnalogClockSettings, _ size: PixelSize = PixelSize(width: 320, height: 240),
    at instant: Instant
  ) -> Stage {
    Fixture.stage(
      Fixture.configuration([WidgetSettings(name: "hands", weight: 1, content: settings)]), size,
      Fixture.model(instant))
  }

  // MARK: Hands

  /// The coverage of a row's pixels by an outline, computed in doubles from the exact lengths of 64
  /// horizontal lines through the row.
  private static func reference(_ outline: [Point], row y: Int, _ columns: Range<Int>) -> [Double] {
    var shares = [Double](repeating: 0, count: columns.count)
    var crossings: [Double] = []
    for line in 0..<64 {
      let sy = Double(y) + (Double(line) + 0.5) / 64
      crossings.removeAll(keepingCapacity: true)
      var last = outline[outline.count - 1]
      for point in outline {
        if (last.y <= sy) != (point.y <= sy) {
          crossings.append(last.x + (sy - last.y) / (point.y - last.y) * (point.x - last.x))
        }
        last = point
      }
      crossings.sort()
      for index in stride(from: 0, to: crossings.count - 1, by: 2) {
        let (left, right) = (crossings[index], crossings[index + 1])
        // Visit only the pixels that the segment touches.
        var x = max(Int(left.rounded(.down)), columns.lowerBound)
        while x < columns.upperBound, Double(x) < right {
          shares[x - columns.lowerBound] += max(min(right, Double(x + 1)) - max(left, Double(x)), 0) / 64
          x += 1
        }
      }
    }
    return shares
  }

  @Test(
    "a hand has a PSNR of at least 40 dB against a reference with 64 lines per pixel, at 20 angles",
    arguments: [24, 40, 80])
  func handQuality(radius: Int) {
    let r = Double(radius)
    let side = 2 * radius + 4
    let arbour = Point(x: r + 2, y: r + 2)
    let outlines = [
      AnalogClockHand.bar(length: 0.82 * r, tail: 0.15 * r, base: 0.026 * r, tip: 0.017 * r),
      AnalogClockHand.needle(
        length: 0.88 * r, tail: 0.24 * r, width: max(0.0075 * r, 0.5), weight: max(0.018 * r, 1.2)),
    ]
    for (index, outline) in outlines.enumerated() {
      let scene = Scene(size: PixelSize(width: side, height: side))
      let hand = AnalogClockHand(outline: outline, arbour: arbour, color: .white)
      scene.root.addSublayer(hand)
      for step in 0..<20 {
        let angle = Double(step) * 0.3141 + Double(index) * 0.15
        hand.set(AnalogClockHand.angle, to: .scalar(angle))
        let picture = scene.picture(at: scene.time)
        let (s, c) = (sin(angle), cos(angle))
        let turned = outline.map {
          Point(x: arbour.x + $0.x * c - $0.y * s, y: arbour.y + $0.x * s + $0.y * c)
        }
        let box = PolygonFiller.bounds(of: turned) ?? .empty
        var error = 0.0
        for y in box.y..<box.maxY {
          let shares = Self.reference(turned, row: y, box.x..<box.maxX)
          for x in box.x..<box.maxX {
            let value = Double(picture.buffer.row32(y)[x] & 0xff)
            let difference = value - shares[x - box.x] * 255
            error += difference * difference
          }
        }
        // Computed only in the hand's bounding box, so that no empty pixels improve the result.
        let psnr = 10 * log10(255 * 255 / max(error / Double(box.area), 1e-9))
        #expect(psnr >= 40, "\(index) at \(angle): \(psnr) dB")
      }
    }
  }

  @Test("the damage is at most the hand's bounding boxes before and after the change")
  func handDamage() {
    let scene = Scene(size: PixelSize(width: 100, height: 100))
    let hand = AnalogClockHand(
      outline: AnalogClockHand.bar(length: 40, tail: 0, base: 2, tip: 2), arbour: Point(x: 50, y: 50),
      color: .white)
    scene.root.addSublayer(hand)
    let shown = scene.picture(at: 0)
    hand.set(AnalogClockHand.angle, to: .scalar(.pi / 2))
    let damage = scene.render(into: shown.buffer)
    let area = damage.reduce(0) { $0 + $1.area }
    #expect(area > 0 && area < 2 * 4 * 48)
    #expect(shown.difference(from: scene.picture(at: 0)) == nil)
  }

  @Test("snapshots during a motion do not change where a hand is drawn", arguments: [1, 2, 3])
  func snapshotsDuringAMotion(snapshots: Int) {
    let scene = Scene(size: PixelSize(width: 100, height: 100))
    let hand = AnalogClockHand(
      outline: AnalogClockHand.bar(length: 40, tail: 0, base: 2, tip: 2), arbour: Point(x: 50, y: 50),
      color: .white)
    scene.root.backgroundColor = .black
    scene.root.addSublayer(hand)
    let shown = scene.picture(at: 0)
    var angle = 0.0
    for _ in 0..<60 {
      for _ in 0..<snapshots {
        angle += 0.004
        hand.set(AnalogClockHand.angle, to: .scalar(angle))
        _ = scene.snapshot(of: scene.root)
      }
      angle += 0.004
      hand.set(AnalogClockHand.angle, to: .scalar(angle))
      _ = scene.render(into: shown.buffer)
      #expect(shown.difference(from: scene.snapshot(of: scene.root)) == nil, "at \(angle)")
    }
  }

  // MARK: Time

  private static let full = 2 * Double.pi

  /// The angles of the hands, in the order hour, minute, second; in turns.
  private func turns(_ stage: Stage) -> [Double] {
    func hands(_ layer: Layer) -> [AnalogClockHand] {
      layer.sublayers.flatMap { ($0 as? AnalogClockHand).map { [$0] } ?? hands($0) }
    }
    return hands(stage.scene.root).map { hand in
      if case .scalar(let angle)? = hand.presentation.custom["angle"] { angle / Self.full } else { .nan }
    }
  }

  @Test(
    "the hands point at the time",
    arguments: [(0, 0, 0), (3, 0, 15), (9, 59, 59), (12, 30, 30), (21, 7, 1), (23, 59, 0)])
  func handsPointAtTheTime(hour: Int, minute: Int, second: Int) {
    let turns = turns(stage(settings(), at: Fixture.instant(hour, minute, second)))
    #expect(turns.count == 3)
    let expected = [
      Double(hour % 12) / 12 + Double(minute) / 720, Double(minute) / 60, Double(second) / 60,
    ]
    for (turn, place) in zip(turns, expected) { #expect(abs(turn - place) < 1e-12) }
  }

  @Test("after 59 the hands continue clockwise", arguments: ticks)
  func handsContinueClockwise(tick: AnalogClockSettings.Tick) throws {
    let stage = stage(settings { $0.tick = tick }, at: Fixture.instant(11, 59, 59))
    // The scene is still at time 0, but the motion begins at the time of the change, 1.
    stage.update(Fixture.model(Fixture.instant(12, 0, 0)), at: 1, animated: true)
    var last = [0.0, 0, 0]
    for step in 0...60 {
      stage.scene.advance(to: 1 + Double(step) / 60)
      let turns = turns(stage)
      try #require(turns.count == 3)
      // The hands stay close to twelve, on either side: they do not turn all the way round.
      for turn in turns { #expect(abs(remainder(turn, 1)) <= 1.0 / 60 + 1e-9) }
      last = turns
    }
    #expect(last.allSatisfy { abs(remainder($0, 1)) < 1e-12 })
    #expect(stage.scene.activity == .resting)
    if tick == .spring || tick == .none { return }
    stage.update(Fixture.model(Fixture.instant(12, 0, 1)), at: 2, animated: true)
    stage.scene.advance(to: 2.125)
    let halfway = turns(stage)[2]
    #expect(tick == .eased(.easeIn) ? halfway < 0.4 / 60 : abs(halfway - 0.5 / 60) < 1e-9)
  }

  @Test("a clock wakes once per second, a sweeping one at its rate, one without seconds once per minute")
  func wakeUps() {
    func wakes(_ settings: AnalogClockSettings, seconds: Int64) -> Int {
      let stage = stage(settings, at: Fixture.instant(10, 0))
      var instant = Fixture.instant(10, 0)
      let end = Instant(seconds: instant.seconds + seconds)
      var count = 0
      while let next = stage.nextChange(after: instant), next <= end, count < 100_000 {
        if next <= instant { return -1 }
        instant = next
        count += 1
      }
      return count
    }
    #expect(wakes(settings(), seconds: 120) == 120)
    #expect(wakes(settings { $0.secondHand = .none }, seconds: 120) == 2)
    for rate in [1.0, 7, 20, 29.97, 60] {
      let count = wakes(settings { ($0.secondHand, $0.sweepRate) = (.sweeping, rate) }, seconds: 10)
      #expect(abs(Double(count) - 10 * rate) <= 10, "at \(rate)")
    }
  }

  @Test("a sweeping hand is exact to the nanosecond, and nothing moves between two changes")
  func sweepingHand() {
    let stage = stage(settings { $0.secondHand = .sweeping }, at: Fixture.instant(10, 0))
    let instant = Instant(seconds: Fixture.instant(10, 0, 30).seconds, nanoseconds: 250_000_000)
    stage.update(Fixture.model(instant), at: 30.25, animated: true)
    stage.scene.advance(to: 32)
    #expect(turns(stage).last.map { abs($0 - 30.25 / 60) < 1e-12 } == true)
    #expect(stage.scene.activity == .resting)
  }

  @Test(
    "the clock stays inside any page, and only the damage changes",
    arguments: [
      PixelSize(width: 320, height: 240), PixelSize(width: 240, height: 320),
      PixelSize(width: 97, height: 61),
      PixelSize(width: 16, height: 8),
    ])
  func theClockLiesWithinAnyPage(size: PixelSize) {
    let stage = stage(settings { $0.secondsBar = true }, size, at: Fixture.instant(11, 59, 58))
    let shown = stage.scene.picture(at: 0)
    for second in 0..<4 {
      stage.update(Fixture.model(Fixture.instant(11, 59, 58 + second)), at: Double(second), animated: true)
      for step in 1...5 {
        stage.scene.advance(to: Double(second) + Double(step) * 0.17)
        _ = stage.scene.render(into: shown.buffer)
        #expect(shown.difference(from: stage.scene.picture(at: stage.scene.time)) == nil)
      }
    }
  }

  @Test("at rest the picture equals that of a new clock", arguments: ticks)
  func restEqualsANewClock(tick: AnalogClockSettings.Tick) {
    let settings = settings { ($0.tick, $0.secondsBar) = (tick, true) }
    let stage = stage(settings, at: Fixture.instant(11, 59, 57))
    for second in 1...5 {
      stage.update(Fixture.model(Fixture.instant(11, 59, 57 + second)), at: Double(second), animated: true)
      stage.scene.advance(to: Double(second) + 0.1)
    }
    let fresh = self.stage(settings, at: Fixture.instant(12, 0, 2))
    #expect(stage.scene.picture(at: 9).difference(from: fresh.scene.picture(at: 9)) == nil)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Raster
import TestSupport
import Testing

@testable import Layers

/// Retargets values of all kinds at random times with random timing functions.
@Suite struct RetargetingTests {
  static let keys: [PropertyKey] = [
    .zPosition, .position, .bounds, .backgroundColor, .transform, .shade, .custom("own"), .contentsRect,
  ]

  private func value(of key: PropertyKey, _ random: inout SplitMix) -> LayerValue {
    func number(_ random: inout SplitMix) -> Double { random.unit() * 400 - 200 }
    switch key {
    case .position: return .point(Point(x: number(&random), y: number(&random)))
    case .bounds, .contentsRect:
      return .rect(
        Rect(x: number(&random), y: number(&random), width: number(&random), height: number(&random)))
    case .backgroundColor:
      return .color(
        Color(
          red: UInt8(random.int(0...255)), green: UInt8(random.int(0...255)),
          blue: UInt8(random.int(0...255)),
          alpha: UInt8(random.int(0...255))))
    case .transform: return .transform(.rotation(number(&random), x: 1, y: random.unit(), z: 0.3))
    case .shade: return .shade(Shade(top: random.unit(), bottom: random.unit()))
    default: return .scalar(number(&random))
    }
  }

  private func timing(_ random: inout SplitMix) -> TimingFunction {
    switch random.int(0...7) {
    case 0: return .linear
    case 1: return [.ease, .easeIn, .easeOut, .easeInEaseOut][random.int(0...3)]
    case 2, 3:
      return TimingFunction(random.unit(), random.unit() * 3 - 1, random.unit(), random.unit() * 3 - 1)
    case 4: return .steps(random.int(1...9))
    case 5, 6:
      return .spring(Spring(stiffness: 50 + 400 * random.unit(), damping: 4 + 50 * random.unit()))
    // Both control points are at x = 0 or 1, so the slope may be infinite at the start, in the middle or at
    // the end.
    default: return TimingFunction(Double(random.int(0...1)), random.unit(), Double(random.int(0...1)), 1)
    }
  }

  /// The largest difference between two values in any component.
  private func distance(_ a: LayerValue?, _ b: LayerValue?) -> Double {
    guard let a = a.map(parts), let b = b.map(parts), a.count == b.count else { return .infinity }
    return zip(a, b).map { abs($0 - $1) }.max() ?? .infinity
  }

  private func parts(_ value: LayerValue) -> [Double] {
    switch value {
    case .scalar(let a): [a]
    case .point(let a): [a.x, a.y]
    case .rect(let a): [a.x, a.y, a.width, a.height]
    case .shade(let a): [a.top, a.bottom]
    case .color(let a): [a.red, a.green, a.blue, a.alpha].map(Double.init)
    case .transform(let a):
      [
        a.m11, a.m12, a.m13, a.m14, a.m21, a.m22, a.m23, a.m24, a.m31, a.m32, a.m33, a.m34, a.m41, a.m42,
        a.m43,
        a.m44,
      ]
    case .flag(let a): [a ? 1 : 0]
    }
  }

  @Test("over 10,000 random retargetings the presented value is continuous", arguments: 0..<8)
  func whatIsPresentedGoesOn(index: Int) {
    let key = Self.keys[index]
    var random = SplitMix(seed: UInt64(100 + index))
    let scene = Scene(size: PixelSize(width: 8, height: 8), time: 1000.1)
    let layer = Layer()
    scene.root.addSublayer(layer)
    layer.set(key, to: value(of: key, &random))
    var leaps: [String] = []
    var flights = 0
    for step in 0..<10_000 {
      // Sometimes retargets again at the same time, or at the last time before an animation's end.
      switch random.int(0...9) {
      case 0: break
      case 1:
        let end = layer.animations.first?.endTime ?? 0
        scene.advance(to: max(end.nextDown, scene.time))
      default: scene.advance(to: scene.time + random.unit() * random.unit())
      }
      let before = layer.presentation[key]
      if layer.hasAnimations { flights += 1 }
      var action = Animation(key, duration: 0.05 + random.unit())
      action.timingFunction = timing(&random)
      action.valueFunction = [.identity, .identity, .sine, .versine][random.int(0...3)]
      layer.actions[key] = action
      let target = value(of: key, &random)
      layer.set(key, to: target)
      let first = layer.presentation[key]
      if first != before {
        leaps.append("\(step): \(String(describing: before)), \(String(describing: first))")
      }
      #expect(layer.model[key] == target)
    }
    #expect(leaps == [])
    #expect(flights > 5000)
  }

  @Test(
    "eased and spring motion never jumps, not even at its ends",
    arguments: 0..<8)
  func nothingLeapsOnTheWay(index: Int) {
    let key = Self.keys[index]
    var random = SplitMix(seed: UInt64(200 + index))
    let scene = Scene(size: PixelSize(width: 8, height: 8))
    let layer = Layer()
    scene.root.addSublayer(layer)
    layer.set(key, to: value(of: key, &random))
    let functions: [TimingFunction] = [
      .linear, .ease, .easeIn, .easeOut, .easeInEaseOut, TimingFunction(0.3, -0.4, 0.6, 1.5),
      .spring(Spring(stiffness: 200, damping: 12)), .spring(Spring(stiffness: 100, damping: 40)),
    ]
    // The range of the values is 400, but 2 for shades and rotations, and 255 for colours, which change by
    // whole steps.
    let (range, grain) =
      switch key {
      case .backgroundColor: (255.0, 2.0)
      case .transform, .shade: (2.0, 0.0)
      default: (400.0, 0.0)
      }
    let moment = 1e-7
    var ends = 0
    var leaps: [String] = []
    for step in 0..<10_000 {
      let end = layer.animations.last?.endTime ?? .infinity
      let isEnd = random.int(0...2) == 0 && end < .infinity
      let time = isEnd ? end : scene.time + 1e-6 + random.unit() * 0.3
      scene.advance(to: time - moment)
      let before = layer.presentation[key]
      scene.advance(to: time)
      if isEnd { ends += 1 }
      let way = distance(before, layer.presentation[key])
      // At its end a spring may jump by up to 1/8192 of the distance that it moves.
      if way > range / 1000 + grain { leaps.append("\(step): \(way)") }
      if !isEnd || random.int(0...1) == 0 {
        var action = Animation(key, duration: 0.5)
        action.timingFunction = functions[random.int(0...functions.count - 1)]
        layer.actions[key] = action
        layer.set(key, to: value(of: key, &random))
      }
    }
    #expect(leaps == [])
    #expect(ends > 2000)
  }
}

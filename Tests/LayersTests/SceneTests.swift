// SPDX-License-Identifier: Apache-2.0

import Raster
import Testing

@testable import Layers

@Suite struct SceneTests {
  /// Records the completions in order.
  final class CompletionLog {
    struct Entry: Hashable, CustomStringConvertible {
      var name: String
      var finished: Bool
      var time: Double
      var description: String { "\(name) \(finished ? "finished" : "removed") at \(time)" }
    }
    var entries: [Entry] = []

    func completion(_ name: String, then: @escaping () -> Void = {}) -> (Bool, Double) -> Void {
      { finished, time in
        self.entries.append(Entry(name: name, finished: finished, time: time))
        then()
      }
    }
  }

  private let scene = Scene(size: PixelSize(width: 16, height: 16), time: 10)
  private let log = CompletionLog()

  private func animation(
    _ name: String, at begin: Double? = nil, lasting duration: Double,
    then: @escaping () -> Void = {}
  ) -> Animation {
    var animation = Animation(.opacity, from: .scalar(0), to: .scalar(1), duration: duration)
    animation.beginTime = begin
    animation.completion = log.completion(name, then: then)
    return animation
  }

  private func addLayer() -> Layer {
    let layer = Layer()
    scene.root.addSublayer(layer)
    return layer
  }

  private func entry(_ name: String, _ finished: Bool, _ time: Double) -> CompletionLog.Entry {
    CompletionLog.Entry(name: name, finished: finished, time: time)
  }

  @Test("completions are called in the order of the ends, each at its exact time")
  func completionsAreCalledInTheOrderOfTheEndsEachAtItsExactTime() {
    let (a, b) = (addLayer(), addLayer())
    a.add(animation("late", lasting: 3))
    a.add(animation("early", lasting: 1))
    b.add(animation("middle", at: 11.25, lasting: 0.5))
    b.add(animation("beyond", lasting: 4))
    scene.advance(to: 13.5)
    #expect(
      log.entries == [entry("early", true, 11), entry("middle", true, 11.75), entry("late", true, 13)])
    scene.advance(to: 14)
    #expect(log.entries.last == entry("beyond", true, 14))
    #expect(scene.activity == .resting)
  }

  @Test("an animation that ends exactly at the time has ended, one that begins there has begun")
  func anAnimationThatEndsExactlyAtTheTimeHasEndedOneThatBeginsThereHasBegun() {
    let layer = addLayer()
    layer.opacity = 0.5
    layer.add(animation("first", lasting: 1))
    layer.add(animation("second", at: 12, lasting: 1))
    scene.advance(to: 11)
    #expect(log.entries == [entry("first", true, 11)])
    #expect(layer.presentation.opacity == 0.5)
    #expect(scene.activity == .waiting(until: 12))
    scene.advance(to: 12)
    #expect(layer.presentation.opacity == 0)
    #expect(scene.activity == .moving)
  }

  @Test("an animation begun in a completion begins at that end, not at the next frame")
  func anAnimationBegunInACompletionBeginsAtThatEndNotAtTheNextFrame() {
    let layer = addLayer()
    layer.add(
      animation("first", lasting: 1) { [self] in
        #expect(scene.time == 11)
        layer.add(animation("second", lasting: 1))
      })
    scene.advance(to: 11.25)
    #expect(layer.presentation.opacity == 0.25)
    scene.advance(to: 99)
    #expect(log.entries == [entry("first", true, 11), entry("second", true, 12)])
    #expect(scene.time == 99)
  }

  @Test("a completion sees the other layers as they are presented at its time")
  func aCompletionSeesTheOtherLayersAsTheyArePresentedAtItsTime() {
    let (a, b) = (addLayer(), addLayer())
    b.add(Animation(.opacity, from: .scalar(0), to: .scalar(1), duration: 4), forKey: "fade")
    a.add(
      animation("first", lasting: 1) {
        b.add(Animation(.opacity, to: .scalar(0), duration: 1), forKey: "fade")
      })
    scene.advance(to: 11.5)
    // The opacity changes from 0.25 at 11 s to 0 at 12 s.
    #expect(b.presentation.opacity == 0.125)
  }

  @Test("a chain of animations without duration ends within one advance")
  func aChainOfAnimationsWithoutDurationEndsWithinOneAdvance() {
    let layer = addLayer()
    func next(_ count: Int) {
      layer.add(animation("\(count)", lasting: 0) { if count < 500 { next(count + 1) } })
    }
    next(1)
    scene.advance(to: 10)
    #expect(log.entries.map(\.name) == (1...500).map(String.init))
    #expect(log.entries.allSatisfy { $0.time == 10 })
  }

  @Test("an endless chain without duration does not stop the program")
  func anEndlessChainWithoutDurationDoesNotStopTheProgram() {
    let layer = addLayer()
    func next() { layer.add(animation("again", lasting: 0) { next() }) }
    next()
    scene.advance(to: 11)
    #expect(scene.time == 11)
    #expect(log.entries.count >= 1000)
  }

  @Test("removal before the end calls the completion once, as not finished")
  func removalBeforeTheEndCallsTheCompletionOnceAsNotFinished() {
    let removals: [(String, (Layer) -> Void)] = [
      ("by name", { $0.removeAnimation(forKey: "fade") }),
      ("all", { $0.removeAllAnimations() }),
      ("with the layer", { $0.removeFromSuperlayer() }),
      ("with its superlayer", { $0.superlayer?.removeFromSuperlayer() }),
      ("by another of that name", { $0.add(Animation(.opacity, duration: 1), forKey: "fade") }),
    ]
    for (name, remove) in removals {
      log.entries = []
      let parent = addLayer()
      let layer = Layer()
      parent.addSublayer(layer)
      layer.add(animation(name, lasting: 5), forKey: "fade")
      scene.advance(to: scene.time + 1)
      remove(layer)
      #expect(log.entries == [entry(name, false, scene.time)])
      scene.advance(to: scene.time + 9)
      #expect(log.entries.count == 1, "\(name)")
    }
    #expect(scene.activity == .resting)
  }

  @Test("a completion that adds an animation on removal does not loop forever")
  func aCompletionThatAddsAnAnimationOnRemovalDoesNotLoopForever() {
    let layer = addLayer()
    var answers = 0
    func add() {
      layer.add(
        animation("fade", lasting: 1) {
          answers += 1
          if answers < 1000 { add() }
        })
    }
    add()
    add()
    layer.removeAllAnimations()
    #expect(answers == 2)
    #expect(layer.hasAnimations)
  }

  @Test("an animation that stays after its end holds its value and leaves the scene at rest")
  func anAnimationThatStaysAfterItsEndHoldsItsValueAndLeavesTheSceneAtRest() {
    let layer = addLayer()
    layer.opacity = 0.5
    var animation = animation("stay", lasting: 1)
    animation.fillMode = .forwards
    animation.isRemovedOnCompletion = false
    layer.add(animation, forKey: "stay")
    scene.advance(to: 20)
    #expect(layer.presentation.opacity == 1)
    #expect(!layer.hasAnimations)
    #expect(scene.activity == .resting)
    layer.removeAnimation(forKey: "stay")
    #expect(layer.presentation.opacity == 0.5)
    #expect(log.entries == [entry("stay", true, 11)])
  }

  @Test("time never goes back, and NaN is ignored")
  func timeNeverGoesBackAndNaNIsIgnored() {
    for (target, time) in [(12.0, 12.0), (11, 12), (.nan, 12), (-.infinity, 12), (12, 12), (13, 13)] {
      scene.advance(to: target)
      #expect(scene.time == time)
    }
  }

  @Test("a waiting or resting scene needs no frames, a moving one needs every frame")
  func aWaitingOrRestingSceneNeedsNoFramesAMovingOneNeedsEveryFrame() {
    let buffer = Bitmap(width: 16, height: 16, format: .xrgb8888)
    func needsFrame(at time: Double) -> Bool {
      scene.advance(to: time)
      defer { _ = scene.render(into: buffer.buffer) }
      return scene.needsFrame
    }
    let layer = addLayer()
    #expect(needsFrame(at: 10))
    #expect(!needsFrame(at: 11))
    layer.add(animation("fade", at: 15, lasting: 1))
    #expect(needsFrame(at: 12))
    #expect(!needsFrame(at: 13))
    #expect(!needsFrame(at: 14))
    #expect(needsFrame(at: 15))
    #expect(needsFrame(at: 15.5))
    // After the end, the model's value is presented again.
    #expect(needsFrame(at: 16))
    #expect(!needsFrame(at: 17))
  }

  // MARK: Actions

  @Test("a property's action runs from what is presented to what was set")
  func aPropertysActionRunsFromWhatIsPresentedToWhatWasSet() {
    let layer = addLayer()
    layer.actions[.opacity] = Animation(.opacity, duration: 1)
    layer.opacity = 0
    #expect(layer.presentation.opacity == 1)
    scene.advance(to: 10.5)
    #expect(layer.presentation.opacity == 0.5)
    // A change while the animation runs starts from the presented value, without a jump.
    layer.opacity = 1
    #expect(layer.presentation.opacity == 0.5)
    scene.advance(to: 11)
    #expect(layer.presentation.opacity == 0.75)
    scene.advance(to: 12)
    #expect(layer.presentation.opacity == 1)
    #expect(scene.activity == .resting)
  }

  @Test("changes in a transaction without actions, and in nested ones, are immediate")
  func changesInATransactionWithoutActionsAndInNestedOnesAreImmediate() {
    let layer = addLayer()
    layer.actions[.opacity] = Animation(.opacity, duration: 1)
    scene.transaction(disableActions: true) {
      scene.transaction { layer.opacity = 0.25 }
      #expect(layer.presentation.opacity == 0.25)
      layer.opacity = 0.5
    }
    #expect(layer.presentation.opacity == 0.5)
    #expect(scene.activity == .resting)
    scene.transaction { layer.opacity = 0 }
    #expect(scene.activity == .moving)
  }

  @Test("a transaction is complete when the last animation begun inside has ended")
  func aTransactionIsCompleteWhenTheLastAnimationBegunInsideHasEnded() {
    let (a, b) = (addLayer(), addLayer())
    var done: [Double] = []
    scene.transaction(completion: { done.append($0) }) {
      a.add(animation("a", lasting: 1))
      b.add(animation("b", lasting: 2))
    }
    scene.advance(to: 11.5)
    #expect(done.isEmpty)
    scene.advance(to: 13)
    #expect(done == [12])
  }

  @Test("a transaction completes at its end, or when its animations are removed")
  func aTransactionCompletesAtItsEndOrWhenItsAnimationsAreRemoved() {
    var done: [String] = []
    scene.transaction(completion: { _ in done.append("empty") }) { done.append("body") }
    #expect(done == ["body", "empty"])
    let layer = addLayer()
    scene.transaction(completion: { done.append("removed at \($0)") }) {
      layer.add(animation("a", lasting: 5), forKey: "a")
    }
    scene.advance(to: 11)
    layer.removeAnimation(forKey: "a")
    #expect(done.last == "removed at 11.0")
  }

  @Test("an outer transaction waits for animations begun in an inner one")
  func anOuterTransactionWaitsForAnimationsBegunInAnInnerOne() {
    let layer = addLayer()
    var done: [String] = []
    scene.transaction(completion: { done.append("outer \($0)") }) {
      layer.add(animation("a", lasting: 1))
      scene.transaction(completion: { done.append("inner \($0)") }) {
        layer.add(animation("b", lasting: 3))
      }
    }
    scene.advance(to: 12)
    #expect(done.isEmpty)
    scene.advance(to: 14)
    #expect(done == ["inner 13.0", "outer 13.0"])
  }

  @Test("an animation added outside a scene begins when its layer joins one")
  func anAnimationAddedOutsideASceneBeginsWhenItsLayerJoinsOne() {
    let layer = Layer()
    layer.add(animation("fade", lasting: 2))
    scene.root.addSublayer(layer)
    scene.advance(to: 11)
    #expect(layer.presentation.opacity == 0.5)
    scene.advance(to: 12)
    #expect(log.entries == [entry("fade", true, 12)])
  }
}

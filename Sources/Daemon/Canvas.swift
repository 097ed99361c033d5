// SPDX-License-Identifier: Apache-2.0

import Display
import LinuxSystem
import Raster
import Widgets

/// A picture that one or more displays show: a stage, the shadow that it is composed into, and the outputs.
///
/// Each output is paced by its own vblanks, but a frame is composed only once: if the vblanks of two outputs
/// are close together, both outputs present the same frame. While nothing moves, no frame is composed.
final class Canvas {
  /// What is to be shown. Outputs with equal content share a canvas.
  struct Content: Hashable {
    var size: PixelSize
    /// What stays free at each edge, in percent.
    var margins = 0
    /// The page that is shown all the time; nil for the common page.
    var page: String?
    /// The name of the output whose own brightness is used; nil for the common brightness.
    var lightOwner: String?
  }

  let content: Content
  private(set) var stage: Stage
  let shadow: Bitmap
  private(set) var members: [Member] = []
  /// Called when motion has ended.
  private let rested: () -> Void
  private let loop: EventLoop
  private var hasMoved = false
  /// The presentation time for which the shadow was last composed (CLOCK_MONOTONIC, nanoseconds).
  private var composedTime = Int64.min
  /// The shortest frame period of the outputs, in nanoseconds.
  private var period: Int64 = 16_666_667

  /// An output, and the parts of the shadow that it does not show yet.
  final class Member {
    let output: any Output
    var frameTimes = FrameTimes()
    fileprivate var pending = Region()
    /// What is being presented; separate, so that the storage of `pending` is not copied.
    fileprivate var presenting = Region()
    fileprivate let timer: LoopTimer

    fileprivate init(_ output: any Output, on loop: EventLoop) throws(SystemError) {
      self.output = output
      timer = try LoopTimer(.monotonic, on: loop)
      pending.reserveCapacity()
      presenting.reserveCapacity()
    }
  }

  init(_ content: Content, _ stage: Stage, on loop: EventLoop, rested: @escaping () -> Void) {
    self.content = content
    self.stage = stage
    self.loop = loop
    self.rested = rested
    shadow = Bitmap(width: content.size.width, height: content.size.height, format: .xrgb8888)
  }

  /// Shows `stage`, which has the canvas's size, instead of the current one.
  func show(_ stage: Stage) {
    stage.resume(from: self.stage, at: Presenter.now)
    self.stage = stage
    composeIfPossible()
  }

  // MARK: Members

  /// Adds an output. Has it draw its whole picture, also if it was added before.
  func join(_ output: any Output) throws(SystemError) {
    if let member = member(output) {
      renew(member)
    } else {
      let member = try Member(output, on: loop)
      member.timer.handler = { [weak self, weak member] _ in
        if let self, let member { self.composeIfPossible(for: member) }
      }
      members.append(member)
      renew(member)
    }
    period = members.compactMap { $0.output.description?.mode.framePeriodNanoseconds }.min() ?? 16_666_667
  }

  private func renew(_ member: Member) {
    if members.count == 1 {
      stage.scene.invalidate()
    } else if composedTime != .min {
      member.pending.insert(shadow.buffer.bounds)
    }
  }

  func member(_ output: any Output) -> Member? { members.first { $0.output === output } }

  func leave(_ output: any Output) {
    guard let index = members.firstIndex(where: { $0.output === output }) else { return }
    members.remove(at: index).timer.cancel()
  }

  // MARK: Frames

  /// Composes and presents the next frame on all outputs that have no frame in flight.
  func composeIfPossible() {
    for index in members.indices where index < members.count { composeIfPossible(for: members[index]) }
  }

  /// Composes and presents the next frame on an output if there is something to show and no frame is in
  /// flight. Otherwise the event that ends the flight, or the timer, calls this again.
  func composeIfPossible(for member: Member) {
    let output = member.output
    guard output.description != nil, output.canPresent else { return }
    let start = SystemClock.monotonic.now.totalNanoseconds
    let target = output.nextPresentationTime
    // A faster display may show this frame before `target`, the next vblank of a slow one. So the frame is
    // composed for a time at most one `period` from now.
    let time = members.count == 1 ? target : min(target, loop.now + period)
    if isDue(at: time) {
      stage.scene.advance(to: Double(time) / 1e9)
      if stage.scene.needsFrame {
        let damage = stage.scene.render(into: shadow.buffer)
        if !damage.isEmpty {
          hasMoved = true
          composedTime = time
          if members.count > 1 || !member.pending.isEmpty { return share(damage, member, since: start) }
          output.present(shadow.buffer, damage: damage)
          member.frameTimes.record(nanoseconds: SystemClock.monotonic.now.totalNanoseconds - start)
          return
        }
      }
    }
    if present(member, since: start) { return }
    wait(member, target)
  }

  /// Whether a frame is to be composed for `target`. With several outputs, only if `target` is at least nine
  /// tenths of `period` after the time of the last frame.
  private func isDue(at target: Int64) -> Bool {
    members.count == 1 || composedTime == .min || target >= composedTime + period / 10 * 9
  }

  /// Adds the damage to all outputs, and presents it on those that are ready, on `first` before the others.
  private func share(_ damage: [PixelRect], _ first: Member, since start: Int64) {
    for member in members { for rect in damage { member.pending.insert(rect) } }
    _ = present(first, since: start)
    for index in members.indices where index < members.count && members[index] !== first {
      let member = members[index]
      if member.output.canPresent {
        _ = present(member, since: SystemClock.monotonic.now.totalNanoseconds)
      }
    }
  }

  /// Presents what an output does not show yet; returns false if it shows everything.
  private func present(_ member: Member, since start: Int64) -> Bool {
    if member.pending.isEmpty { return false }
    member.presenting.removeAll()
    swap(&member.pending, &member.presenting)
    member.timer.disarm()
    member.output.present(shadow.buffer, damage: member.presenting.rects)
    member.frameTimes.record(nanoseconds: SystemClock.monotonic.now.totalNanoseconds - start)
    return true
  }

  /// Called when an output has nothing to present. Tries again when the next animation begins. While an
  /// animation runs, tries again at the next frame: the animation may not have changed a pixel yet, or the
  /// frame of another output may just have been composed.
  private func wait(_ member: Member, _ target: Int64) {
    switch stage.scene.activity {
    case .resting:
      member.timer.disarm()
      if hasMoved {
        hasMoved = false
        rested()
      }
    case .waiting(let until):
      member.timer.arm(at: ClockTime(totalNanoseconds: Int64(until * 1e9)))
    case .moving:
      let period = member.output.description?.mode.framePeriodNanoseconds ?? 16_666_667
      member.timer.arm(at: ClockTime(totalNanoseconds: target + (members.count == 1 ? period : 0)))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import LinuxSystem
import Settings
import WallState

/// Makes the offers to pair an owner's phone, while the wall wants one.
///
/// The codes change after a while, so that a picture of the display is of no use later. People who are typing
/// the code at that moment have to type the new one. The machine's address is looked up again and again,
/// because a network may come and go, and flipclock-web may begin to listen.
final class SetUpOffers {
  /// Nanoseconds.
  static let codesSpan: Int64 = 900_000_000_000
  private static let interval: Int64 = 5_000_000_000

  private let loop: EventLoop
  private let timer: LoopTimer
  private let find: () -> RemoteAddress?
  /// Called with an offer that differs from the last one.
  var changed: (SetUpOffer) -> Void = { _ in }
  private var codes: (PairingCodes, since: Int64)?
  private var offered: SetUpOffer?

  /// - Parameter find: returns the machine's address.
  init(on loop: EventLoop, find: @escaping () -> RemoteAddress?) throws(SystemError) {
    (self.loop, self.find) = (loop, find)
    timer = try LoopTimer(.monotonic, on: loop)
    timer.handler = { [weak self] _ in self?.look() }
  }

  /// Call after each change of the wall.
  func update(_ wall: Wall) {
    // The wall removes an offer when its codes were used.
    if wall.setUpOffer != offered { (codes, offered) = (nil, nil) }
    guard wall.wantsSetUp else {
      (codes, offered) = (nil, nil)
      return timer.disarm()
    }
    if offered == nil { timer.arm(inNanoseconds: 0) }
  }

  private func look() {
    timer.arm(inNanoseconds: Self.interval)
    let codes = codes.flatMap { loop.now - $0.since < Self.codesSpan ? $0 : nil } ?? drawn()
    self.codes = codes
    let offer = SetUpOffer(codes.0, at: find())
    guard offer != offered else { return }
    offered = offer
    changed(offer)
  }

  private func drawn() -> (PairingCodes, since: Int64) {
    var generator = SystemRandomNumberGenerator()
    return (PairingCodes(&generator), loop.now)
  }
}

// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Testing

@testable import LinuxSystem

@Suite(.serialized)
struct SignalWatchTests {
  /// Sends the signal to this thread only, because other tests run on threads that have not blocked it.
  private func raiseHere(_ signal: Int32) { pthread_kill(pthread_self(), signal) }

  @Test("Signals arrive on the loop with their numbers")
  func delivers() throws {
    let loop = try EventLoop()
    var seen: [Int32] = []
    let watch = try SignalWatch([SIGUSR1, SIGWINCH], on: loop) { seen.append($0.number) }
    raiseHere(SIGUSR1)
    raiseHere(SIGWINCH)
    #expect(seen.isEmpty)
    try loop.turn(timeoutMilliseconds: 1000)
    #expect(seen.sorted() == [SIGUSR1, SIGWINCH].sorted())
    watch.cancel()
  }

  @Test("A handler may cancel its own watch; the signal stays blocked")
  func cancelsItself() throws {
    let loop = try EventLoop()
    var count = 0
    var watch: SignalWatch?
    watch = try SignalWatch([SIGUSR2], on: loop) { _ in
      count += 1
      watch?.cancel()
      watch = nil
    }
    raiseHere(SIGUSR2)
    try loop.turn(timeoutMilliseconds: 1000)
    // If the signal were unblocked, this would end the test run.
    raiseHere(SIGUSR2)
    try loop.turn(timeoutMilliseconds: 0)
    #expect(count == 1)
    #expect(watch == nil)
    // Removes the signal from the queue, because otherwise the next watch on this thread would receive it.
    let drain = try SignalWatch([SIGUSR2], on: loop) { _ in count += 1 }
    try loop.turn(timeoutMilliseconds: 0)
    #expect(count == 2)
    drain.cancel()
  }

  @Test("An invalid signal number is rejected")
  func refuses() throws {
    let loop = try EventLoop()
    let error = thrown { _ = try SignalWatch([SIGUSR1, 4000], on: loop) { _ in } }
    #expect(error?.errno.rawValue == EINVAL)
    #expect(error?.subject == "signal 4000")
  }
}

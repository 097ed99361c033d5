// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Testing

@testable import LinuxSystem

struct EventLoopTests {
  /// A connected pair of stream sockets.
  private func pair() throws -> (Int32, Int32) {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    return (ends[0], ends[1])
  }

  @Test("A handler is called for readable, writable and hangup")
  func readiness() throws {
    let loop = try EventLoop()
    let (a, b) = try pair()
    defer { close(a) }
    var seen: EventLoop.Readiness = []
    let watch = try loop.watch(a, for: .readable) { seen = $0 }
    try loop.turn(timeoutMilliseconds: 0)
    #expect(seen == [])
    _ = write(b, "x", 1)
    try loop.turn(timeoutMilliseconds: 1000)
    #expect(seen == .readable)
    try watch.update(.writable)
    try loop.turn(timeoutMilliseconds: 1000)
    #expect(seen == .writable)
    try watch.update([.readable, .hangup])
    close(b)
    try loop.turn(timeoutMilliseconds: 1000)
    #expect(seen.contains(.readable))
    #expect(!seen.isDisjoint(with: .hangup))
    watch.cancel()
    seen = []
    try loop.turn(timeoutMilliseconds: 0)
    #expect(seen == [])
  }

  @Test("A watch that another handler cancelled in the same turn is not called")
  func cancelsAnother() throws {
    let loop = try EventLoop()
    let (a, b) = try pair()
    defer {
      close(a)
      close(b)
    }
    var calls = 0
    var watches: [EventLoop.Watch] = []
    for end in [a, b] {
      watches.append(
        try loop.watch(end, for: .writable) { _ in
          calls += 1
          for watch in watches { watch.cancel() }
        })
    }
    try loop.turn(timeoutMilliseconds: 1000)
    #expect(calls == 1)
    try loop.turn(timeoutMilliseconds: 0)
    #expect(calls == 1)
  }

  @Test("A cancelled watch can be cancelled again and ignores updates")
  func cancelTwice() throws {
    let loop = try EventLoop()
    let (a, b) = try pair()
    let watch = try loop.watch(a, for: .readable) { _ in }
    watch.cancel()
    close(a)
    close(b)
    watch.cancel()
    #expect(failure { try watch.update(.writable) } == nil)
  }

  @Test("A watch ends when it is destroyed, and then closes the descriptor that it owns")
  func ownership() throws {
    let loop = try EventLoop()
    let (a, b) = try pair()
    defer { close(b) }
    // A second descriptor of the same socket would keep epoll reporting it if only the first one were closed.
    let duplicate = dup(a)
    defer { close(duplicate) }
    var calls = 0
    var watch: EventLoop.Watch? = try loop.watch(owning: FileDescriptor(owning: a), for: .writable) { _ in
      calls += 1
    }
    #expect(watch?.fileDescriptor == a)
    try loop.turn(timeoutMilliseconds: 1000)
    #expect(calls == 1)
    watch = nil
    #expect(clinux_fcntl(a, F_GETFD, 0) == -1)
    let wakeups = loop.wakeups
    try loop.turn(timeoutMilliseconds: 10)
    #expect(calls == 1)
    #expect(loop.wakeups == wakeups + 1)
  }

  @Test("A descriptor that cannot be watched is an error")
  func refuses() throws {
    let loop = try EventLoop()
    #expect(failure { _ = try loop.watch(-1, for: .readable) { _ in } } == EBADF)
    let file = try FileDescriptor(opening: "/proc/self/status", O_RDONLY)
    let raw = file.rawValue
    #expect(failure { _ = try loop.watch(raw, for: .readable) { _ in } } == EPERM)
  }

  @Test("More ready descriptors than one epoll_wait returns are all handled")
  func many() throws {
    let loop = try EventLoop()
    var ends: [Int32] = []
    var served: Set<Int32> = []
    var watches: [EventLoop.Watch] = []
    for _ in 0..<40 {
      let (a, b) = try pair()
      ends += [a, b]
    }
    defer { for end in ends { close(end) } }
    for end in ends { watches.append(try loop.watch(end, for: .writable) { _ in served.insert(end) }) }
    for _ in 0..<4 { try loop.turn(timeoutMilliseconds: 0) }
    #expect(served.count == 80)
    for watch in watches { watch.cancel() }
  }

  @Test("Deferred work runs after the handlers; what it defers runs in the next turn")
  func deferred() throws {
    let loop = try EventLoop()
    var order: [String] = []
    loop.defer {
      order.append("first")
      loop.defer { order.append("third") }
    }
    loop.defer { order.append("second") }
    try loop.turn(timeoutMilliseconds: -1)
    #expect(order == ["first", "second"])
    try loop.turn(timeoutMilliseconds: -1)
    #expect(order == ["first", "second", "third"])
    #expect(loop.wakeups == 0)
  }

  @Test("Idle slices run while nothing is ready, until they return false")
  func idle() throws {
    let loop = try EventLoop()
    let (a, b) = try pair()
    defer {
      close(a)
      close(b)
    }
    var slices = 0
    var handled = 0
    loop.whenIdle {
      slices += 1
      return slices < 3
    }
    let watch = try loop.watch(a, for: .readable) { _ in
      handled += 1
      var byte: UInt8 = 0
      _ = read(a, &byte, 1)
    }
    _ = write(b, "x", 1)
    try loop.turn(timeoutMilliseconds: -1)
    #expect((handled, slices) == (1, 0))
    for _ in 0..<3 { try loop.turn(timeoutMilliseconds: -1) }
    #expect((handled, slices) == (1, 3))
    try loop.turn(timeoutMilliseconds: 0)
    #expect(slices == 3)
    watch.cancel()
  }

  @Test("Run ends after the turn in which it was stopped, and counts its sleeps")
  func run() throws {
    let loop = try EventLoop()
    var fired = 0
    var timer: LoopTimer?
    timer = try LoopTimer(.monotonic, on: loop) { _ in
      fired += 1
      if fired == 3 {
        loop.stop()
      } else {
        timer?.arm(at: ClockTime(seconds: 0))
      }
    }
    timer?.arm(at: ClockTime(seconds: 0))
    try loop.run()
    #expect(fired == 3)
    #expect(loop.wakeups == 3)
    timer?.cancel()
  }
}

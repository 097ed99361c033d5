// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing
import WebServer

@testable import WebRemote

@Suite struct AttemptLimiterTests {
  private static let minute: Int64 = 60_000_000_000

  @Test("An address may make a burst of attempts, and then one in each interval")
  func rate() {
    var limiter = AttemptLimiter<PeerAddress>(
      each: .init(burst: 3, perMinute: 3), all: .init(burst: 100, perMinute: 100))
    let address = PeerAddress(ipv4: 1)
    let other = PeerAddress(ipv4: 2)
    let third = Self.minute / 3
    let attempts: [(PeerAddress, Int64)] = [
      (address, 0), (address, 0), (address, 0), (address, 0), (address, third - 1), (address, third),
      (address, third), (other, third),
    ]
    let allowed = attempts.map { limiter.attempt(from: $0, now: $1) }
    #expect(allowed == [true, true, true, false, false, true, false, true])
    limiter.succeeded(from: address)
    let afterSuccess = limiter.attempt(from: address, now: third)
    let later = limiter.attempt(from: address, now: 10 * Self.minute)
    #expect(afterSuccess && later)
  }

  @Test("In any span of time, no address and not all together make more attempts than the rates allow")
  func random() {
    var random = SplitMix(seed: 9)
    for _ in 0..<TestEffort.rounds(20, long: 500) {
      let each = AttemptRate(burst: random.int(1...5), perMinute: random.int(1...30))
      let all = AttemptRate(burst: random.int(5...10), perMinute: random.int(10...60))
      var limiter = AttemptLimiter<PeerAddress>(each: each, all: all)
      var now: Int64 = 0
      var allowed: [(address: UInt32, time: Int64)] = []
      for _ in 0..<600 {
        if random.int(0...3) == 0 { now += Int64(random.int(0...4_000)) * 1_000_000 }
        let address = UInt32(random.int(1...8))
        guard limiter.attempt(from: PeerAddress(ipv4: address), now: now) else { continue }
        if random.int(0...5) == 0 {
          limiter.succeeded(from: PeerAddress(ipv4: address))
        } else {
          allowed.append((address, now))
        }
      }
      for (start, first) in allowed.enumerated() {
        var total = 0
        var own = 0
        for other in allowed[start...] {
          total += 1
          if other.address == first.address { own += 1 }
          let span = other.time - first.time
          #expect(total <= all.burst + Int(span / all.interval))
          #expect(own <= each.burst + Int(span / each.interval))
        }
      }
    }
  }

  @Test("The addresses of an IPv6 network (/64) count as one")
  func networks() throws {
    var limiter = AttemptLimiter<PeerAddress>(
      each: .init(burst: 3, perMinute: 3), all: .init(burst: 100, perMinute: 100))
    func attempt(_ text: String) throws -> Bool {
      limiter.attempt(from: try #require(PeerAddress(text)), now: 0)
    }
    for number in 0..<20 {
      let isAllowed = try attempt("2001:db8::\(number):1")
      #expect(isAllowed == (number < 3))
    }
    let others = try [attempt("2001:db8:0:1::1"), attempt("10.0.0.1"), attempt("10.0.0.2")]
    #expect(others == [true, true, true])
    limiter.succeeded(from: try #require(PeerAddress("2001:db8::ffff")))
    let isAllowed = try attempt("2001:db8::1")
    #expect(isAllowed && limiter.senderCount == 4)
  }

  @Test("The memory is bounded, and an address that has used up its attempts is not forgotten")
  func memory() {
    var limiter = AttemptLimiter<PeerAddress>(
      each: .init(burst: 2, perMinute: 1), all: .init(burst: 10_000, perMinute: 10_000))
    let guesser = PeerAddress(ipv4: 7)
    for _ in 0..<2 { _ = limiter.attempt(from: guesser, now: 0) }
    for number in 0..<5000 { _ = limiter.attempt(from: PeerAddress(ipv4: UInt32(100 + number)), now: 1) }
    #expect(limiter.senderCount <= AttemptLimiter<PeerAddress>.senderLimit)
    let isForgotten = limiter.attempt(from: guesser, now: 2)
    #expect(!isForgotten)
  }

  @Test("Each reason is logged once a minute, with the number of the others")
  func log() {
    let lines = Lines()
    var log = RefusalLog(Log { _, line in lines.all.append(line) })
    let address = PeerAddress(ipv4: 0x0a00_0001)
    for second in 0..<130 { log.record("a", from: address, now: Int64(second) * 1_000_000_000) }
    log.record("b", from: address, now: 0)
    #expect(
      lines.all == [
        "refused 10.0.0.1: a", "refused 10.0.0.1: a (and 59 more since the last such line)",
        "refused 10.0.0.1: a (and 59 more since the last such line)", "refused 10.0.0.1: b",
      ])
    for number in 0..<10_000 { log.record("\(number)", from: address, now: 0) }
  }
}

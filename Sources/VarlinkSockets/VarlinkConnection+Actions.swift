// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Varlink

extension VarlinkConnection {
  /// The next action; nil: wait for an event. The server calls this after every event until it is nil.
  package mutating func nextAction(_ now: ClockTime) -> Action? {
    defer { settle(now) }
    if isOpen {
      if !unsent.isEmpty { return blocked ? nil : .send }
      if inProgress != nil { return nil }
      if let call = nextCall() { return begin(call) }
    }
    switch phase {
    case .closing(let reason):
      phase = .closed
      return .close(reason)
    case .inputEnded, .orphaned:
      phase = .closed
      return .close(.finished)
    case .failing(let error):
      queue(.failing(error))
      phase = .farewell
      return .send
    case .farewell:
      phase = .lingering(discarded: 0)
      return .shutdownWriting
    case .serving, .lingering, .closed: return nil
    }
  }

  private var isOpen: Bool {
    switch phase {
    case .closing, .closed: false
    default: true
    }
  }

  private mutating func begin(_ call: VarlinkCall) -> Action {
    calls += 1
    // A oneway call has no reply to wait for: the next call can begin at once.
    if !call.oneway { inProgress = (calls, call.more) }
    return .begin(call, number: calls)
  }

  private mutating func nextCall() -> VarlinkCall? {
    switch phase {
    case .serving, .inputEnded, .orphaned: break
    default: return nil
    }
    do throws(ProtocolViolation) {
      while let call = try readCall() {
        if phase != .orphaned || call.oneway { return call }
      }
      return nil
    } catch {
      // If the client is gone, no error is sent, because nobody would read it.
      phase = phase == .orphaned ? .closing(.finished) : .failing(violation(error.reason))
      framing = VarlinkFraming(maximum: limits.callBytes)
      return nil
    }
  }

  private mutating func readCall() throws(ProtocolViolation) -> VarlinkCall? {
    let message: [UInt8]?
    do { message = try framing.next() } catch {
      throw ProtocolViolation(reason: "the message is longer than \(error.maximum) bytes")
    }
    guard let message else { return nil }
    return try VarlinkCall(reading: message)
  }

  mutating func queue(_ reply: VarlinkReply) {
    output += reply.message
    output.append(0)
    queued += 1
  }

  mutating func discardOutput() {
    output.removeAll(keepingCapacity: output.capacity <= limits.callBytes)
    outputStart = 0
    queued = 0
    blocked = false
  }

  /// Drops a client that does not read its replies. No error is sent, because the client would not read it.
  mutating func abandon() {
    discardOutput()
    if isOpen { phase = .closing(.slowReader) }
  }

  /// Sets the deadline when a new wait begins. The deadline does not change while the wait stays the same.
  private mutating func settle(_ now: ClockTime) {
    let current = currentWait
    guard current != wait else { return }
    wait = current
    deadline = current.map { _ in
      ClockTime(seconds: now.seconds &+ limits.patienceSeconds, nanoseconds: now.nanoseconds)
    }
  }

  private var currentWait: Wait? {
    switch phase {
    case .closing, .closed, .orphaned: return nil
    case .lingering: return .leave
    case .serving, .inputEnded, .failing, .farewell:
      if blocked { return .reader(sentSoFar: totalSent) }
      let busy = inProgress != nil || !unsent.isEmpty
      return phase == .serving && !busy && framing.bufferedBytes > 0 ? .restOfMessage(afterCalls: calls) : nil
    }
  }
}

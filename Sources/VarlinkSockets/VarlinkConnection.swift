// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Varlink

/// The server's side of a client's connection as a pure state machine: events go in, and `nextAction` returns
/// what the server is to do.
///
/// Calls are performed one at a time, in order; each begins when the reply to the previous one has been sent.
/// So a client that does not read delays only itself, and at most one reply that is not part of a stream is
/// queued. Pipelined calls stay in the buffer; the socket is not read while that is full.
package struct VarlinkConnection {
  package struct Limits: Hashable, Sendable {
    /// The maximum size of a call. While more than this is buffered, the socket is not read.
    package var callBytes = VarlinkFraming.maximumCallBytes
    /// If more than this many bytes are unsent when another reply of a stream follows, the connection is
    /// closed.
    package var unsentBytes = 256 * 1024
    /// If another reply of a stream follows after this many were queued without the output ever becoming
    /// empty, the connection is closed.
    package var queuedReplies = 64
    /// How much is read and discarded after an error, so that the client can read the error.
    package var discardedBytes = 1024 * 1024
    /// The time limit for the rest of a message, for the client to read more of a reply, and for the client
    /// to close the connection after an error.
    package var patienceSeconds: Int64 = 10

    package init() {}
  }

  package enum Action: Hashable, Sendable {
    /// Perform this call and pass its reply to `reply(_:to:)`.
    case begin(VarlinkCall, number: UInt64)
    /// Write `unsent` and report the count with `sent`.
    case send
    /// Nothing more will be written: shut this direction down.
    case shutdownWriting
    /// Close the connection; no action follows.
    case close(CloseReason)
  }

  package enum CloseReason: Hashable, Sendable {
    case finished
    case slowReader
  }

  enum Phase: Hashable {
    case serving
    /// The client has shut down its sending side and waits for replies.
    case inputEnded
    /// The client is gone; only its oneway calls and the call in progress are still performed.
    case orphaned
    /// The error is to be sent after the replies to earlier calls.
    case failing(VarlinkError)
    /// The error is being sent.
    case farewell
    /// Everything was sent. Reads until the client closes, because closing with unread input would reset the
    /// connection, possibly before the client has read the error.
    case lingering(discarded: Int)
    case closing(CloseReason)
    case closed
  }

  /// What a deadline is for.
  enum Wait: Hashable {
    case restOfMessage(afterCalls: UInt64)
    case reader(sentSoFar: Int)
    case leave
  }

  package let limits: Limits
  /// The interface that declares the errors that end a connection.
  let interface: String
  var phase = Phase.serving
  var framing: VarlinkFraming
  /// The call whose reply is awaited; never a oneway call.
  var inProgress: (number: UInt64, more: Bool)?
  var calls: UInt64 = 0
  var output: [UInt8] = []
  /// Replies that were queued since the output was last empty.
  var queued = 0
  var outputStart = 0
  var totalSent = 0
  var blocked = false
  var wait: Wait?

  /// The time at which `timePassed` must be called, on the clock of the caller's `now`.
  package internal(set) var deadline: ClockTime?

  /// - Parameter interface: the name of the interface that declares `ProtocolViolation` and `TooManyClients`.
  package init(limits: Limits = Limits(), interface: String) {
    self.limits = limits
    self.interface = interface
    framing = VarlinkFraming(maximum: limits.callBytes)
  }

  // MARK: What the server reads

  package var unsent: ArraySlice<UInt8> { output[outputStart...] }

  package var wantsToRead: Bool {
    switch phase {
    case .serving: framing.bufferedBytes <= limits.callBytes
    case .lingering: true
    default: false
    }
  }

  /// Whether to call `becameWritable` when the socket accepts bytes again.
  package var wantsToWrite: Bool { blocked }

  /// Whether no call, no reply and no part of a message is pending, so that the connection can be closed.
  package var isIdle: Bool {
    phase == .serving && inProgress == nil && unsent.isEmpty && framing.bufferedBytes == 0
  }

  /// Whether a stream is open: a call with `more` is in progress.
  var isStreaming: Bool { inProgress?.more == true }

  /// Whether a call is in progress or arriving, or a reply is unsent. An open stream does not count.
  var owesAnswer: Bool {
    switch phase {
    case .serving, .inputEnded, .failing, .farewell:
      inProgress?.more == false || framing.bufferedBytes > 0 || !unsent.isEmpty
    case .orphaned: inProgress != nil
    case .lingering, .closing, .closed: false
    }
  }

  /// Whether no call has begun yet.
  var isNew: Bool { phase == .serving && calls == 0 }

  // MARK: Events

  package mutating func received(_ bytes: some Collection<UInt8>) {
    switch phase {
    case .serving: framing.append(bytes)
    case .lingering(let discarded):
      let total = discarded + bytes.count
      phase = total > limits.discardedBytes ? .closing(.finished) : .lingering(discarded: total)
    default: break
    }
  }

  /// Call when the client has shut down its sending side. The client may still read.
  package mutating func inputEnded() {
    switch phase {
    case .serving: phase = .inputEnded
    case .lingering: phase = .closing(.finished)
    default: break
    }
  }

  /// Call when the client neither sends nor reads any more. If a stream is open, the connection is closed.
  /// Otherwise the client's oneway calls and the call in progress are still performed. Other calls are not
  /// begun: they could change the score long after somebody else has corrected it.
  package mutating func peerVanished() {
    discardOutput()
    switch phase {
    case .serving, .inputEnded: phase = inProgress?.more == true ? .closing(.finished) : .orphaned
    case .failing where inProgress != nil: phase = .orphaned
    case .failing, .farewell, .lingering: phase = .closing(.finished)
    case .orphaned, .closing, .closed: break
    }
  }

  /// Passes a reply to the call in progress. Replies to earlier calls are ignored.
  package mutating func reply(_ reply: VarlinkReply, to number: UInt64) {
    guard let call = inProgress, call.number == number, call.more || !reply.continues else { return }
    if !reply.continues { inProgress = nil }
    switch phase {
    case .serving, .inputEnded, .failing:
      if unsent.count > limits.unsentBytes || queued >= limits.queuedReplies { return abandon() }
      queue(reply)
    case .orphaned, .farewell, .lingering, .closing, .closed: break
    }
  }

  /// Call when the socket has accepted `count` bytes of `unsent`. If these are not all, the socket is full.
  package mutating func sent(_ count: Int) {
    outputStart += count
    totalSent &+= count
    blocked = outputStart < output.count
    if !blocked { discardOutput() }
  }

  package mutating func becameWritable() { blocked = false }

  /// Reports to the client that too many clients are connected, and closes the connection.
  package mutating func refuse(limit: Int) {
    fail(
      VarlinkError(name: "\(interface).TooManyClients", parameters: ["limit": .integer(Int64(limit))]))
  }

  /// Sends the error after the replies to earlier calls, and closes the connection.
  private mutating func fail(_ error: VarlinkError) {
    switch phase {
    case .serving, .inputEnded: phase = .failing(error)
    default: break
    }
  }

  func violation(_ reason: String) -> VarlinkError {
    VarlinkError(name: "\(interface).ProtocolViolation", parameters: ["reason": .string(reason)])
  }

  package mutating func timePassed(_ now: ClockTime) {
    guard let deadline, deadline <= now else { return }
    switch wait {
    case .restOfMessage:
      fail(violation("the message did not end within \(limits.patienceSeconds) s"))
    case .reader: abandon()
    case .leave: phase = .closing(.finished)
    case nil: break
    }
  }
}

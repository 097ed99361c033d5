// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// One client's connection as a pure state machine: what happened goes in, `nextAction` says what to
/// do, and the server does it.
///
/// Calls are done one at a time, in order; the next begins when the reply to the last has been sent.
/// So a client that does not read holds up itself and nobody else, and there is never more than one
/// plain reply queued. Calls sent ahead stay in the buffer; when that is full the socket is not read.
public struct ControlConnection {
  public struct Limits: Hashable, Sendable {
    /// Of one call; also how much is buffered while a call is in progress.
    public var callBytes = VarlinkFraming.maximumCallBytes
    /// A stream of replies is cut when more than this lies unread,
    public var unsentBytes = 256 * 1024
    /// or so many replies.
    public var queuedReplies = 64
    /// Read and thrown away after an error, so that the client gets to see the error.
    public var discardedBytes = 1024 * 1024
    /// For a message that was begun, a reply that is not read, a client that should leave.
    public var patienceSeconds: Int64 = 10

    public init() {}
  }

  public enum Action: Hashable, Sendable {
    /// Do this call and hand its reply to `reply(_:to:)`.
    case begin(VarlinkCall, number: UInt64)
    /// Write `unsent` and tell `sent`.
    case send
    /// Nothing more will be written: shut that direction down.
    case shutdownWriting
    /// The end; nothing follows.
    case close(CloseReason)
  }

  public enum CloseReason: Hashable, Sendable {
    case finished
    case slowReader
  }

  enum Phase: Hashable {
    case serving
    /// The client sends no more and waits for what it asked.
    case inputEnded
    /// The client is gone; what it asked is still done.
    case orphaned
    /// To be told to the client after the replies to its earlier calls.
    case failing(ControlError)
    /// The error is on its way.
    case farewell
    /// All is said: reads on until the client leaves, for a close with unread input would reset the
    /// connection, perhaps before the client has read why.
    case lingering(discarded: Int)
    case closing(CloseReason)
    case closed
  }

  /// What the patience is for.
  enum Wait: Hashable {
    case restOfMessage(afterCalls: UInt64)
    case reader(sentSoFar: Int)
    case leave
  }

  public let limits: Limits
  var phase = Phase.serving
  var framing: VarlinkFraming
  var inProgress: (number: UInt64, oneway: Bool, more: Bool)?
  var calls: UInt64 = 0
  var output: [UInt8] = []
  /// Replies that were queued since all was sent.
  var queued = 0
  var outputStart = 0
  var totalSent = 0
  var blocked = false
  var wait: Wait?

  /// When `timePassed` is due, on the clock of the caller's `now`.
  public internal(set) var deadline: ClockTime?

  public init(limits: Limits = Limits()) {
    self.limits = limits
    framing = VarlinkFraming(maximum: limits.callBytes)
  }

  // MARK: What the server asks

  public var unsent: ArraySlice<UInt8> { output[outputStart...] }

  public var wantsToRead: Bool {
    switch phase {
    case .serving: framing.bufferedBytes <= limits.callBytes
    case .lingering: true
    default: false
    }
  }

  /// Whether to call `becameWritable` when the socket takes bytes again.
  public var wantsToWrite: Bool { blocked }

  /// Nothing begun, nothing owed: such a client can be let go.
  public var isIdle: Bool {
    phase == .serving && inProgress == nil && unsent.isEmpty && framing.bufferedBytes == 0
  }

  /// A call was begun or is on its way, or a reply is still to be sent. A stream that is open owes nothing.
  var owesAnswer: Bool {
    switch phase {
    case .serving, .inputEnded, .failing, .farewell:
      inProgress?.more == false || framing.bufferedBytes > 0 || !unsent.isEmpty
    case .orphaned: inProgress != nil
    case .lingering, .closing, .closed: false
    }
  }

  /// Nothing was asked yet.
  var isNew: Bool { phase == .serving && calls == 0 }

  // MARK: What happened

  public mutating func received(_ bytes: some Collection<UInt8>) {
    switch phase {
    case .serving: framing.append(bytes)
    case .lingering(let discarded):
      let total = discarded + bytes.count
      phase = total > limits.discardedBytes ? .closing(.finished) : .lingering(discarded: total)
    default: break
    }
  }

  /// The client sends no more; it may still read.
  public mutating func inputEnded() {
    switch phase {
    case .serving: phase = .inputEnded
    case .lingering: phase = .closing(.finished)
    default: break
    }
  }

  /// The client neither sends nor reads any more. What it asked for without a reply, and the call in
  /// progress, are still done; calls whose replies nobody would read are not begun, or they would change
  /// the score long after somebody else has set it right.
  public mutating func peerVanished() {
    discardOutput()
    switch phase {
    case .serving, .inputEnded: phase = inProgress?.more == true ? .closing(.finished) : .orphaned
    case .failing where inProgress != nil: phase = .orphaned
    case .failing, .farewell, .lingering: phase = .closing(.finished)
    case .orphaned, .closing, .closed: break
    }
  }

  /// A reply to the call in progress; any other number is of a call that is over.
  public mutating func reply(_ reply: VarlinkReply, to number: UInt64) {
    guard let call = inProgress, call.number == number, call.more || !reply.continues else { return }
    if !reply.continues { inProgress = nil }
    switch phase {
    case .serving, .inputEnded, .failing:
      if call.oneway { return }
      if unsent.count > limits.unsentBytes || queued >= limits.queuedReplies { return abandon() }
      queue(reply)
    case .orphaned, .farewell, .lingering, .closing, .closed: break
    }
  }

  /// The socket took `count` bytes of `unsent`; fewer than all: it is full.
  public mutating func sent(_ count: Int) {
    outputStart += count
    totalSent &+= count
    blocked = outputStart < output.count
    if !blocked { discardOutput() }
  }

  public mutating func becameWritable() { blocked = false }

  /// Says why and lets the client go, after the replies that it still waits for.
  public mutating func fail(_ error: ControlError) {
    switch phase {
    case .serving, .inputEnded: phase = .failing(error)
    default: break
    }
  }

  public mutating func timePassed(_ now: ClockTime) {
    guard let deadline, deadline <= now else { return }
    switch wait {
    case .restOfMessage:
      fail(.protocolViolation(reason: "the message did not end within \(limits.patienceSeconds) s"))
    case .reader: abandon()
    case .leave: phase = .closing(.finished)
    case nil: break
    }
  }
}

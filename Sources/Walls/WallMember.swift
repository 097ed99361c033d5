// SPDX-License-Identifier: Apache-2.0

import Scoreboard

/// A wall's part in a match that several walls share: whether it leads, and what it knows of the others.
///
/// A pure value: its methods return what is to be done. Instants are this wall's match time (CLOCK_BOOTTIME),
/// in nanoseconds.
///
/// One wall leads: it performs the commands of all walls, and sends each state. A beat each second shows that
/// it still leads. Of two living leaders, the one with the higher rank goes on (`Rank`). What a broker has
/// kept and what followers offer are facts about the past. A takeover raises the reign. A person decides it,
/// or the wall whose config says that it leads takes over when it has heard no leader for some seconds.
/// docs/walls.md has the rules and the reasons.
package struct WallMember: Hashable, Sendable {
  package enum Role: String, Hashable, Sendable, Codable {
    /// Performs the commands of all walls, and sends each state.
    case leader
    /// Shows the leader's states, and sends its own commands to the leader.
    case follower
    /// Is to lead, and finds out first whether a match exists.
    case candidate
  }

  /// What is saved with the match. It must be durable before any message that depends on it is sent.
  package struct Saved: Hashable, Sendable, Codable {
    /// The name of the shared match.
    package let board: String
    /// This wall's name: 16 hexadecimal digits.
    package var name: String
    package var role: Role
    /// What this wall has of the shared match's history; nil: this wall has never had a part in that match.
    package var history: SharedHistory?
    /// Whether this wall began to lead without a decision of a person or of the old leader, and the broker
    /// has not sent back its announcement yet.
    package var isUnannounced = false
    /// Whether this wall leads although it has heard another wall whose config says that it leads; nil: no.
    /// The other wall leads again when it hears no leader.
    package var hasRival: Bool?
    /// The histories of matches that were set aside, the oldest first.
    package var aside: [SharedHistory] = []

    package var isSound: Bool {
      MatchStamp.isName(name) && history?.isSound ?? (role != .leader)
        && aside.allSatisfy(\.isSound)
    }
  }

  enum Time {
    static let second: Int64 = 1_000_000_000
    static let beat = second
    /// A leader that was not heard for this time may be gone: its followers refuse commands.
    static let alive = 3 * second
    /// How long a wall listens before it leads.
    static let listening = 3 * second
    /// How long a leader whose config does not say that it leads goes on without hearing its own beat from
    /// the broker.
    static let lease = 4 * second
    /// How long the wall whose config says that it leads must hear no other leader before it leads. This is
    /// longer than the lease, so that the other has stopped.
    static let silence = 6 * second
    /// How long after another leader's last beat a message of this wall must have been sent. When the broker
    /// sends it back, it has delivered everything that was sent before.
    static let certainty = 5 * second
    static let handover = 2 * second
    static let patience = 5 * second
    static let pings = 8 * second
    /// The minimum time between two whole states that were asked for.
    static let refresh = second / 5
    /// By how much the instants of a match may be wrong before they are corrected.
    static let exactness = second / 20
  }

  /// How many matches that were set aside are kept.
  package static let asideLimit = 4
  static let requestLimit = 32

  package internal(set) var saved: Saved
  /// Whether the config says that this wall leads.
  package internal(set) var isConfiguredLeader: Bool
  /// A random number of this process.
  package let process: UInt32

  // What follows is not saved.

  var connection = Connection()
  /// How the instants of the match were converted; nil: they are this wall's own.
  var conversion: Conversion?
  /// Whether this wall has all steps of the history that the leader sends to a wall that asks.
  var hasWhole = false
  /// Since when this wall does not lead.
  var followsSince: Int64 = .min
  /// The leader that this wall has heard last.
  package internal(set) var heard: HeardLeader?
  /// The best match that was offered while this wall listens or no wall leads.
  var offered: WallMessage?
  /// Whether this wall leads although it cannot reach the others, because a person has decided it.
  var isAlone = false
  /// The takeover that a person or the config has asked for, until the old leader answers.
  var takeover: Takeover?
  /// Whether the config has been changed so that this wall leads.
  var wantsLead = false
  /// The id of the last handover by which this wall became the leader.
  var accepted: String?
  /// A handover that this process declines.
  var declined: Declined?
  /// The id of the handover in which this wall gave up the lead; nil: it has not, or the new leader was
  /// heard.
  var handedOver: String?
  /// This wall's commands that the leader has not answered.
  var waiting: [Waiting] = []
  /// Whether the match has not been changed in this run.
  var isFirstChange = true
  var counter = 0
  var runs = 0

  /// The connection with the broker, and what was sent and heard since it was made.
  struct Connection: Hashable, Sendable {
    /// Since when the broker is connected; nil: it is not.
    var since: Int64?
    /// When this wall sent the newest of its messages that have come back from the broker.
    var echoed: Int64 = .min
    /// When this wall has listened for long enough; nil: it does not listen.
    var listensUntil: Int64?
    /// When this wall last sent its announcement that it leads.
    var announced: Int64 = .min
    /// Whether the state that the broker keeps is known to be part of this wall's match.
    var isBrokerKnown = false
    /// Whether the wall whose config says that it leads was heard since this wall began to listen, and has
    /// shown that it has led no match that this wall lacks.
    var isRivalKnown = false
    var lastBeat: Int64 = .min
    var lastAsk: Int64 = .min
    var lastPing: Int64 = .min
    var pings = 0
    var lastWhole: Int64 = .min
    var owesState = false
    /// How often another wall with this wall's name was heard.
    var twins = 0
  }

  package struct HeardLeader: Hashable, Sendable {
    package var name: String
    var process: UInt32
    var reign: Int
    var hasContent: Bool
    /// When the leader was heard last.
    package var time: Int64
    /// Since when the leader is heard without a long silence.
    var since: Int64
    /// When this wall sent the last ping that the leader has answered.
    var answered: Int64 = .min
    package var clock = ClockEstimate()
    /// CLOCK_REALTIME of the leader minus this wall's, as far as known.
    package var realtime: Int64?

    /// Whether the leader has answered a ping since it is heard. The network may deliver a beat late, but an
    /// answer was sent after its ping.
    var isProven: Bool { answered >= since }

    /// Of two leaders, the one with the higher rank goes on leading.
    var rank: Rank { Rank(hasContent: hasContent, reign: reign, name: name) }
  }

  struct Rank: Hashable, Comparable {
    var hasContent: Bool
    var reign: Int
    var name: String

    static func < (a: Rank, b: Rank) -> Bool {
      (a.hasContent ? 1 : 0, a.reign, a.name) < (b.hasContent ? 1 : 0, b.reign, b.name)
    }
  }

  struct Conversion: Hashable, Sendable {
    /// The random number of the process that sent the match.
    var process: UInt32
    /// What was added to its instants.
    var offset: Int64
  }

  struct Takeover: Hashable, Sendable {
    var id: String
    var until: Int64
    /// Whether a person has confirmed that points may be lost.
    var isConfirmed: Bool
    /// Whether a person waits for the result.
    var isAsked: Bool
    /// Whether the leader was asked. If it is not heard yet, it is asked later.
    var isSent = false
  }

  struct Declined: Hashable, Sendable {
    var id: String
    var to: String
    var received: Int64
    /// When the sender gets the answer, unless another leader is heard before.
    var until: Int64
  }

  struct Waiting: Hashable, Sendable {
    var id: String
    var until: Int64
    var request: WallMessage.Request
    /// When it was given, by this wall's clock.
    var given: Int64
  }

  /// Creates a member for a wall that has never been part of this match, or that continues.
  ///
  /// - Parameters:
  ///   - name: 16 random hexadecimal digits, for a wall without `saved`.
  ///   - saved: what an earlier process saved, if any.
  ///   - wantsLead: whether the config has been changed so that this wall leads.
  package init(
    board: String, leads: Bool, name: String, saved: Saved?, process: UInt32, wantsLead: Bool = false
  ) {
    isConfiguredLeader = leads
    self.process = process
    self.wantsLead = wantsLead
    if let saved, saved.board == board, saved.isSound {
      self.saved = saved
    } else {
      self.saved = Saved(board: board, name: name, role: leads ? .candidate : .follower)
    }
    withdraw()
    if self.saved.role == .leader { beginRun() }
    if self.saved.history == nil { self.saved.role = leads ? .candidate : .follower }
  }

  /// Stops leading if the broker may not have the announcement.
  mutating func withdraw() {
    guard saved.isUnannounced else { return }
    (saved.isUnannounced, saved.role) = (false, .candidate)
  }

  /// Since when the broker is connected; nil: it is not.
  package var connectedSince: Int64? { connection.since }
  package var board: String { saved.board }
  package var name: String { saved.name }
  package var role: Role { saved.role }

  // MARK: What a command may do

  package enum Permission: Hashable, Sendable {
    case perform
    /// The leader performs it.
    case forward
    case refuse(Reason)
  }

  package enum Reason: Hashable, Sendable {
    /// The leader is not heard.
    case leaderSilent
    /// This wall looks for the match.
    case looking
    /// This wall has never reached the others.
    case neverReached
    /// This wall leads although its config does not say so, and has lost the connection.
    case cutOff
    /// The lead is being handed over.
    case handingOver
    /// Another wall may have led meanwhile, or the broker may not know yet that this one leads.
    case unsure
  }

  package func permission(at now: Int64) -> Permission {
    switch role {
    case .candidate: return .refuse(connectedSince == nil ? .neverReached : .looking)
    case .follower:
      if handedOver != nil || takeover != nil { return .refuse(.handingOver) }
      if isLeaderAlive(at: now) { return saved.history == nil ? .refuse(.looking) : .forward }
      return .refuse(.leaderSilent)
    case .leader:
      if connection.listensUntil != nil, offered.map({ outranks($0) }) ?? false { return .refuse(.unsure) }
      if saved.isUnannounced { return .refuse(.unsure) }
      return holdsLead(at: now) ? .perform : .refuse(.cutOff)
    }
  }

  /// Whether a command would be performed now, here or by the leader.
  package func isReady(at now: Int64) -> Bool {
    if case .refuse = permission(at: now) { false } else { true }
  }

  /// Whether no other wall can have begun to lead, unless a person has decided it.
  private func holdsLead(at now: Int64) -> Bool {
    if isConfiguredLeader || isAlone { return true }
    return connectedSince != nil && connection.listensUntil == nil && isEchoed(since: now - Time.lease)
  }

  /// Whether this wall, which leads although its config does not say so, is finding out whether another wall
  /// leads now. Meanwhile it sends no beats.
  var isQuiet: Bool { role == .leader && connection.listensUntil != nil && !isConfiguredLeader && !isAlone }

  /// Whether the broker has sent back a message that this wall sent at `time` or later.
  func isEchoed(since time: Int64) -> Bool { connection.echoed >= time }

  package enum Standing: Hashable, Sendable {
    case acknowledged
    /// It is not known yet whether the change stays.
    case open
    /// Another wall leads now, and its match does not have the change.
    case lost
  }

  /// Whether a change may be acknowledged. A leader whose config does not say that it leads can be replaced
  /// without a person's decision when it is not heard, so its changes must have reached the broker.
  ///
  /// - Parameters:
  ///   - history: this wall's after the change.
  ///   - sent: when the state with the change was sent.
  package func standing(of history: SharedHistory, sent: Int64, at now: Int64) -> Standing {
    guard let known = saved.history, known.contains(history) else { return .lost }
    // After a handover, the new leader's state shows that it has the change, and comes from the broker.
    if role == .follower, known.stamp.writer == heard?.name, isLeaderAlive(at: now) { return .acknowledged }
    guard permission(at: now) == .perform else { return .open }
    return isConfiguredLeader || isAlone || isEchoed(since: sent) ? .acknowledged : .open
  }

  /// Whether a living leader is heard.
  package func isLeaderAlive(at now: Int64) -> Bool {
    guard let connectedSince, let heard else { return false }
    return heard.time >= connectedSince && now - heard.time < Time.alive
  }

  /// Whether the walls may show different matches.
  package func isCutOff(at now: Int64) -> Bool {
    switch role {
    case .candidate: true
    case .follower: !isLeaderAlive(at: now)
    case .leader: connectedSince == nil || (connection.echoed != .min && !isEchoed(since: now - Time.lease))
    }
  }

  /// The leader's instant that is `time` here; nil: its clock is not known.
  package func leaderTime(of time: Int64, at now: Int64) -> Int64? {
    heard?.clock.offset(at: now).map { time &- $0 }
  }

  // MARK: Runs

  /// Begins a new run, to which the leader's next states belong.
  mutating func beginRun(reign: Int? = nil) {
    (conversion, isFirstChange) = (nil, true)
    guard let history = saved.history else { return }
    saved.history = history.continued(in: newRun(reign: reign ?? history.stamp.reign))
  }

  mutating func newRun(reign: Int) -> MatchStamp.Run {
    runs += 1
    return MatchStamp.Run(reign: reign, writer: name, id: Int(process) << 31 | runs)
  }

  /// Called after the leader's match was changed. With the first change of a run, raises the match's
  /// revision, so that it differs from those that the match has reached elsewhere with other changes: an undo
  /// that was meant for one of those is refused.
  package mutating func revise(_ match: inout Match) {
    guard isFirstChange, let run = saved.history?.stamp.run else { return }
    isFirstChange = false
    match.skipRevisions(run.salt)
  }

  /// Counts a change of the leader's match, or a command that was refused for its age: the followers must
  /// know it, so that none performs it later.
  package mutating func changed() { saved.history?.stamp.number += 1 }

  func message(_ kind: WallMessage.Kind, to: String? = nil, _ now: Moment) -> WallMessage {
    var message = WallMessage(
      kind, from: name, process: process, to: to, sent: now.clock, realtime: now.realtime)
    if isConfiguredLeader { message.leads = true }
    return message
  }

  /// This wall's match as a message.
  package func state(
    _ kind: WallMessage.Kind = .state, to: String? = nil, whole: Bool, showAt: Int64? = nil,
    _ held: HeldMatch,
    _ now: Moment
  ) -> WallMessage {
    var message = message(kind, to: to, now)
    (message.history, message.hasContent, message.showAt) = (saved.history, held.hasContent, showAt)
    message.board = SharedMatch(held, whole: whole)
    return message
  }

  func beat(_ held: HeldMatch, _ now: Moment) -> WallMessage {
    var message = message(.beat, now)
    message.hasContent = held.hasContent
    if role == .leader { message.history = saved.history }
    return message
  }

  /// The prefix of the ids of this process.
  var idPrefix: String { "\(name)-\(process)-" }

  mutating func newID() -> String {
    counter += 1
    return "\(idPrefix)\(counter)"
  }
}

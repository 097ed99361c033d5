// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import TestSupport

@testable import Walls

/// Walls, a broker, a network and people on virtual time, with the failures that may happen to them. The
/// walls are the real values; the rest is modelled. One seed determines everything.
///
/// The simulation checks the promises of docs/walls.md at each command and at the end, with a plain record of
/// the points that were acknowledged. None is lost, none counts twice or late, and one wall leads soon after
/// everything is connected again.
struct Simulation {
  enum Event {
    case tick(wall: Int)
    case connect(wall: Int)
    case atBroker(connection: Int, Letter)
    case atWall(connection: Int, Letter, isLive: Bool)
    case durable(wall: Int)
    /// The wall or the broker closes a connection on which it has heard nothing for some time.
    case clientTimeout(connection: Int)
    case brokerTimeout(connection: Int)
    case person(Person)
    case trouble
    case fault(Fault)
    case check
  }

  enum Person {
    /// A point at this wall, or at the leader if `wall` is nil.
    case tap(wall: Int?)
    /// Takes back the last point that the wall shows.
    case undo(wall: Int)
    /// The phone sends the same command again, because it has no answer.
    case again(press: Int)
    case lead(wall: Int)
    case confirm(wall: Int)
  }

  /// What may fail. In each schedule, some of these do.
  enum Trouble: CaseIterable {
    case crash, cut, newCard, oldCard, copiedCard, broker, clockStep
  }

  enum Fault {
    case crash(wall: Int)
    case start(wall: Int)
    case cut(wall: Int, sends: Bool, receives: Bool)
    case heal(wall: Int)
    case newCard(wall: Int)
    case oldCard(wall: Int)
    case copiedCard(wall: Int, from: Int)
    case brokerRestart(Memory)
    case clockStep(wall: Int)
  }

  /// Which retained state the broker has after a restart: the last one, or, if it was killed, one that it
  /// saved earlier, or none.
  enum Memory: CaseIterable {
    case whole, older, empty
  }

  struct Connection {
    let wall: Int
    var isOpenAtClient = true
    var isOpenAtBroker = true
    /// When the last bytes arrive. Later bytes do not arrive before them.
    var lastUp: Int64 = 0
    var lastDown: Int64 = 0
    /// Bytes that wait for the network. The kernel sends them again, also after the client has closed the
    /// connection.
    var heldUp: [Letter] = []
    var heldDown: [(letter: Letter, isLive: Bool)] = []
  }

  /// A command as people see it: a point, or an undo.
  struct Press {
    let wall: Int
    let time: Int64
    /// For an undo: the revision of the match that its sender saw, and the point that it takes back.
    var undoes: (revision: Int, point: Int)?
    var isAcknowledged = false
    var isRefused = false
    var isWaiting = false
    var tries = 0
  }

  static let second: Int64 = 1_000_000_000
  /// How long after the last failure one wall must lead and all must show its match: ten seconds, and the
  /// longest time that disks, connections and messages need.
  private static let allowance = 12 * second
  /// How long the agreement must last before a schedule ends.
  private static let steady = 3 * second

  private(set) var violations: [String] = []
  private(set) var counts = SimulationCounts()
  /// What has happened, in words; nil if nothing is to be noted.
  private let trace: Trace?

  private var random: SplitMix
  private var now: Int64 = 0
  private var queue = EventQueue()
  private var walls: [SimulatedWall] = []
  private var oldDisks: [[SimulatedWall.Disk]] = []
  private var connections: [Connection] = []
  private var retained: Letter?
  private var retainedBefore: [Letter] = []
  private var presses: [Press] = []
  /// The expected contents of each state.
  private var contents: [MatchStamp: StateContents] = [:]
  /// The times of the last disturbance, such as a failure, a connection or a takeover, and of the last
  /// command. After both, the walls need some time until they agree.
  private var disturbed: Int64 = 0
  private var commanded: Int64 = 0
  /// Whether a match may be set aside, until all walls show the same one again. That is so after a person has
  /// confirmed a takeover, after an old or copied memory card was inserted, and after a wall has performed
  /// commands while there were others that the broker has lost and no connected wall has.
  private var mayDiverge = false
  /// Whether the configs of two walls say that they lead.
  private let hasTwo: Bool
  /// Commands that were acknowledged and set aside while `mayDiverge` was true, and commands that were
  /// refused but count.
  private var excused = PressSet()
  /// The commands that the broker had once and has lost.
  private var forgotten = PressSet()
  /// How many points could not be undone when all walls showed the same match again.
  private var missing = 0
  /// Whether a wall with an incomplete history has begun to lead because no connected wall had more of it.
  private var hasShort = false
  /// Commands whose only copy was on a memory card that is gone, or in the oldest of many matches that were
  /// set aside.
  private var gone = PressSet()
  /// When people and failures stop.
  private let end: Int64
  private let troubles: [Trouble]
  private let bridges: Bool
  /// Whether people confirm a takeover.
  private let confirms: Bool

  init(seed: UInt64, trace: Trace? = nil) {
    self.trace = trace
    random = SplitMix(seed: seed)
    let count = random.int(2...4)
    let leaders = random.int(0...19) == 0 ? 2 : 1
    end = Int64(random.int(10...60)) * Self.second
    var generator = random
    troubles = Trouble.allCases.filter { _ in generator.int(0...1) == 0 }
    random = generator
    confirms = random.int(0...1) == 0
    bridges = random.int(0...9) == 0
    hasTwo = leaders > 1
    for index in 0..<count {
      walls.append(
        SimulatedWall(
          leads: index < leaders, disk: Self.emptyDisk,
          clockOffset: Int64.random(in: 0...1_000_000, using: &random) * Self.second,
          drift: Int64.random(in: -100...100, using: &random),
          realtimeOffset: Int64.random(in: -5...5, using: &random) * Self.second))
    }
    oldDisks = walls.map { [$0.disk] }
    for index in walls.indices {
      at(random.int(0...3) == 0 ? milliseconds(0, 20_000) : 0, .fault(.start(wall: index)))
    }
    plan()
    for time in stride(from: Self.second, to: end, by: Int(Self.second)) { at(time, .check) }
  }

  private static var emptyDisk: SimulatedWall.Disk {
    let teams: [Scoreboard.Team] = [.init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST")]
    return SimulatedWall.Disk(held: HeldMatch(Match(Scoreboard(teams: teams))))
  }

  private mutating func milliseconds(_ a: Int, _ b: Int) -> Int64 { Int64(random.int(a...b)) * 1_000_000 }

  private mutating func at(_ time: Int64, _ event: Event) { queue.add(time, event) }

  /// What people do and what fails in this schedule.
  private mutating func plan() {
    let seconds = Int(end / Self.second)
    let last = 1_000 * seconds - 2_000
    for _ in 0..<random.int(3...3 + seconds / 2) {
      let start = milliseconds(0, last)
      // Taps come in groups.
      let wall = random.int(0...walls.count - 1)
      for tap in 0..<random.int(1...4) {
        at(start + Int64(tap) * milliseconds(20, 900), .person(.tap(wall: wall)))
      }
    }
    for _ in 0..<random.int(0...4) {
      // Sometimes two people take back the same point.
      let time = milliseconds(0, last)
      for _ in 0...random.int(0...1) {
        at(time + milliseconds(0, 200), .person(.undo(wall: random.int(0...walls.count - 1))))
      }
    }
    // In half of the schedules, another wall than that of the config leads soon.
    if random.int(0...1) == 0 {
      at(milliseconds(4_000, 8_000), .person(.lead(wall: random.int(1...walls.count - 1))))
    }
    for _ in 0..<random.int(0...2) {
      at(milliseconds(0, last), .person(.lead(wall: random.int(0...walls.count - 1))))
    }
    for _ in 0..<random.int(0...8) {
      let time = milliseconds(0, last)
      at(time, .trouble)
      // People also tap while the failure lasts.
      for _ in 0..<random.int(0...2) {
        let wall = random.int(0...1) == 0 ? nil : random.int(0...walls.count - 1)
        let start = time + milliseconds(0, 10_000)
        for tap in 0..<random.int(1...3) {
          at(start + Int64(tap) * milliseconds(20, 900), .person(.tap(wall: wall)))
        }
      }
      if random.int(0...3) == 0 {
        at(time + milliseconds(0, 10_000), .person(.lead(wall: random.int(0...walls.count - 1))))
      }
    }
  }

  /// A wall that leads, or believes that it leads.
  private var leader: Int? { walls.indices.first { walls[$0].isOn && walls[$0].member.role == .leader } }

  /// Makes something fail, in half of the cases at the wall that leads.
  private mutating func trouble() {
    guard let kind = troubles.randomElement(using: &random) else { return }
    let wall = random.int(0...1) == 0 ? leader ?? 0 : random.int(0...walls.count - 1)
    switch kind {
    case .crash: perform(.crash(wall: wall))
    case .cut:
      let direction = random.int(0...3)
      perform(.cut(wall: wall, sends: direction == 1, receives: direction == 2))
      let time = random.int(0...1) == 0 ? milliseconds(100, 10_000) : milliseconds(100, 30_000)
      return at(now + time, .fault(.heal(wall: wall)))
    case .newCard: perform(.newCard(wall: wall))
    case .oldCard: perform(.oldCard(wall: wall))
    case .copiedCard:
      let other = (wall + random.int(1...walls.count - 1)) % walls.count
      perform(.copiedCard(wall: wall, from: other))
    case .broker: return perform(.brokerRestart(Memory.allCases[random.int(0...2)]))
    case .clockStep: return perform(.clockStep(wall: wall))
    }
    at(now + milliseconds(200, 15_000), .fault(.start(wall: wall)))
  }

  // MARK: Running

  mutating func run() {
    play(until: end)
    note("calm")
    for index in walls.indices {
      heal(index)
      if !walls[index].isOn { start(index) }
      if walls[index].connection == nil { at(now + Self.second / 2, .connect(wall: index)) }
    }
    // In some schedules, the agreement must last longer.
    let steady = random.int(0...15) == 0 ? 20 * Self.second : Self.steady
    var (reached, held) = (now, now)
    while violations.isEmpty {
      play(until: now + Self.second / 2)
      guard let problem = problem() else {
        if now - reached >= steady { return }
        held = now
        continue
      }
      reached = now + Self.second / 2
      if now > disturbed + Self.allowance,
        leadership() != nil || now > max(commanded, held) + Self.steady
      {
        fail(problem)
      }
      if now - end > 60 * Self.second { fail("no rest: \(problem)") }
    }
  }

  private mutating func play(until end: Int64) {
    while violations.isEmpty, let (time, event) = queue.next(until: end) {
      now = time
      handle(event)
    }
    now = end
  }

  private func note(_ text: @autoclosure () -> String) {
    trace?.lines.append("\(Double(now / 1_000_000) / 1000) \(text())")
  }

  private mutating func fail(_ text: String) {
    note("VIOLATION \(text)")
    violations.append(text)
  }

  private mutating func handle(_ event: Event) {
    counts.add(.steps)
    switch event {
    case .tick(let wall): tick(wall)
    case .connect(let wall): connect(wall)
    case .atBroker(let connection, let letter): broker(connection, letter)
    case .atWall(let connection, let letter, let isLive): arrive(connection, letter.message, isLive)
    case .durable(let wall): durable(wall)
    case .clientTimeout(let id): clientTimeout(id)
    case .brokerTimeout(let id):
      let wall = walls[connections[id].wall]
      if !wall.sends || !wall.receives || !connections[id].isOpenAtClient {
        connections[id].isOpenAtBroker = false
      }
    case .person(let person): perform(person)
    case .trouble: trouble()
    case .fault(let fault): perform(fault)
    case .check: if mayDiverge || hasShort { agree() }
    }
  }

  // MARK: A wall

  /// Calls the wall's value, and carries out the effects that it returns.
  private mutating func act(
    _ wall: Int, _ body: (inout WallMember, inout HeldMatch, Moment) -> WallEffects
  ) {
    guard walls[wall].isOn else { return }
    let before = walls[wall].member.saved
    let effects = walls[wall].act(body, at: now)
    if before.role != walls[wall].member.role { note("wall \(wall): \(before.role) → \(describe(wall))") }
    record(wall)
    // A change must be saved, so that it is durable before anything that follows from it is sent.
    if before != walls[wall].member.saved, !effects.saves {
      fail("wall \(wall) has something that is not saved")
    }
    if effects.takeover == .led, walls[wall].member.role != .leader {
      fail("a person at wall \(wall) reads that it leads")
    }
    if walls[wall].member.role == .leader, before.role != .leader || effects.adopts, hasMostSteps(wall) {
      hasShort = true
    }
    for line in effects.notes { note("wall \(wall): \(line)") }
    for aside in effects.asides {
      counts.add(.setAside)
      note("wall \(wall) sets aside \(text(aside.history))")
      walls[wall].asides[aside.history] = aside.held
    }
    for history in effects.contained {
      walls[wall].asides[history] = nil
      guard walls[wall].member.saved.history?.contains(history) != true else { continue }
      gone = gone.union(contents[history.stamp]?.presses ?? PressSet())
    }
    if effects.saves { save(wall, effects.messages) } else { effects.messages.forEach { send(wall, $0) } }
    for asked in effects.requests {
      lead(wall, Int(asked.id) ?? -1, from: asked.from, time: asked.request.time)
    }
    for (id, answer) in effects.answers { answered(Int(id) ?? -1, answer) }
    for id in effects.unanswered { unanswered(Int(id) ?? -1) }
    switch effects.takeover {
    case .unconfirmed where confirms:
      at(now + milliseconds(500, 3_000), .person(.confirm(wall: wall)))
    case .led: counts.add(.takeovers)
    default: break
    }
    rearm(wall)
    let unconfirmed = walls[wall].unconfirmed
    walls[wall].unconfirmed = []
    for command in unconfirmed { confirm(wall, command) }
  }

  /// Makes sure that `tick` is called when it is due. If the queue has an earlier event, that one calls
  /// `rearm` again.
  private mutating func rearm(_ wall: Int) {
    guard let next = walls[wall].member.nextTick(at: walls[wall].clock(now)) else {
      walls[wall].due = .max
      return
    }
    let due = max(walls[wall].time(next), now + 1_000)
    walls[wall].due = due
    guard due < walls[wall].armed else { return }
    walls[wall].armed = due
    at(due, .tick(wall: wall))
  }

  private mutating func tick(_ wall: Int) {
    // Another event was added later for an earlier time, and has replaced this one.
    guard walls[wall].armed == now else { return }
    walls[wall].armed = .max
    guard walls[wall].isOn else { return }
    if walls[wall].ticks.second != now / Self.second { walls[wall].ticks = (now / Self.second, 0) }
    walls[wall].ticks.count += 1
    if walls[wall].ticks.count > 100 { fail("wall \(wall) has no rest") }
    if walls[wall].due <= now { act(wall) { $0.tick(&$1, at: $2) } } else { rearm(wall) }
  }

  /// Records the contents of the wall's state, and checks its score. A state of a new run has the contents of
  /// the state that it continues.
  private mutating func record(_ wall: Int) {
    guard let stamp = walls[wall].member.saved.history?.stamp else { return }
    let score = walls[wall].held.match.scoreboard.teams[0].score
    guard stamp != walls[wall].recorded?.stamp || score != walls[wall].recorded?.score else { return }
    walls[wall].recorded = (stamp, score)
    if contents[stamp] == nil {
      let ends = walls[wall].member.saved.history?.lineage.ends ?? []
      contents[stamp] =
        ends.last { contents[$0] != nil }.flatMap { contents[$0] } ?? StateContents()
    }
    let known = contents[stamp]?.score ?? 0
    if score != known { fail("wall \(wall) shows \(score) instead of \(known): \(describe(wall))") }
  }

  /// Whether no other wall that has been connected for some time has the same match and can undo more steps
  /// than `wall`, which begins to lead.
  private func hasMostSteps(_ wall: Int) -> Bool {
    guard let history = walls[wall].member.saved.history else { return true }
    return walls.allSatisfy { other in
      guard isReached(other), let since = other.member.connectedSince,
        other.clock(now) - since > 4 * Self.second, other.member.saved.history?.contains(history) == true
      else { return true }
      return other.held.match.past.count <= walls[wall].held.match.past.count
    }
  }

  private func text(_ history: SharedHistory) -> String {
    "\(history.match.suffix(3)):\(history.stamp.reign)/\(history.stamp.writer.suffix(3))/\(history.stamp.run.id & 0xffff)+\(history.stamp.number)"
  }

  private func describe(_ wall: Int) -> String {
    guard walls[wall].isOn else { return "off" }
    let member = walls[wall].member
    return
      "\(member.role) \(member.saved.history.map(text) ?? "-") score \(walls[wall].held.match.scoreboard.teams[0].score)"
      + " (\(walls[wall].held.match.past.count) steps)"
  }

  private func disk(of wall: Int) -> SimulatedWall.Disk {
    SimulatedWall.Disk(saved: walls[wall].member.saved, held: walls[wall].held, asides: walls[wall].asides)
  }

  private mutating func save(
    _ wall: Int, _ messages: [WallEffects.Outgoing] = [], _ acknowledged: [SimulatedWall.Performed] = []
  ) {
    let last = walls[wall].saves.last?.due ?? now
    let time = random.int(0...60) == 0 ? milliseconds(500, 2_500) : milliseconds(1, 40)
    let due = max(last, now + time)
    walls[wall].saves.append(
      SimulatedWall.Save(disk: disk(of: wall), due: due, messages: messages, acknowledged: acknowledged))
    at(due, .durable(wall: wall))
  }

  private mutating func durable(_ wall: Int) {
    guard let first = walls[wall].saves.first, first.due <= now else { return }
    walls[wall].saves.removeFirst()
    walls[wall].disk = first.disk
    if random.int(0...9) == 0 { oldDisks[wall].append(first.disk) }
    for message in first.messages { transmit(wall, message) }
    for command in first.acknowledged { confirm(wall, command) }
  }

  /// Answers a command whose effect is saved, or lets it wait until the broker has the state.
  private mutating func confirm(_ wall: Int, _ command: SimulatedWall.Performed) {
    guard let (history, sent) = command.change else {
      return reply(wall, command)
    }
    switch walls[wall].member.standing(of: history, sent: sent, at: walls[wall].clock(now)) {
    case .acknowledged: reply(wall, command)
    case .open: walls[wall].unconfirmed.append(command)
    case .lost: if command.from == nil { unanswered(command.press) }
    }
  }

  /// Sends a message, after those that still wait for a save.
  private mutating func send(_ wall: Int, _ message: WallEffects.Outgoing) {
    if let last = walls[wall].saves.lastIndex(where: { !$0.messages.isEmpty }) {
      walls[wall].saves[last].messages.append(message)
    } else {
      transmit(wall, message)
    }
  }

  // MARK: The network and the broker

  private mutating func transmit(_ wall: Int, _ outgoing: WallEffects.Outgoing) {
    guard let id = walls[wall].connection, connections[id].isOpenAtClient else { return }
    counts.add(.messages)
    note("   \(wall) sends \(outgoing.message.kind)")
    let letter = Letter(outgoing)
    guard walls[wall].sends else { return connections[id].heldUp.append(letter) }
    carry(letter, toBroker: id)
  }

  private mutating func carry(_ letter: Letter, toBroker id: Int) {
    let time = max(now + delay(), connections[id].lastUp + 1)
    connections[id].lastUp = time
    at(time, .atBroker(connection: id, letter))
  }

  private mutating func delay() -> Int64 {
    random.int(0...99) == 0 ? milliseconds(100, 1_500) : Int64(random.int(200...20_000)) * 1_000
  }

  private mutating func broker(_ id: Int, _ letter: Letter) {
    guard connections[id].isOpenAtBroker else { return }
    if letter.isRetained { keep(letter) }
    for other in connections.indices where connections[other].isOpenAtBroker {
      // The others ignore it.
      guard letter.isFor(walls[connections[other].wall].member.name) else { continue }
      deliver(other, letter, isLive: true)
      // QoS 1 delivers at least once.
      if random.int(0...60) == 0 { deliver(other, letter, isLive: true) }
    }
  }

  /// Replaces the state that the broker retains; nil removes it.
  private mutating func keep(_ letter: Letter?) {
    func presses(_ letter: Letter?) -> PressSet {
      letter?.message.history.flatMap { contents[$0.stamp]?.presses } ?? PressSet()
    }
    forgotten = forgotten.union(presses(retained)).subtracting(presses(letter))
    retained = letter
    if let letter, random.int(0...9) == 0 { retainedBefore.append(letter) }
  }

  private mutating func deliver(_ id: Int, _ letter: Letter, isLive: Bool) {
    let wall = connections[id].wall
    guard walls[wall].receives else { return connections[id].heldDown.append((letter, isLive)) }
    let time = max(now + delay(), connections[id].lastDown + 1)
    connections[id].lastDown = time
    at(time, .atWall(connection: id, letter, isLive: isLive))
  }

  private mutating func arrive(_ id: Int, _ message: WallMessage, _ isLive: Bool) {
    let wall = connections[id].wall
    guard connections[id].isOpenAtClient, walls[wall].connection == id else { return }
    act(wall) { $0.receive(message, isLive: isLive, held: &$1, at: $2) }
  }

  private mutating func connect(_ wall: Int) {
    guard walls[wall].isOn, walls[wall].connection == nil else { return }
    guard walls[wall].sends, walls[wall].receives else {
      return at(now + milliseconds(500, 3_000), .connect(wall: wall))
    }
    // The broker ends an older connection with the same name.
    for id in connections.indices where connections[id].wall == wall {
      connections[id].isOpenAtBroker = false
    }
    connections.append(Connection(wall: wall))
    let id = connections.count - 1
    walls[wall].connection = id
    disturbed = now
    note("wall \(wall) is connected")
    if let retained { deliver(id, retained, isLive: bridges && random.int(0...1) == 0) }
    act(wall) { $0.connected($1, at: $2) }
  }

  private mutating func disconnect(_ wall: Int) {
    guard let id = walls[wall].connection else { return }
    connections[id].isOpenAtClient = false
    walls[wall].connection = nil
    note("wall \(wall) is disconnected")
    act(wall) { member, _, _ in member.disconnected() }
    if walls[wall].isOn { at(now + milliseconds(500, 3_000), .connect(wall: wall)) }
  }

  private mutating func clientTimeout(_ id: Int) {
    let wall = connections[id].wall
    guard walls[wall].connection == id, !walls[wall].sends || !walls[wall].receives else { return }
    disconnect(wall)
  }

  private mutating func heal(_ wall: Int) {
    (walls[wall].sends, walls[wall].receives) = (true, true)
    disturbed = now
    for id in connections.indices where connections[id].wall == wall {
      for letter in connections[id].heldUp {
        counts.add(.lateDeliveries)
        carry(letter, toBroker: id)
      }
      connections[id].heldUp = []
      guard connections[id].isOpenAtClient else { continue }
      for (letter, isLive) in connections[id].heldDown { deliver(id, letter, isLive: isLive) }
      connections[id].heldDown = []
      // If the broker has closed the connection, it answers with a reset.
      if !connections[id].isOpenAtBroker, walls[wall].connection == id { disconnect(wall) }
    }
  }

  // MARK: Faults

  private mutating func perform(_ fault: Fault) {
    note("\(fault)")
    disturbed = now
    switch fault {
    case .crash(let wall): crash(wall)
    case .start(let wall): start(wall)
    case .cut(let wall, let sends, let receives):
      counts.add(.cuts)
      (walls[wall].sends, walls[wall].receives) = (sends, receives)
      guard let id = walls[wall].connection else { return }
      at(now + milliseconds(2_000, 20_000), .clientTimeout(connection: id))
      at(now + milliseconds(4_000, 30_000), .brokerTimeout(connection: id))
    case .heal(let wall): heal(wall)
    case .newCard(let wall):
      crash(wall)
      replace(wall, by: Self.emptyDisk)
      counts.add(.newCards)
    case .oldCard(let wall):
      crash(wall)
      replace(wall, by: oldDisks[wall].randomElement(using: &random) ?? Self.emptyDisk)
      mayDiverge = true
      counts.add(.oldCards)
    case .copiedCard(let wall, let other):
      crash(wall)
      replace(wall, by: walls[other].disk)
      mayDiverge = true
      counts.add(.copiedCards)
    case .brokerRestart(let memory):
      counts.add(.brokerRestarts)
      switch memory {
      case .whole: break
      case .older: keep(retainedBefore.randomElement(using: &random))
      case .empty: keep(nil)
      }
      for id in connections.indices { connections[id].isOpenAtBroker = false }
      for wall in walls.indices { disconnect(wall) }
    case .clockStep(let wall):
      walls[wall].realtimeOffset += Int64(random.int(-100...100)) * Self.second
      counts.add(.clockSteps)
    }
  }

  private mutating func crash(_ wall: Int) {
    guard walls[wall].isOn else { return }
    counts.add(.crashes)
    let lost = walls[wall].saves.flatMap(\.acknowledged) + walls[wall].unconfirmed
    for command in lost where command.from == nil { unanswered(command.press) }
    (walls[wall].saves, walls[wall].unconfirmed) = ([], [])
    for command in walls[wall].member.waiting { unanswered(Int(command.id) ?? -1) }
    disconnect(wall)
    walls[wall].isOn = false
  }

  private mutating func start(_ wall: Int) {
    guard !walls[wall].isOn else { return }
    let disk = walls[wall].disk
    walls[wall].isOn = true
    (walls[wall].held, walls[wall].asides) = (disk.held, disk.asides)
    walls[wall].member = WallMember(
      board: "hall", leads: walls[wall].leads, name: WallMember.name(from: random.next()), saved: disk.saved,
      process: UInt32.random(in: .min ... .max, using: &random))
    if walls[wall].member.role == .leader {
      walls[wall].held.performed.gap = .init(board: "hall", end: walls[wall].clock(now))
    }
    record(wall)
    note("wall \(wall) starts: \(describe(wall))")
    // The new name and run are saved before anything is sent.
    save(wall)
    at(now + milliseconds(5, 2_000), .connect(wall: wall))
    rearm(wall)
  }

  /// Puts another memory card into a wall that is off.
  private mutating func replace(_ wall: Int, by disk: SimulatedWall.Disk) {
    let others = walls.indices.filter { $0 != wall }
    // This wall may have refused a command that another wall, which did not get that answer, has performed.
    for fate in [\StateContents.presses, \.refused] {
      let kept = others.reduce(commands(fate, on: disk)) { $0.union(commands(fate, on: walls[$1].disk)) }
      gone = gone.union(commands(fate, on: walls[wall].disk).subtracting(kept))
    }
    walls[wall].disk = disk
  }

  /// The commands in the matches of all connected walls.
  private var reachable: PressSet {
    walls.reduce(PressSet()) { all, wall in
      guard isReached(wall), let stamp = wall.member.saved.history?.stamp else { return all }
      return all.union(contents[stamp]?.presses ?? PressSet())
    }
  }

  private func isReached(_ wall: SimulatedWall) -> Bool {
    guard wall.isOn, wall.sends, wall.receives, let id = wall.connection else { return false }
    return connections[id].isOpenAtBroker
  }

  private func commands(_ fate: KeyPath<StateContents, PressSet>, on disk: SimulatedWall.Disk) -> PressSet {
    let histories = Array(disk.asides.keys) + [disk.saved?.history].compactMap { $0 }
    return histories.reduce(PressSet()) { $0.union(contents[$1.stamp]?[keyPath: fate] ?? PressSet()) }
  }

  // MARK: People

  private mutating func perform(_ person: Person) {
    switch person {
    case .tap(let wall):
      let wall = wall ?? leader ?? 0
      presses.append(Press(wall: wall, time: now))
      counts.add(.taps)
      give(presses.count - 1)
    case .undo(let wall):
      guard walls[wall].isOn, let stamp = walls[wall].member.saved.history?.stamp,
        let point = contents[stamp]?.last?.press
      else { return }
      presses.append(
        Press(wall: wall, time: now, undoes: (walls[wall].held.match.revision, point)))
      counts.add(.undos)
      give(presses.count - 1)
    case .again(let press): give(press)
    case .lead(let wall):
      note("lead at \(wall)")
      disturbed = now
      act(wall) { $0.takeOver(isConfirmed: false, &$1, at: $2) }
    case .confirm(let wall):
      note("lead at \(wall), confirmed")
      (mayDiverge, disturbed) = (true, now)
      counts.add(.confirmations)
      act(wall) { $0.takeOver(isConfirmed: true, &$1, at: $2) }
    }
  }

  private mutating func give(_ press: Int) {
    let wall = presses[press].wall
    presses[press].tries += 1
    guard !presses[press].isWaiting, !presses[press].isAcknowledged, !presses[press].isRefused else { return }
    guard walls[wall].isOn else { return retry(press) }
    let pressed = walls[wall].clock(presses[press].time)
    presses[press].isWaiting = true
    switch walls[wall].member.permission(at: walls[wall].clock(now)) {
    case .perform: lead(wall, press, from: nil, time: pressed)
    case .refuse: unanswered(press)
    case .forward:
      guard let time = walls[wall].member.leaderTime(of: pressed, at: walls[wall].clock(now)) else {
        return unanswered(press)
      }
      let undoes = presses[press].undoes
      let request = WallMessage.Request(
        method: undoes == nil ? "AddScore" : "Undo", parameters: "{}", time: time, revision: undoes?.revision)
      var isSent = false
      act(wall) { member, _, moment in
        var effects = WallEffects()
        guard let (_, message) = member.request(request, id: "\(press)", at: moment) else { return effects }
        effects.send(message)
        isSent = true
        return effects
      }
      if !isSent { unanswered(press) }
    }
  }

  /// The leader performs a command, once.
  private mutating func lead(_ wall: Int, _ press: Int, from: String?, time: Int64) {
    for index in walls[wall].saves.indices {
      guard var first = walls[wall].saves[index].acknowledged.first(where: { $0.press == press }) else {
        continue
      }
      first.from = from
      return walls[wall].saves[index].acknowledged.append(first)
    }
    if var first = walls[wall].unconfirmed.first(where: { $0.press == press }) {
      first.from = from
      return walls[wall].unconfirmed.append(first)
    }
    if let answer = walls[wall].held.performed["\(press)"] {
      return reply(wall, SimulatedWall.Performed(press: press, from: from, answer: answer))
    }
    guard let before = walls[wall].member.saved.history, var next = contents[before.stamp] else { return }
    let clock = walls[wall].clock(now)
    let isLate = abs(clock - time) > 5 * Self.second
    if isLate, let gap = walls[wall].held.performed.gap, time < gap.end {
      if from == nil { unanswered(press) }
      return
    }
    let undoes = presses[press].undoes
    if let undoes, !isLate, undoes.revision != walls[wall].held.match.revision {
      return reply(wall, SimulatedWall.Performed(press: press, from: from, answer: "changed"))
    }
    if !isLate {
      if next.presses.contains(press) { fail("\(press) counts twice") }
      if now - presses[press].time > 5_600_000_000 { fail("\(press) counts late") }
      if let undoes {
        // Two matches that have diverged may have the same revision; so may a state that was sent and not
        // saved.
        if next.last?.press != undoes.point, next.presses.contains(undoes.point), !mayDiverge, !hasTwo {
          fail("\(press) takes back another point than \(undoes.point)")
        }
        next.undo(press)
      } else {
        next.add(press)
      }
      _ = try? walls[wall].held.match.apply(
        undoes == nil ? .addScore(team: "home", by: 1) : .undo, at: clock)
      walls[wall].member.revise(&walls[wall].held.match)
    } else {
      next.refused.insert(press)
    }
    // Either what these walls acknowledge, or what the broker has lost, is set aside later.
    if !forgotten.subtracting(next.presses).subtracting(reachable).isEmpty { mayDiverge = true }
    commanded = now
    walls[wall].held.performed.add([.init(id: "\(press)", answer: isLate ? "late" : "ok")])
    walls[wall].member.changed()
    guard let after = walls[wall].member.saved.history else { return }
    if contents.updateValue(next, forKey: after.stamp) != nil {
      fail("two states have the stamp \(text(after))")
    }
    note("wall \(wall) performs \(press): \(describe(wall))")
    act(wall) { member, held, moment in
      var effects = WallEffects()
      effects.send(
        member.state(whole: false, showAt: moment.clock + WallMessage.lead, held, moment), isRetained: true)
      return effects
    }
    save(
      wall, [],
      [
        SimulatedWall.Performed(
          press: press, from: from, answer: isLate ? "late" : "ok", change: (after, clock))
      ])
  }

  private mutating func reply(_ wall: Int, _ command: SimulatedWall.Performed) {
    guard let from = command.from else { return answered(command.press, command.answer) }
    act(wall) { member, _, moment in
      var effects = WallEffects()
      effects.send(member.answer(command.answer, to: "\(command.press)", of: from, at: moment))
      return effects
    }
  }

  private mutating func answered(_ press: Int, _ answer: String) {
    guard presses.indices.contains(press), !presses[press].isAcknowledged else { return }
    presses[press].isWaiting = false
    note("\(press) is answered: \(answer)")
    if answer == "ok" {
      presses[press].isAcknowledged = true
      counts.add(.acknowledged)
    } else {
      presses[press].isRefused = true
      counts.add(answer == "late" ? .tooLate : .changed)
    }
  }

  /// The phone gets no answer, and tries again.
  private mutating func unanswered(_ press: Int) {
    guard presses.indices.contains(press), presses[press].isWaiting else { return }
    presses[press].isWaiting = false
    counts.add(.unanswered)
    retry(press)
  }

  private mutating func retry(_ press: Int) {
    if presses[press].tries < 4 { at(now + milliseconds(300, 4_000), .person(.again(press: press))) }
  }

  // MARK: The end

  /// If all walls show the same match, ends the time in which a match may be set aside. From now on, no
  /// acknowledged command may be missing, except those that are missing now.
  private mutating func agree() {
    guard walls.allSatisfy(isReached), difference() == nil, let leader,
      let shown = walls[leader].member.saved.history.flatMap({ contents[$0.stamp] })
    else { return }
    for (number, press) in presses.enumerated()
    where press.isAcknowledged
      ? !shown.presses.contains(number) : press.isRefused && shown.presses.contains(number)
    {
      excused.insert(number)
    }
    missing = shown.score - (walls.map(\.held.match.past.count).min() ?? 0)
    (mayDiverge, hasShort) = (false, false)
    note("all walls agree; \(missing) steps are missing")
  }

  private var summary: String { walls.indices.map { "\($0): \(describe($0))" }.joined(separator: "; ") }

  /// Describes which walls lead, unless it is exactly one; nil if it is.
  private func leadership() -> String? {
    let leaders = walls.filter { $0.isOn && $0.member.permission(at: $0.clock(now)) == .perform }
    return leaders.count == 1 ? nil : "\(leaders.count) walls lead: \(summary)"
  }

  /// Describes a difference between two walls; nil if all agree.
  private func difference() -> String? {
    if let problem = leadership() { return problem }
    guard let leader = walls.firstIndex(where: { $0.member.permission(at: $0.clock(now)) == .perform }) else {
      return nil
    }
    for wall in walls.indices where wall != leader {
      if walls[wall].member.permission(at: walls[wall].clock(now)) != .forward {
        return "wall \(wall) does not reach the leader: \(summary)"
      }
      if walls[wall].member.saved.history?.stamp != walls[leader].member.saved.history?.stamp {
        return "wall \(wall) shows another state: \(summary)"
      }
    }
    return nil
  }

  /// Describes what is wrong after everything has been connected for some time; nil if nothing is wrong.
  private func problem() -> String? {
    if let problem = difference() { return problem }
    guard let shown = walls[0].member.saved.history.flatMap({ contents[$0.stamp] }) else {
      return "the state is unknown: \(summary)"
    }
    let asides = walls.reduce(PressSet()) { all, wall in
      wall.asides.keys.reduce(all) { $0.union(contents[$1.stamp]?.presses ?? PressSet()) }
    }
    if shown.presses.isEmpty, !asides.subtracting(gone).isEmpty {
      return "an empty match has won: \(summary)"
    }
    for (number, press) in presses.enumerated() {
      let isExcused = mayDiverge || hasTwo || excused.contains(number)
      if press.isAcknowledged, !shown.presses.contains(number), !gone.contains(number) {
        if !asides.contains(number) { return "\(number) was acknowledged and is lost: \(summary)" }
        if !isExcused { return "\(number) was acknowledged and is set aside: \(summary)" }
      }
      if press.isRefused, shown.presses.contains(number), !isExcused, !gone.contains(number) {
        return "\(number) was refused and counts: \(summary)"
      }
    }
    // A wall that has only the state that the broker retained has fewer steps.
    let steps = mayDiverge || hasShort || hasTwo ? max(8 - counts[.undos], 0) : 60
    for wall in walls where wall.held.match.past.count < min(shown.score - missing, steps) {
      return "of \(shown.score) points, \(wall.held.match.past.count) can be undone: \(summary)"
    }
    return nil
  }
}

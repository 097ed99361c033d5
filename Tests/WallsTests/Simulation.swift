// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import TestSupport
import Varlink

@testable import Walls

/// Walls, a broker, a network, people, and everything that may happen to them, on virtual time. The walls are the real
/// values; the rest is modelled. Everything comes from one seed.
///
/// After each step and at the end it is checked what docs/walls.md promises, against the plain record of the points that
/// were acknowledged: none is lost, none counts twice or late, and soon after everything is connected again one wall leads.
struct Simulation {
  /// What happened, to show that the schedules reach what they are meant to.
  struct Counts {
    var values: [String: Int] = [:]

    mutating func add(_ name: String, _ count: Int = 1) { values[name, default: 0] += count }
    mutating func add(_ other: Counts) { values.merge(other.values, uniquingKeysWith: +) }

    var text: String {
      values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
  }

  enum Event {
    case tick(wall: Int, ticket: Int)
    case connect(wall: Int)
    case atBroker(connection: Int, WallEffects.Outgoing)
    case atWall(connection: Int, WallMessage, isLive: Bool)
    case durable(wall: Int)
    /// An end of a connection that hears nothing gives it up.
    case clientTimeout(connection: Int)
    case brokerTimeout(connection: Int)
    case person(Person)
    case fault(Fault)
  }

  enum Person {
    case tap(wall: Int)
    /// The phone sends the same command again, because it has no answer.
    case again(point: Int)
    case lead(wall: Int)
    case confirm(wall: Int)
  }

  enum Fault {
    case crash(wall: Int)
    case start(wall: Int)
    case cut(wall: Int, sends: Bool, receives: Bool)
    case heal(wall: Int)
    case newCard(wall: Int)
    case oldCard(wall: Int)
    case copiedCard(wall: Int, from: Int)
    case brokerRestart(forgets: Bool)
    case clockStep(wall: Int)
  }

  struct Connection {
    let wall: Int
    var isOpenAtClient = true
    var isOpenAtBroker = true
    /// When the last bytes arrive: they stay in order.
    var lastUp: Int64 = 0
    var lastDown: Int64 = 0
    /// Bytes that wait for the network. The kernel sends them again, also after the client has closed the connection.
    var heldUp: [WallEffects.Outgoing] = []
    var heldDown: [(message: WallMessage, isLive: Bool)] = []
  }

  /// A point as people see it.
  struct Point {
    let wall: Int
    let pressed: Int64
    var isAcknowledged = false
    var isRefused = false
    var isWaiting = false
    var tries = 0
  }

  static let second: Int64 = 1_000_000_000
  private static let end = 60 * second
  private static let calm = 25 * second

  private(set) var violations: [String] = []
  private(set) var counts = Counts()
  /// What has happened, in words; nil: it is not noted.
  private let trace: Trace?

  private var random: SplitMix
  private var now: Int64 = 0
  private var queue = EventQueue()
  private var walls: [SimulatedWall] = []
  private var oldDisks: [[SimulatedWall.Disk]] = []
  private var connections: [Connection] = []
  private var retained: WallMessage?
  private var points: [Point] = []
  /// The points in a state.
  private var contents: [BoardStamp: Set<Int>] = [:]
  /// Whether something has happened for which a match may be set aside: a person has confirmed a takeover, a memory card
  /// was replaced, or the configs of two walls say that they lead.
  private var mayDiverge = false
  /// Points whose only copy was on a memory card that is gone.
  private var gone: Set<Int> = []
  private let faults: Int
  private let bridges: Bool

  init(seed: UInt64, trace: Trace? = nil) {
    self.trace = trace
    random = SplitMix(seed: seed)
    let count = random.int(2...4)
    let leaders = random.int(0...19) == 0 ? 2 : 1
    faults = random.int(0...8)
    bridges = random.int(0...9) == 0
    mayDiverge = leaders > 1
    for index in 0..<count {
      walls.append(
        SimulatedWall(
          leads: index < leaders, disk: Self.emptyDisk, held: Self.emptyDisk.held,
          clockOffset: Int64.random(in: 0...1_000_000, using: &random) * Self.second,
          drift: Int64.random(in: -100...100, using: &random),
          realtimeOffset: Int64.random(in: -5...5, using: &random) * Self.second))
    }
    oldDisks = walls.map { [$0.disk] }
    for index in walls.indices {
      at(random.int(0...3) == 0 ? milliseconds(0, 20_000) : 0, .fault(.start(wall: index)))
    }
    plan()
  }

  private static var emptyDisk: SimulatedWall.Disk {
    let teams: [Scoreboard.Team] = [.init(id: "home", name: "HOME"), .init(id: "guest", name: "GUEST")]
    return SimulatedWall.Disk(held: HeldMatch(Match(Scoreboard(teams: teams))))
  }

  private mutating func milliseconds(_ a: Int, _ b: Int) -> Int64 { Int64(random.int(a...b)) * 1_000_000 }

  private mutating func at(_ time: Int64, _ event: Event) { queue.add(time, event) }

  /// What people do and what fails in this schedule.
  private mutating func plan() {
    for _ in 0..<random.int(5...40) {
      let start = milliseconds(0, 58_000)
      // Taps come in groups.
      let wall = random.int(0...walls.count - 1)
      for tap in 0..<random.int(1...4) {
        at(start + Int64(tap) * milliseconds(20, 900), .person(.tap(wall: wall)))
      }
    }
    for _ in 0..<random.int(0...3) {
      at(milliseconds(0, 58_000), .person(.lead(wall: random.int(0...walls.count - 1))))
    }
    for _ in 0..<faults {
      let wall = random.int(0...walls.count - 1)
      let time = milliseconds(0, 55_000)
      switch random.int(0...11) {
      case 0...2:
        at(time, .fault(.crash(wall: wall)))
        at(time + milliseconds(200, 15_000), .fault(.start(wall: wall)))
      case 3...6:
        let direction = random.int(0...3)
        at(time, .fault(.cut(wall: wall, sends: direction == 1, receives: direction == 2)))
        at(time + milliseconds(100, 30_000), .fault(.heal(wall: wall)))
      case 7:
        at(time, .fault(.newCard(wall: wall)))
        at(time + milliseconds(200, 15_000), .fault(.start(wall: wall)))
      case 8:
        at(time, .fault(.oldCard(wall: wall)))
        at(time + milliseconds(200, 15_000), .fault(.start(wall: wall)))
      case 9:
        let other = (wall + random.int(1...walls.count - 1)) % walls.count
        at(time, .fault(.copiedCard(wall: wall, from: other)))
        at(time + milliseconds(200, 15_000), .fault(.start(wall: wall)))
      case 10: at(time, .fault(.brokerRestart(forgets: random.int(0...1) == 0)))
      default: at(time, .fault(.clockStep(wall: wall)))
      }
    }
  }

  // MARK: Running

  mutating func run() {
    play(until: Self.end)
    note("calm")
    for index in walls.indices {
      heal(index)
      if !walls[index].isOn { start(index) }
      if walls[index].connection == nil { at(now + Self.second / 2, .connect(wall: index)) }
    }
    play(until: Self.end + Self.calm)
    if violations.isEmpty { checkEnd() }
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
    counts.add("steps")
    switch event {
    case .tick(let wall, let ticket):
      guard walls[wall].isOn, walls[wall].ticket == ticket else { return }
      act(wall) { $0.tick(&$1, at: $2) }
    case .connect(let wall): connect(wall)
    case .atBroker(let connection, let outgoing): broker(connection, outgoing)
    case .atWall(let connection, let message, let isLive): arrive(connection, message, isLive)
    case .durable(let wall): durable(wall)
    case .clientTimeout(let id): clientTimeout(id)
    case .brokerTimeout(let id):
      let wall = walls[connections[id].wall]
      if !wall.sends || !wall.receives || !connections[id].isOpenAtClient {
        connections[id].isOpenAtBroker = false
      }
    case .person(let person): perform(person)
    case .fault(let fault): perform(fault)
    }
  }

  // MARK: A wall

  /// Calls the wall's value, and does what it returns.
  private mutating func act(
    _ wall: Int, _ body: (inout BoardMember, inout HeldMatch, Moment) -> WallEffects
  ) {
    guard walls[wall].isOn, var member = walls[wall].member else { return }
    let before = member.role
    let effects = body(&member, &walls[wall].held, walls[wall].moment(now))
    walls[wall].member = member
    if before != member.role { note("wall \(wall): \(before) → \(member.role) \(describe(wall))") }
    record(wall)
    for line in effects.notes { note("wall \(wall): \(line)") }
    for aside in effects.asides {
      counts.add("set aside")
      note("wall \(wall) sets aside \(text(aside.history))")
      walls[wall].asides[aside.history] = aside.held
    }
    for history in effects.contained { walls[wall].asides[history] = nil }
    if effects.saves { save(wall, effects.messages) } else { effects.messages.forEach { send(wall, $0) } }
    for asked in effects.requests {
      lead(wall, point: Int(asked.id) ?? -1, from: asked.from, pressed: asked.request.time)
    }
    for (id, answer) in effects.answers { answered(point: Int(id) ?? -1, answer) }
    for id in effects.unanswered { unanswered(point: Int(id) ?? -1) }
    switch effects.takeover {
    case .unconfirmed where random.int(0...9) < 6:
      at(now + milliseconds(500, 3_000), .person(.confirm(wall: wall)))
    case .led: counts.add("takeovers")
    default: break
    }
    rearm(wall)
    let unconfirmed = walls[wall].unconfirmed
    walls[wall].unconfirmed = []
    for command in unconfirmed { confirm(wall, command) }
  }

  private mutating func rearm(_ wall: Int) {
    guard let next = walls[wall].member?.nextTick(at: walls[wall].clock(now)) else { return }
    let time = max(walls[wall].time(next), now + 1_000)
    walls[wall].ticket += 1
    at(time, .tick(wall: wall, ticket: walls[wall].ticket))
  }

  /// Notes the points of the wall's state, which a new run or an adopted state has from another.
  private mutating func record(_ wall: Int) {
    guard let history = walls[wall].member?.saved.history else { return }
    if contents[history.stamp] == nil {
      contents[history.stamp] =
        history.lineage.ends.last { contents[$0] != nil }.flatMap { contents[$0] } ?? []
    }
    let known = contents[history.stamp]?.count ?? 0
    let score = walls[wall].held.match.board.teams[0].score
    if score != known { fail("wall \(wall) shows \(score), its state \(text(history)) has \(known)") }
  }

  private func text(_ history: BoardHistory) -> String {
    "\(history.match.suffix(3)):\(history.stamp.reign)/\(history.stamp.writer.suffix(3))/\(history.stamp.run.id & 0xffff)+\(history.stamp.number)"
  }

  private func describe(_ wall: Int) -> String {
    guard let member = walls[wall].member else { return "off" }
    return
      "\(member.role) \(member.saved.history.map(text) ?? "-") score \(walls[wall].held.match.board.teams[0].score)"
  }

  private func disk(of wall: Int) -> SimulatedWall.Disk {
    SimulatedWall.Disk(saved: walls[wall].member?.saved, held: walls[wall].held, asides: walls[wall].asides)
  }

  private mutating func save(
    _ wall: Int, _ messages: [WallEffects.Outgoing] = [], _ acknowledged: [SimulatedWall.Command] = []
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

  /// A command's effect is saved.
  private mutating func confirm(_ wall: Int, _ command: SimulatedWall.Command) {
    guard let (history, sent) = command.change, let member = walls[wall].member else {
      return reply(wall, command)
    }
    switch member.standing(of: history, sent: sent, at: walls[wall].clock(now)) {
    case .acknowledged: reply(wall, command)
    case .open: walls[wall].unconfirmed.append(command)
    case .lost: if command.from == nil { unanswered(point: command.point) }
    }
  }

  /// Messages stay behind a save before them that must be durable first.
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
    counts.add("messages")
    note("   \(wall) sends \(outgoing.message.kind)")
    guard walls[wall].sends else { return connections[id].heldUp.append(outgoing) }
    let time = max(now + delay(), connections[id].lastUp + 1)
    connections[id].lastUp = time
    at(time, .atBroker(connection: id, outgoing))
  }

  private mutating func delay() -> Int64 {
    random.int(0...99) == 0 ? milliseconds(100, 1_500) : Int64(random.int(200...20_000)) * 1_000
  }

  private mutating func broker(_ id: Int, _ outgoing: WallEffects.Outgoing) {
    guard connections[id].isOpenAtBroker else { return }
    if outgoing.isRetained { retained = outgoing.message }
    for other in connections.indices where connections[other].isOpenAtBroker {
      deliver(other, outgoing.message, isLive: true)
      // QoS 1 delivers at least once.
      if random.int(0...60) == 0 { deliver(other, outgoing.message, isLive: true) }
    }
  }

  private mutating func deliver(_ id: Int, _ message: WallMessage, isLive: Bool) {
    let wall = connections[id].wall
    guard walls[wall].receives else { return connections[id].heldDown.append((message, isLive)) }
    let time = max(now + delay(), connections[id].lastDown + 1)
    connections[id].lastDown = time
    at(time, .atWall(connection: id, message, isLive: isLive))
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
    for id in connections.indices where connections[id].wall == wall {
      for outgoing in connections[id].heldUp {
        counts.add("late deliveries")
        let time = max(now + delay(), connections[id].lastUp + 1)
        connections[id].lastUp = time
        at(time, .atBroker(connection: id, outgoing))
      }
      connections[id].heldUp = []
      guard connections[id].isOpenAtClient else { continue }
      for (message, isLive) in connections[id].heldDown { deliver(id, message, isLive: isLive) }
      connections[id].heldDown = []
      // A side that has given up answers with a reset.
      if !connections[id].isOpenAtBroker, walls[wall].connection == id { disconnect(wall) }
    }
  }

  // MARK: Faults

  private mutating func perform(_ fault: Fault) {
    note("\(fault)")
    switch fault {
    case .crash(let wall): crash(wall)
    case .start(let wall): start(wall)
    case .cut(let wall, let sends, let receives):
      counts.add("cuts")
      (walls[wall].sends, walls[wall].receives) = (sends, receives)
      guard let id = walls[wall].connection else { return }
      at(now + milliseconds(2_000, 20_000), .clientTimeout(connection: id))
      at(now + milliseconds(4_000, 30_000), .brokerTimeout(connection: id))
    case .heal(let wall): heal(wall)
    case .newCard(let wall):
      crash(wall)
      replace(wall, by: Self.emptyDisk)
      counts.add("new cards")
    case .oldCard(let wall):
      crash(wall)
      replace(wall, by: oldDisks[wall].randomElement(using: &random) ?? Self.emptyDisk)
      counts.add("old cards")
    case .copiedCard(let wall, let other):
      crash(wall)
      replace(wall, by: walls[other].disk)
      counts.add("copied cards")
    case .brokerRestart(let forgets):
      counts.add("broker restarts")
      if forgets { retained = nil }
      for id in connections.indices { connections[id].isOpenAtBroker = false }
      for wall in walls.indices { disconnect(wall) }
    case .clockStep(let wall):
      walls[wall].realtimeOffset += Int64(random.int(-100...100)) * Self.second
      counts.add("clock steps")
    }
  }

  private mutating func crash(_ wall: Int) {
    guard walls[wall].isOn else { return }
    counts.add("crashes")
    let lost = walls[wall].saves.flatMap(\.acknowledged) + walls[wall].unconfirmed
    for command in lost where command.from == nil { unanswered(point: command.point) }
    (walls[wall].saves, walls[wall].unconfirmed) = ([], [])
    for command in walls[wall].member?.waiting ?? [] { unanswered(point: Int(command.id) ?? -1) }
    disconnect(wall)
    walls[wall].isOn = false
    walls[wall].member = nil
    walls[wall].ticket += 1
  }

  private mutating func start(_ wall: Int) {
    guard !walls[wall].isOn else { return }
    let disk = walls[wall].disk
    walls[wall].isOn = true
    (walls[wall].held, walls[wall].asides) = (disk.held, disk.asides)
    walls[wall].member = BoardMember(
      board: "hall", leads: walls[wall].leads, name: BoardMember.name(from: random.next()), saved: disk.saved,
      process: UInt32.random(in: .min ... .max, using: &random))
    record(wall)
    note("wall \(wall) starts: \(describe(wall))")
    // The new name and run are saved before anything is sent.
    save(wall)
    at(now + milliseconds(5, 2_000), .connect(wall: wall))
    rearm(wall)
  }

  /// Puts another memory card into a wall that is off.
  private mutating func replace(_ wall: Int, by disk: SimulatedWall.Disk) {
    let lost = points(on: walls[wall].disk)
    let kept = walls.indices.filter { $0 != wall }.reduce(into: points(on: disk)) { kept, other in
      kept.formUnion(points(on: walls[other].disk))
    }
    gone.formUnion(lost.subtracting(kept))
    walls[wall].disk = disk
    mayDiverge = true
  }

  private func points(on disk: SimulatedWall.Disk) -> Set<Int> {
    var points = disk.saved?.history.flatMap { contents[$0.stamp] } ?? []
    for history in disk.asides.keys { points.formUnion(contents[history.stamp] ?? []) }
    return points
  }

  // MARK: People

  private mutating func perform(_ person: Person) {
    switch person {
    case .tap(let wall):
      points.append(Point(wall: wall, pressed: now))
      counts.add("taps")
      give(points.count - 1)
    case .again(let point): give(point)
    case .lead(let wall):
      note("lead at \(wall)")
      act(wall) { $0.takeOver(isConfirmed: false, $1, at: $2) }
    case .confirm(let wall):
      note("lead at \(wall), confirmed")
      mayDiverge = true
      counts.add("confirmations")
      act(wall) { $0.takeOver(isConfirmed: true, $1, at: $2) }
    }
  }

  private mutating func give(_ point: Int) {
    let wall = points[point].wall
    points[point].tries += 1
    guard !points[point].isWaiting, !points[point].isAcknowledged, !points[point].isRefused else { return }
    guard walls[wall].isOn, let member = walls[wall].member else { return retry(point) }
    let pressed = walls[wall].clock(points[point].pressed)
    points[point].isWaiting = true
    switch member.permission(at: walls[wall].clock(now)) {
    case .perform: lead(wall, point: point, from: nil, pressed: pressed)
    case .refuse: unanswered(point: point)
    case .forward:
      guard let time = member.leaderTime(of: pressed, at: walls[wall].clock(now)) else {
        return unanswered(point: point)
      }
      let request = WallMessage.Request(method: "AddScore", parameters: "{}", time: time)
      var message: WallMessage?
      act(wall) { member, _, moment in
        message = member.request(request, id: "\(point)", at: moment)?.message
        var effects = WallEffects()
        if let message { effects.send(message) }
        return effects
      }
      if message == nil { unanswered(point: point) }
    }
  }

  /// The leader performs a command, once.
  private mutating func lead(_ wall: Int, point: Int, from: String?, pressed: Int64) {
    for index in walls[wall].saves.indices {
      guard var first = walls[wall].saves[index].acknowledged.first(where: { $0.point == point }) else {
        continue
      }
      first.from = from
      return walls[wall].saves[index].acknowledged.append(first)
    }
    if var first = walls[wall].unconfirmed.first(where: { $0.point == point }) {
      first.from = from
      return walls[wall].unconfirmed.append(first)
    }
    if let answer = walls[wall].held.performed["\(point)"] {
      return reply(wall, SimulatedWall.Command(point: point, from: from, answer: answer))
    }
    guard var member = walls[wall].member, let before = member.saved.history else { return }
    let clock = walls[wall].clock(now)
    let isLate = abs(clock - pressed) > 5 * Self.second
    if !isLate {
      if contents[before.stamp]?.contains(point) == true { fail("point \(point) counts twice") }
      if now - points[point].pressed > 5_600_000_000 { fail("point \(point) counts late") }
      _ = try? walls[wall].held.match.apply(.addScore(team: "home", by: 1), at: clock)
    }
    walls[wall].held.performed.add([.init(id: "\(point)", answer: isLate ? "late" : "ok")])
    member.changed()
    walls[wall].member = member
    if let after = member.saved.history {
      contents[after.stamp] = contents[before.stamp, default: []].union(isLate ? [] : [point])
    }
    note("wall \(wall) counts \(point): \(describe(wall))")
    act(wall) { member, held, moment in
      var effects = WallEffects()
      effects.send(
        member.state(whole: false, showAt: moment.clock + WallMessage.lead, held, moment), isRetained: true)
      return effects
    }
    var performed = SimulatedWall.Command(point: point, from: from, answer: isLate ? "late" : "ok")
    performed.change = walls[wall].member?.saved.history.map { ($0, clock) }
    save(wall, [], [performed])
  }

  private mutating func reply(_ wall: Int, _ command: SimulatedWall.Command) {
    guard let from = command.from else { return answered(point: command.point, command.answer) }
    act(wall) { member, _, moment in
      var effects = WallEffects()
      effects.send(member.answer(command.answer, to: "\(command.point)", of: from, at: moment))
      return effects
    }
  }

  private mutating func answered(point: Int, _ answer: String) {
    guard points.indices.contains(point), !points[point].isAcknowledged else { return }
    points[point].isWaiting = false
    if answer == "ok" {
      note("point \(point) is acknowledged")
      points[point].isAcknowledged = true
      counts.add("acknowledged")
    } else {
      points[point].isRefused = true
      counts.add("too late")
    }
  }

  /// The phone has no answer.
  private mutating func unanswered(point: Int) {
    guard points.indices.contains(point), points[point].isWaiting else { return }
    points[point].isWaiting = false
    counts.add("unanswered")
    retry(point)
  }

  private mutating func retry(_ point: Int) {
    if points[point].tries < 4 { at(now + milliseconds(300, 4_000), .person(.again(point: point))) }
  }

  // MARK: The end

  private mutating func checkEnd() {
    let leaders = walls.indices.filter { walls[$0].member?.permission(at: walls[$0].clock(now)) == .perform }
    let lines = walls.indices.map { "\($0): \(describe($0))" }.joined(separator: "; ")
    guard leaders.count == 1, let leader = leaders.first, let history = walls[leader].member?.saved.history
    else {
      return fail("\(leaders.count) walls lead: \(lines)")
    }
    for wall in walls.indices where wall != leader {
      if walls[wall].member?.permission(at: walls[wall].clock(now)) != .forward {
        fail("wall \(wall) does not reach the leader: \(lines)")
        if let member = walls[wall].member { note("\(member)") }
      }
      if walls[wall].member?.saved.history?.stamp != history.stamp {
        fail("wall \(wall) shows another state: \(lines)")
      }
    }
    let shown = contents[history.stamp] ?? []
    let asides = walls.indices.reduce(into: Set<Int>()) { all, wall in
      for aside in walls[wall].asides.keys { all.formUnion(contents[aside.stamp] ?? []) }
    }
    for (number, point) in points.enumerated() {
      if point.isAcknowledged, !shown.contains(number), !gone.contains(number) {
        if !asides.contains(number) { fail("point \(number) was acknowledged and is lost; \(lines)") }
        if !mayDiverge { fail("point \(number) was acknowledged and is set aside; \(lines)") }
      }
      if point.isRefused, shown.contains(number), !mayDiverge {
        fail("point \(number) was refused and counts")
      }
    }
    let held = walls[leader].held
    if held.match.past.count < min(shown.count, 8) {
      fail("of \(shown.count) points, \(held.match.past.count) can be undone")
    }
  }
}

final class Trace {
  var lines: [String] = []
}

/// Events in the order of their time; those of the same time in the order in which they were added.
struct EventQueue {
  private var heap: [(time: Int64, order: Int, event: Simulation.Event)] = []
  private var count = 0

  mutating func add(_ time: Int64, _ event: Simulation.Event) {
    count += 1
    heap.append((time, count, event))
    var index = heap.count - 1
    while index > 0, isBefore(index, (index - 1) / 2) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func next(until end: Int64) -> (Int64, Simulation.Event)? {
    guard let first = heap.first, first.time <= end else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      var index = 0
      while true {
        var least = index
        for child in [2 * index + 1, 2 * index + 2] where child < heap.count && isBefore(child, least) {
          least = child
        }
        if least == index { break }
        heap.swapAt(index, least)
        index = least
      }
    }
    return (first.time, first.event)
  }

  private func isBefore(_ a: Int, _ b: Int) -> Bool {
    (heap[a].time, heap[a].order) < (heap[b].time, heap[b].order)
  }
}

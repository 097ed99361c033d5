// SPDX-License-Identifier: Apache-2.0

extension ControlError {
  /// The parameters on the wire.
  public var parameters: [String: JSONValue] {
    switch self {
    case .interfaceNotFound(let interface): ["interface": .string(interface)]
    case .methodNotFound(let method), .methodNotImplemented(let method): ["method": .string(method)]
    case .invalidParameter(let parameter): ["parameter": .string(parameter)]
    case .unknownTeam(let team, let known): Self.unknown("team", team, known)
    case .unknownPage(let page, let known): Self.unknown("page", page, known)
    case .unknownCounter(let counter, let known): Self.unknown("counter", counter, known)
    case .unknownTimer(let timer, let known): Self.unknown("timer", timer, known)
    case .scoreOutOfRange(let score, let minimum, let maximum): Self.outside("score", score, minimum, maximum)
    case .periodOutOfRange(let period, let minimum, let maximum):
      Self.outside("period", period, minimum, maximum)
    case .counterOutOfRange(let value, let counter, let minimum, let maximum):
      Self.outside("value", value, minimum, maximum).merging(["counter": .string(counter)]) { $1 }
    case .timerOutOfRange(let milliseconds, let minimum, let maximum),
      .durationOutOfRange(let milliseconds, let minimum, let maximum),
      .penaltyOutOfRange(let milliseconds, let minimum, let maximum):
      Self.outside("milliseconds", milliseconds, minimum, maximum)
    case .brightnessOutOfRange(let percent, let minimum, let maximum):
      Self.outside("percent", percent, minimum, maximum)
    case .badText(let text, let problem, let maximum):
      ["text": .string(text), "problem": .string(problem), "maximum": .integer(Int64(maximum))]
    case .timerAtEnd(let timer): ["timer": .string(timer)]
    case .tooManySteps(let count, let known):
      ["count": .integer(Int64(count)), "known": .integer(Int64(known))]
    case .periodOver(let period, let result): ["period": .string(period), "result": .string(result)]
    case .matchOver(let result): ["result": .string(result)]
    case .bust(let points, let left): ["points": .integer(Int64(points)), "left": .integer(Int64(left))]
    case .turnOutOfRange(let points, let maximum):
      ["points": .integer(Int64(points)), "maximum": .integer(Int64(maximum))]
    case .tooManyPenalties(let team, let limit): ["team": .string(team), "limit": .integer(Int64(limit))]
    case .noPenalty(let team, let number):
      ["team": .string(team)].merging(number.map { ["number": .integer(Int64($0))] } ?? [:]) { $1 }
    case .stateNotSaved(let reason), .failed(let reason), .protocolViolation(let reason):
      ["reason": .string(reason)]
    case .tooManyClients(let limit), .tooManySubscribers(let limit): ["limit": .integer(Int64(limit))]
    case .permissionDenied, .expectedMore, .noDisplay, .gameTimerPaused, .nothingToUndo, .nothingToRedo,
      .noPenalties:
      [:]
    case .other(_, let parameters): parameters
    }
  }

  private static func unknown(_ kind: String, _ word: String, _ known: [String]) -> [String: JSONValue] {
    [kind: .string(word), "known": .array(known.map { .string($0) })]
  }

  private static func outside(
    _ kind: String, _ value: Int, _ minimum: Int, _ maximum: Int
  ) -> [String: JSONValue] {
    [
      kind: .integer(Int64(value)), "minimum": .integer(Int64(minimum)), "maximum": .integer(Int64(maximum)),
    ]
  }

  /// Reads an error reply. One whose parameters are not as declared is kept as `.other`.
  public init(name: String, parameters: [String: JSONValue]) {
    let value = JSONValue.object(parameters)
    let known =
      if name.hasPrefix(Self.servicePrefix) {
        Self.service(String(name.dropFirst(Self.servicePrefix.count)), value)
      } else if name.hasPrefix(Self.controlPrefix) {
        Self.control(String(name.dropFirst(Self.controlPrefix.count)), value)
      } else {
        ControlError?.none
      }
    self = known ?? .other(name: name, parameters: parameters)
  }

  private static func service(_ name: String, _ parameters: JSONValue) -> ControlError? {
    let string = { (key: String) in parameters[key]?.string }
    switch name {
    case "InterfaceNotFound": return string("interface").map { .interfaceNotFound($0) }
    case "MethodNotFound": return string("method").map { .methodNotFound($0) }
    case "MethodNotImplemented": return string("method").map { .methodNotImplemented($0) }
    case "InvalidParameter": return string("parameter").map { .invalidParameter($0) }
    case "PermissionDenied": return .permissionDenied
    case "ExpectedMore": return .expectedMore
    default: return nil
    }
  }

  private static func control(_ name: String, _ parameters: JSONValue) -> ControlError? {
    let string = { (key: String) in parameters[key]?.string }
    let integer = { (key: String) in parameters[key]?.integer }
    switch name {
    case "UnknownTeam": return unknown("team", parameters) { .unknownTeam($0, known: $1) }
    case "UnknownPage": return unknown("page", parameters) { .unknownPage($0, known: $1) }
    case "UnknownCounter": return unknown("counter", parameters) { .unknownCounter($0, known: $1) }
    case "UnknownTimer": return unknown("timer", parameters) { .unknownTimer($0, known: $1) }
    case "ScoreOutOfRange":
      return outside("score", parameters) { .scoreOutOfRange($0, minimum: $1, maximum: $2) }
    case "PeriodOutOfRange":
      return outside("period", parameters) { .periodOutOfRange($0, minimum: $1, maximum: $2) }
    case "TimerOutOfRange":
      return outside("milliseconds", parameters) { .timerOutOfRange($0, minimum: $1, maximum: $2) }
    case "DurationOutOfRange":
      return outside("milliseconds", parameters) { .durationOutOfRange($0, minimum: $1, maximum: $2) }
    case "BrightnessOutOfRange":
      return outside("percent", parameters) { .brightnessOutOfRange($0, minimum: $1, maximum: $2) }
    case "CounterOutOfRange":
      guard let counter = string("counter") else { return nil }
      return outside("value", parameters) {
        .counterOutOfRange($0, counter: counter, minimum: $1, maximum: $2)
      }
    case "BadText":
      guard let text = string("text"), let problem = string("problem"), let maximum = integer("maximum")
      else {
        return nil
      }
      return .badText(text, problem: problem, maximum: maximum)
    case "TimerAtEnd": return string("timer").map { .timerAtEnd($0) }
    case "GameTimerPaused": return .gameTimerPaused
    case "NothingToUndo": return .nothingToUndo
    case "NothingToRedo": return .nothingToRedo
    case "TooManySteps", "PeriodOver", "MatchOver", "Bust", "TurnOutOfRange", "NoPenalties",
      "PenaltyOutOfRange", "TooManyPenalties", "NoPenalty":
      return ruled(name, parameters)
    case "NoDisplay": return .noDisplay
    case "StateNotSaved": return string("reason").map { .stateNotSaved(reason: $0) }
    case "Failed": return string("reason").map { .failed(reason: $0) }
    case "ProtocolViolation": return string("reason").map { .protocolViolation(reason: $0) }
    case "TooManyClients": return integer("limit").map { .tooManyClients(limit: $0) }
    case "TooManySubscribers": return integer("limit").map { .tooManySubscribers(limit: $0) }
    default: return nil
    }
  }

  /// What the rules of the game do not allow.
  private static func ruled(_ name: String, _ parameters: JSONValue) -> ControlError? {
    let string = { (key: String) in parameters[key]?.string }
    let integer = { (key: String) in parameters[key]?.integer }
    switch name {
    case "TooManySteps":
      guard let count = integer("count"), let known = integer("known") else { return nil }
      return .tooManySteps(count, known: known)
    case "PeriodOver":
      guard let period = string("period"), let result = string("result") else { return nil }
      return .periodOver(period, result: result)
    case "MatchOver": return string("result").map { .matchOver(result: $0) }
    case "Bust":
      guard let points = integer("points"), let left = integer("left") else { return nil }
      return .bust(points, left: left)
    case "TurnOutOfRange":
      guard let points = integer("points"), let maximum = integer("maximum") else { return nil }
      return .turnOutOfRange(points, maximum: maximum)
    case "PenaltyOutOfRange":
      return outside("milliseconds", parameters) { .penaltyOutOfRange($0, minimum: $1, maximum: $2) }
    case "TooManyPenalties":
      guard let team = string("team"), let limit = integer("limit") else { return nil }
      return .tooManyPenalties(team, limit: limit)
    case "NoPenalty": return string("team").map { .noPenalty($0, number: integer("number")) }
    default: return .noPenalties
    }
  }

  private static func unknown(
    _ kind: String, _ parameters: JSONValue, _ make: (String, [String]) -> ControlError
  ) -> ControlError? {
    guard let word = parameters[kind]?.string, let known = parameters["known"]?.array else { return nil }
    return make(word, known.compactMap(\.string))
  }

  private static func outside(
    _ kind: String, _ parameters: JSONValue, _ make: (Int, Int, Int) -> ControlError
  ) -> ControlError? {
    guard let value = parameters[kind]?.integer, let minimum = parameters["minimum"]?.integer,
      let maximum = parameters["maximum"]?.integer
    else { return nil }
    return make(value, minimum, maximum)
  }
}

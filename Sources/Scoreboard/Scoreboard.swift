// SPDX-License-Identifier: Apache-2.0

/// The state of a match: a pure value that changes only by actions.
public struct Scoreboard: Hashable, Sendable, Codable {
  /// Every score lies in here.
  public static let scores = 0...999

  public struct Team: Hashable, Sendable, Codable {
    public let id: String
    public var name: String
    public var score: Int

    public init(id: String, name: String, score: Int = 0) {
      self.id = id
      self.name = name
      self.score = score
    }
  }

  /// In the order they were declared; ids are unique, scores lie in `scores`.
  public private(set) var teams: [Team]
  /// Teams that were declared once and are not now, with their scores: a config that is being edited,
  /// or broken for a while, loses nothing. At most `parkedLimit`, the latest last.
  public private(set) var parked: [Team] = []
  static let parkedLimit = 64

  /// Of teams with the same id the first counts; a score outside the range becomes its nearest end.
  public init(teams: [Team]) { self.teams = Self.valid(teams) }

  public enum Action: Hashable, Sendable, Codable {
    case setScore(team: String, to: Int)
    case addScore(team: String, by: Int)
  }

  public enum Refusal: Error, Hashable, Sendable {
    case unknownTeam(String, known: [String])
    case scoreOutOfRange(Int)
  }

  public func team(_ id: String) -> Team? { teams.first { $0.id == id } }

  /// Does `action`, or refuses it and changes nothing.
  public mutating func apply(_ action: Action) throws(Refusal) {
    switch action {
    case .setScore(let id, let score):
      try set(score, at: try index(of: id))
    case .addScore(let id, let points):
      let index = try index(of: id)
      let (score, overflow) = teams[index].score.addingReportingOverflow(points)
      guard !overflow else { throw .scoreOutOfRange(points) }
      try set(score, at: index)
    }
  }

  /// Takes the teams and names of a new config. The scores of teams that stay, or come back, are kept;
  /// those that go are parked.
  public mutating func adopt(_ declared: [Team]) {
    let known = parked + teams
    teams = Self.valid(
      declared.map { team in
        var team = team
        if let kept = known.first(where: { $0.id == team.id }) { team.score = kept.score }
        return team
      })
    let gone = known.filter { team in !teams.contains { $0.id == team.id } }
    parked = Array(Self.valid(gone).suffix(Self.parkedLimit))
  }

  private static func valid(_ teams: [Team]) -> [Team] {
    var seen: Set<String> = []
    return teams.filter { seen.insert($0.id).inserted }.map { team in
      var team = team
      team.score = min(max(team.score, scores.lowerBound), scores.upperBound)
      return team
    }
  }

  private func index(of id: String) throws(Refusal) -> Int {
    guard let index = teams.firstIndex(where: { $0.id == id }) else {
      throw .unknownTeam(id, known: teams.map(\.id))
    }
    return index
  }

  private mutating func set(_ score: Int, at index: Int) throws(Refusal) {
    guard Self.scores.contains(score) else { throw .scoreOutOfRange(score) }
    teams[index].score = score
  }
}

extension Scoreboard {
  private enum CodingKeys: CodingKey { case teams, parked }

  /// Refuses what no sequence of actions leads to: an id twice, a score out of range. A state file that
  /// holds such is not ours.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let read = try container.decode([Team].self, forKey: .teams)
    self.init(teams: read)
    parked = Array(
      Self.valid(try container.decodeIfPresent([Team].self, forKey: .parked) ?? []).suffix(Self.parkedLimit))
    guard teams == read else {
      throw DecodingError.dataCorruptedError(
        forKey: .teams, in: container, debugDescription: "a team id twice, or a score out of range")
    }
  }
}

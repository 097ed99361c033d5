// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HomeAssistant

@Suite struct BookkeepingTests {
  private func lines(_ messages: [(topic: String, payload: String)]) -> [String] {
    messages.map { "\($0.topic)=\($0.payload)" }
  }

  @Test("Only topics that have changed are published, configs first, and topics that are gone are removed")
  func published() {
    var published = Published()
    #expect(
      lines(published.replace(by: ["b": "1", "a": "2", "h/x/config": "{}"])) == [
        "h/x/config={}", "a=2", "b=1",
      ])
    #expect(lines(published.replace(by: ["b": "1", "a": "3", "h/x/config": "{}"])) == ["a=3"])
    #expect(lines(published.update(["b": "4"])) == ["b=4"])
    #expect(published.contains("a") && !published.contains("z"))
    #expect(lines(published.replace(by: ["a": "3"])) == ["h/x/config=", "b="])
    #expect(lines(published.replace(by: ["a": "3"])) == [])
  }

  @Test("Of many messages, only some are logged, and the others are counted")
  func rejections() {
    var log = RejectionLog()
    let second: Int64 = 1_000_000_000
    var lines: [String] = []
    for number in 0..<100 {
      if let line = log.reject(
        kind: number % 2 == 0 ? "retained" : "unknown", message: "m\(number)", at: second)
      {
        lines.append(line)
      }
    }
    #expect(lines == ["m0", "m1", "m2", "m3", "m4"])
    #expect(log.total == 100)
    #expect(
      log.reject(kind: "unknown", message: "later", at: 62 * second)
        == "later (not logged before: 47 retained, 48 unknown)")
    #expect(log.reject(kind: "unknown", message: "next", at: 63 * second) == "next")
  }

  @Test("Without discovery there are no configs, and everything else is the same")
  func announcement() {
    let wall = makeWall(health: Health(version: "1"))
    var announcing = Announcement(topics, discovers: true)
    var silent = Announcement(topics, discovers: false)
    let with = announcing.messages(of: wall, at: 0, matchTime: 5)
    let without = silent.messages(of: wall, at: 0, matchTime: 5)
    let configs = with.keys.filter { $0.hasPrefix("homeassistant/") }
    #expect(configs.count == wall.entities.count)
    #expect(Set(without.keys) == Set(with.keys).subtracting(configs))
    // The configs change with the wall.
    var renamed = wall
    renamed.match.teams[0].name = "LIONS"
    let changed = announcing.messages(of: renamed, at: 0, matchTime: 5)
    let config = topics.config("number", "home_score")
    #expect(with[config]?.contains("HOME score") == true && changed[config]?.contains("LIONS score") == true)
    #expect(announcing.messages(of: wall, at: 0, matchTime: 5) == with)
    #expect(without[topics.state]?.hasPrefix(#"{"match":{"#) == true)
    #expect(without[topics.state]?.hasSuffix(#""revision":0,"time":5}"#) == true)
  }
}

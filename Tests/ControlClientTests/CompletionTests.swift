// SPDX-License-Identifier: Apache-2.0

import Commands
import JSON
import Testing

@testable import ControlClient

@Suite struct CompletionTests {
  @Test("Completions read the names from the daemon's replies")
  func completions() throws {
    func reply(_ text: String) throws -> [String: JSONValue] {
      try #require(try JSONReader.read(Array(text.utf8)).object)
    }
    let status = try reply(#"{"status":{"pages":["b","a"],"scoreboard":{"teams":{"home":{},"guest":{}}}}}"#)
    #expect(Completion.Names.teams.names(in: status) == ["guest", "home"])
    #expect(Completion.Names.pages.names(in: status) == ["b", "a"])
    #expect(Completion.Names.teams.names(in: [:]) == [])
    let ordered = try reply(
      #"{"status":{"scoreboard":{"teams":{"home":{},"guest":{}},"teamOrder":["home","guest"]}}}"#)
    #expect(Completion.Names.teams.names(in: ordered) == ["home", "guest"])
    let outputs = try reply(
      #"{"status":{"outputs":[{"connector":"DP-1","settings":"left"},{"connector":"DP-2","settings":"DP-2"},{}]}}"#
    )
    #expect(Completion.Names.outputs.names(in: outputs) == ["DP-1", "left", "DP-2"])
    #expect(Completion.Names.outputs.names(in: status) == [])
    let match = try reply(#"{"state":{"counters":[{"id":"fouls"},{"id":"timeouts"}]}}"#)
    #expect(Completion.Names.counters.names(in: match) == ["fouls", "timeouts"])
  }
}

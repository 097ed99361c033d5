// SPDX-License-Identifier: Apache-2.0

import Commands
import JSON
import Scoreboard
import TestSupport
import Testing

@testable import ControlCalls
@testable import Varlink

/// Commands that are sent with an id, a time, and the revision that their sender saw.
@Suite struct CommandGateTests {
  private let handler = TestHandler()

  private func give(
    _ change: Change, _ terms: Terms = Terms()
  ) -> Result<[String: JSONValue], ControlError>? {
    var answer: Result<[String: JSONValue], ControlError>?
    handler.perform(change, on: terms) { (result: Result<[String: JSONValue], ControlError>) in
      #expect(answer == nil, "answered twice")
      answer = result
    }
    return answer
  }

  private var score: Int { handler.match.scoreboard.teams[0].score }

  @Test("A command with a known id gets its answer again, and is performed once")
  func ids() throws {
    let first = try #require(give(.match(.addScore(team: "home", by: 2)), Terms(id: "a"))).get()
    let second = try #require(give(.match(.addScore(team: "home", by: 2)), Terms(id: "a"))).get()
    #expect(first == second)
    #expect(score == 9)
    _ = give(.match(.addScore(team: "home", by: 2)), Terms(id: "b"))
    _ = give(.match(.addScore(team: "home", by: 2)))
    _ = give(.match(.addScore(team: "home", by: 2)))
    #expect(score == 15)
  }

  @Test("A command that is refused is refused again, even if it could be performed now")
  func refusals() throws {
    let redo = Change.match(.redo)
    #expect(give(redo, Terms(id: "a")) == .failure(ControlError(.nothingToRedo)))
    _ = give(.match(.addScore(team: "home", by: 2)))
    _ = give(.match(.undo))
    #expect(give(redo, Terms(id: "a")) == .failure(ControlError(.nothingToRedo)))
    #expect(score == 7)
    #expect(try give(redo, Terms(id: "b"))?.get() != nil)
  }

  @Test("A command that was not saved is not confirmed when it is sent again, until it is saved")
  func unsaved() throws {
    let change = Change.match(.addScore(team: "home", by: 2))
    handler.saveFailure = "No space left on device"
    for _ in 0..<3 {
      #expect(give(change, Terms(id: "a")) == .failure(.stateNotSaved(reason: "No space left on device")))
    }
    // A command that was refused, or that does not change the match, does not wait for the disk.
    #expect(give(.match(.redo), Terms(id: "b")) == give(.match(.redo), Terms(id: "b")))
    for _ in 0..<2 { #expect(try give(.toggleBlank(), Terms(id: "c"))?.get() != nil) }
    handler.saveFailure = nil
    #expect(try give(change, Terms(id: "a"))?.get() != nil)
    #expect(score == 9)
  }

  @Test("A command that arrives again while it is being performed waits for the same answer")
  func running() throws {
    handler.delays = true
    var answers: [Result<[String: JSONValue], ControlError>] = []
    for _ in 0..<3 {
      handler.perform(.match(.addScore(team: "home", by: 1)), on: Terms(id: "a")) {
        (result: Result<[String: JSONValue], ControlError>) in answers.append(result)
      }
    }
    #expect(answers.isEmpty)
    #expect(handler.pending.count == 1)
    handler.pending.removeFirst()()
    #expect(answers.count == 3 && Set(answers.map { try? $0.get() }).count == 1)
    #expect(score == 8)
  }

  @Test("A late command is refused as one that may count already if it was given before this wall led")
  func gap() throws {
    handler.now = 100_000_000_000
    handler.performed.gap = .init(board: "hall", end: handler.now - 8_000_000_000)
    let add = Change.match(.addScore(team: "home", by: 1))
    let before = score
    for (age, refusal) in [
      (7_999, ControlError.tooLate(milliseconds: 7_999)), (8_001, .mayCount(board: "hall")),
      (60_000, .mayCount(board: "hall")),
    ] {
      // A sender that asks again gets the same answer, so that it can stop.
      for _ in 0..<2 {
        let time = handler.now - Int64(age) * 1_000_000
        #expect(try #require(give(add, Terms(id: "\(age)", time: time))) == .failure(refusal))
      }
      #expect(refusal.isFinal)
    }
    #expect(score == before)
  }

  @Test("A command is refused if it is more than five seconds old, or from another clock")
  func ages() throws {
    handler.now = 100_000_000_000
    let ages = [(0, true), (4_999, true), (5_001, false), (100_000, false), (-4_999, true), (-5_001, false)]
    for (age, isPerformed) in ages {
      let before = score
      let time = handler.now - Int64(age) * 1_000_000
      let answer = try #require(give(.match(.addScore(team: "home", by: 1)), Terms(id: "\(age)", time: time)))
      #expect((score != before) == isPerformed, "\(age) ms")
      if !isPerformed { #expect(answer == .failure(.tooLate(milliseconds: age))) }
    }
    for time in [Int64.min, .max] {
      #expect(throws: ControlError.self) {
        try give(.match(.addScore(team: "home", by: 1)), Terms(time: time))?.get()
      }
    }
    // A command that was performed in time is answered again at any time.
    handler.now += 60_000_000_000
    #expect(
      try give(.match(.addScore(team: "home", by: 1)), Terms(id: "0", time: 100_000_000_000))?.get() != nil)
  }

  @Test("The revision is compared for equality, at the moment of the change")
  func revisions() throws {
    let revision = handler.match.revision
    for other in [revision - 1, revision + 1] {
      #expect(
        give(.match(.undo), Terms(revision: other)) == .failure(.matchChanged(revision: revision)))
    }
    _ = give(.match(.addScore(team: "home", by: 1)), Terms(revision: revision))
    #expect(
      give(.match(.undo), Terms(revision: revision)) == .failure(.matchChanged(revision: revision + 1)))
    #expect(score == 8)
  }

  @Test("A change of the display with a known id is made once")
  func displays() throws {
    let toggle = Change.toggleBlank()
    let first = try #require(give(toggle, Terms(id: "a"))).get()
    #expect(try give(toggle, Terms(id: "a"))?.get() == first)
    #expect(handler.dark == Set(TestHandler.outputs))
  }

  @Test(
    "In any order of commands, each id is performed once, also after the known ids were saved and read")
  func randomOrders() throws {
    for seed in UInt64(1)...10 {
      var random = SplitMix(seed: seed)
      let handler = TestHandler()
      var given: Set<String> = []
      for _ in 0..<200 {
        let id = "\(Int.random(in: 0..<80, using: &random))"
        given.insert(id)
        if Bool.random(using: &random) {
          let saved = try JSONValue(encoding: handler.performed).text
          handler.performed = try JSONReader.read(Array(saved.utf8)).decoded(as: PerformedCommands.self)
        }
        handler.perform(.match(.addScore(team: "home", by: 1)), on: Terms(id: id)) {
          (_: Result<[String: JSONValue], ControlError>) in
        }
        #expect(handler.match.scoreboard.teams[0].score == 7 + given.count, "seed \(seed)")
      }
    }
  }

  @Test("The terms of a call are read, and wrong ones are refused")
  func calls() throws {
    let terms = Terms(id: "phone-1", time: 5_000_000_000, revision: 3)
    #expect(try Terms(VarlinkCall(.clearMessage, on: terms)) == terms)
    #expect(try Terms(VarlinkCall(.change(.clearMessage))) == Terms())
    #expect(VarlinkCall(.clearMessage, on: Terms()).parameters.isEmpty)
    for wrong: JSONValue in [
      .string("a"), .object(["id": .integer(1)]), .object(["id": .string("")]), .object(["age": .integer(1)]),
      .object(["id": .string(String(repeating: "a", count: 97))]), .object(["time": .string("1")]),
    ] {
      let call = VarlinkCall(method: "org.flipclock.Control.Undo", parameters: ["terms": wrong])
      #expect(throws: VarlinkError.invalidParameter("terms")) { try Terms(call) }
    }
    let status = VarlinkCall(method: "org.flipclock.Control.GetStatus", parameters: ["terms": .object([:])])
    #expect(throws: VarlinkError.invalidParameter("terms")) { try Command(status) { [] } }
  }

  @Test("Only a limited number of answers is kept, the newest ones")
  func limit() {
    var performed = PerformedCommands()
    for number in 0..<1_000 { performed.add([.init(id: "\(number)", answer: "{}")]) }
    #expect(performed.entries.count == PerformedCommands.limit)
    #expect(performed["999"] != nil && performed["\(1_000 - PerformedCommands.limit)"] != nil)
    #expect(performed["\(999 - PerformedCommands.limit)"] == nil)
  }
}

// SPDX-License-Identifier: Apache-2.0

import CommandSamples
import Commands
import JSON
import Scoreboard
import Testing

@testable import ControlCalls
@testable import ControlServer
@testable import LinuxSystem
@testable import Varlink

private let control = "org.flipclock.Control."

/// Calls, and what the last reply must contain: its error, and substrings.
struct MatchCase: CustomTestStringConvertible {
  let calls: [(String, String)]
  let error: String?
  let members: [String]

  init(_ calls: [(String, String)], _ members: String..., error: String? = nil) {
    self.calls = calls
    self.error = error
    self.members = members
  }

  var testDescription: String { calls.last.map { $0.0 + $0.1 } ?? "" }
}

@Suite struct MatchCallTests {
  static let cases: [MatchCase] = [
    MatchCase([("SetPeriod", #"{"period":3}"#)], #""what":"period: 1 → 3""#, #""period":3"#),
    MatchCase([("AddPeriod", #"{"periods":1}"#)], #""periodScores":[7,0]"#),
    MatchCase([("SetPeriodScore", #"{"team":"home","period":1,"score":9}"#)], #""score":9"#),
    MatchCase(
      [("SetTeam", ##"{"team":"home","name":"Löwen","shortName":"LÖ","color":"#fff"}"##)],
      #""name":"Löwen""#, #""shortName":"LÖ""#, ##""color":"#ffffff""##),
    MatchCase([("SetTeam", #"{"team":"home","name":null}"#)], #""shortName":"HOME""#),
    MatchCase([("SetServing", #"{"team":"guest"}"#)], #""serving":"guest""#),
    MatchCase([("SetServing", "{}")], #""serve":"possession""#),
    MatchCase([("SetCounter", #"{"team":"home","counter":"fouls","value":4}"#)], #""counters":{"fouls":4"#),
    MatchCase([("StartTimer", "{}")], #""milliseconds":600000,"running":true"#),
    MatchCase([("StartTimer", "{}"), ("ToggleTimer", "{}")], #""what":"game timer paused""#),
    MatchCase(
      [("SetTimer", #"{"milliseconds":30000}"#)], #""milliseconds":30000,"running":false,"warning":true"#),
    MatchCase([("AddTimer", #"{"timer":"shot","milliseconds":-4000}"#)], #""milliseconds":20000"#),
    MatchCase(
      [("SetTimer", #"{"milliseconds":1}"#), ("ResetTimer", "{}")], #""milliseconds":600000"#),
    MatchCase([("SwapSides", "{}")], ##""sidesSwapped":true,"teams":[{"color":"#0090ff""##),
    MatchCase([("AddPeriod", #"{"periods":1}"#), ("NewGame", "{}")], #""period":1,"#, #""score":0"#),
    MatchCase(
      [("AddScore", #"{"team":"home","points":1}"#), ("Undo", "{}")], #""score":7"#, #""redo":"score"#),
    MatchCase(
      [("AddScore", #"{"team":"home","points":1}"#), ("Undo", "{}"), ("Redo", "{}")], #""score":8"#,
      #""what":"score of home: 7 → 8""#),
    MatchCase(
      [
        ("AddScore", #"{"team":"home","points":1}"#), ("AddScore", #"{"team":"home","points":2}"#),
        ("Undo", #"{"count":2}"#),
      ], #""what":"score of home: 8 → 10; score of home: 7 → 8""#, #""score":7"#),
    MatchCase(
      [("Undo", #"{"count":2}"#)], #"{"count":2,"known":0}"#, error: "TooManySteps"),
    MatchCase([("ResetTimer", #"{"timer":"shot","milliseconds":14000}"#)], #""milliseconds":14000"#),
    MatchCase([("EndPenalty", #"{"team":"home","number":7}"#)], #""number":7"#, error: "NoPenalty"),
    MatchCase([("ClearPenalties", #"{"team":"guest"}"#)], #""team":"guest""#, error: "NoPenalty"),
    MatchCase(
      [("StartBreak", #"{"kind":"half-time"}"#)], #""break":{"direction":"down","ended":false"#,
      #""gameBreak":{"kind":"half-time","length":900000,"name":"HALF-TIME"}"#, #""what":"half-time started""#),
    MatchCase(
      [("StartBreak", #"{"kind":"time-out","team":"home","milliseconds":30000}"#)],
      #""timeouts":1"#, #""kind":"time-out","length":30000,"name":"TIME-OUT","team":"home""#),
    MatchCase(
      [("StartBreak", #"{"kind":"warm-up"}"#), ("PauseTimer", #"{"timer":"break"}"#), ("EndBreak", "{}")],
      #""what":"warm-up ended""#),
    MatchCase([("EndBreak", "{}")], error: "NoBreak"),
    MatchCase([("StartTimer", #"{"timer":"break"}"#)], error: "NoBreak"),
    MatchCase(
      [("StartBreak", #"{"kind":"interval","milliseconds":0}"#)], #""minimum":1"#, error: "BreakOutOfRange"),
    MatchCase(
      [
        ("SetPeriod", #"{"period":4}"#), ("SetTimer", #"{"milliseconds":1000}"#),
        ("AddCounter", #"{"team":"home","counter":"timeouts","value":2}"#),
        ("AddCounter", #"{"team":"home","counter":"timeouts","value":1}"#),
      ],
      #"{"counter":"timeouts","limit":2,"milliseconds":120000,"name":"TIME-OUTS","part":"end","team":"home"}"#,
      error: "CounterLimited"),
    MatchCase(
      [
        ("SetPeriod", #"{"period":4}"#), ("SetTimer", #"{"milliseconds":1000}"#),
        ("AddCounter", #"{"team":"home","counter":"timeouts","value":2}"#),
        ("AddCounter", #"{"team":"home","counter":"timeouts","value":1,"anyway":true}"#),
      ], #""timeouts":3"#),
    MatchCase([("RestoreMatch", #"{"id":"4f3a"}"#)], #""match":"4f3a""#, error: "UnknownMatch"),
    MatchCase(
      [
        (
          "SetMatch",
          #"{"match":{"teams":[{"id":"home","name":"A","score":3},{"id":"guest","name":"B","score":4}]}}"#
        )
      ], #""what":"match restored""#, #""score":4"#, #""undoFacts":[{"what":"restore"}]"#),
    MatchCase(
      [("SetPeriod", #"{"period":100}"#)], #"{"maximum":99,"minimum":1,"period":100}"#,
      error: "PeriodOutOfRange"),
    MatchCase(
      [("SetTeam", #"{"team":"home","name":"a\u202eb"}"#)], #""problem":"direction_control""#,
      error: "BadText"),
    MatchCase(
      [("SetTeam", #"{"team":"home","shortName":"123456789"}"#)],
      #"{"maximum":8,"problem":"too_long","text":"123456789"}"#, error: "BadText"),
    MatchCase(
      [("SetCounter", #"{"team":"home","counter":"foul","value":1}"#)],
      #"{"counter":"foul","known":["fouls","timeouts"]}"#, error: "UnknownCounter"),
    MatchCase(
      [("AddCounter", #"{"team":"home","counter":"fouls","value":9}"#)],
      #"{"counter":"fouls","limit":5,"milliseconds":0,"name":"FOULS","part":"period","team":"home"}"#,
      error: "CounterLimited"),
    MatchCase(
      [("SetCounter", #"{"team":"home","counter":"fouls","value":9}"#)],
      #"{"counter":"fouls","maximum":5,"minimum":0,"name":"FOULS","value":9}"#, error: "CounterOutOfRange"),
    MatchCase(
      [("StartTimer", #"{"timer":"jam"}"#)], #"{"known":["game","shot"],"timer":"jam"}"#,
      error: "UnknownTimer"),
    MatchCase(
      [("SetTimer", #"{"milliseconds":9223372036854775807}"#)], #""maximum":359999000"#,
      error: "TimerOutOfRange"),
    MatchCase([("SetTimer", #"{"milliseconds":-1}"#)], #""milliseconds":-1"#, error: "TimerOutOfRange"),
    MatchCase([("SetTimer", #"{"milliseconds":0}"#), ("StartTimer", "{}")], error: "TimerAtEnd"),
    MatchCase([("SetTimer", #"{"milliseconds":0}"#), ("ToggleTimer", "{}")], error: "TimerAtEnd"),
    MatchCase([("StartTimer", #"{"timer":"shot"}"#)], error: "GameTimerPaused"),
  ]

  @Test("Every change of the match is made and returned, or refused with its error", arguments: cases)
  func changes(_ example: MatchCase) throws {
    let test = try TestServer()
    let peer = try test.connect()
    for (method, parameters) in example.calls { peer.call(control + method, parameters) }
    try test.settle()
    let replies = peer.replies()
    #expect(replies.count == example.calls.count)
    let last = try #require(replies.last)
    let value = try JSONReader.read(Array(last.utf8))
    #expect(value["error"]?.string == example.error.map { control + $0 })
    for member in example.members { #expect(last.contains(member), "\(last)") }
    if example.error == nil { #expect(value["parameters"]?["state"]?["revision"]?.integer != nil) }
    if let name = value["error"]?.string {
      let wire = VarlinkError(name: name, parameters: value["parameters"]?.object ?? [:])
      let error = ControlError(wire)
      #expect(error.wire == wire && error != .unknown(wire), "the client does not know \(name)")
      #expect(!error.message.contains("refused:"))
    }
  }

  @Test("Every change of the match is performed, or refused by the match", arguments: CommandSamples.all)
  func samples(_ sample: CommandSample) throws {
    guard let action = sample.action else { return }
    let test = try TestServer()
    let peer = try test.connect()
    for action in sample.before + [action] {
      let call = VarlinkCall(.change(.match(action)))
      peer.call(call.method, JSONValue.object(call.parameters).text)
    }
    try test.settle()
    let last = try JSONReader.read(Array(try #require(peer.replies().last).utf8))
    #expect(test.handler.actions.last == action)
    let parameters = last["parameters"]?.object ?? [:]
    if let what = parameters["what"]?.string { #expect(what == sample.summary) }
    let error = last["error"]?.string.map { ControlError(VarlinkError(name: $0, parameters: parameters)) }
    if case .refused? = error { return }
    #expect(error == nil)
  }

  @Test(
    "Parameters of a wrong type are refused with their names",
    arguments: [
      ("SetTeam", ##"{"team":"home","color":"red"}"##, "color"), ("SetTeam", #"{"name":"A"}"#, "team"),
      ("SetTeam", #"{"team":"home","name":1}"#, "name"), ("SetServing", #"{"team":1}"#, "team"),
      ("SetTimer", "{}", "milliseconds"), ("SetTimer", #"{"milliseconds":1.5}"#, "milliseconds"),
      ("GetHistory", #"{"limit":-1}"#, "limit"), ("GetHistory", #"{"limit":"all"}"#, "limit"),
      ("Undo", #"{"count":"2"}"#, "count"), ("StartTimer", #"{"timer":1}"#, "timer"),
      ("GetState", #"{"x":1}"#, "x"), ("Subscribe", #"{"x":1}"#, "x"),
    ])
  func badParameters(_ method: String, _ parameters: String, _ name: String) throws {
    let test = try TestServer()
    let peer = try test.connect()
    peer.call(control + method, parameters)
    try test.settle()
    #expect(
      peer.replies() == [
        #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"\#(name)"}}"#
      ])
  }

  @Test("A call that changes nothing succeeds, without a description or a new revision")
  func unchanged() throws {
    let test = try TestServer()
    let peer = try test.connect()
    peer.call(control + "PauseTimer")
    try test.settle()
    let reply = try JSONReader.read(Array(try #require(peer.replies().first).utf8))
    #expect(reply["parameters"]?["what"] == nil)
    #expect(reply["parameters"]?["state"]?["revision"]?.integer == 0)
  }

  @Test("The history begins with the change that 'undo' would undo, and is limited on request")
  func history() throws {
    let test = try TestServer()
    let peer = try test.connect()
    for points in 1...3 { peer.call(control + "AddScore", #"{"team":"guest","points":\#(points)}"#) }
    peer.call(control + "Undo")
    try test.settle()
    _ = peer.replies()
    peer.call(control + "GetHistory", #"{"limit":1}"#)
    peer.call(control + "GetHistory")
    try test.settle()
    let replies = try peer.replies().map { try JSONReader.read(Array($0.utf8))["parameters"] }
    let what = { (index: Int, list: String) in
      replies[index]?[list]?.array?.compactMap { $0["what"]?.string } ?? []
    }
    #expect(what(0, "past") == ["score of guest: 1 → 3"])
    #expect(what(1, "past") == ["score of guest: 1 → 3", "score of guest: 0 → 1"])
    #expect(what(1, "future") == ["score of guest: 3 → 6"])
  }

  // MARK: Subscribe

  private func revisions(_ replies: [String]) -> [Int] {
    replies.compactMap { reply in
      guard reply.hasPrefix(#"{"continues":true,"#) else { return nil }
      return (try? JSONReader.read(Array(reply.utf8)))?["parameters"]?["state"]?["revision"]?.integer
    }
  }

  @Test("Subscribers get the current state, then every new one, all in the same order")
  func subscription() throws {
    let test = try TestServer()
    let watchers = try (0..<10).map { _ in try test.connect() }
    let writers = try (0..<2).map { _ in try test.connect() }
    for watcher in watchers { watcher.call(control + "Subscribe", "{}", #","more":true"#) }
    try test.settle()
    for score in 1...20 { writers[score % 2].setScore("home", score * 3) }
    try test.settle()
    for watcher in watchers { #expect(revisions(watcher.replies()) == Array(0...20)) }
    watchers[0].call(control + "Undo")
    writers[0].call(control + "Undo")
    try test.settle()
    // Further calls of a subscriber wait until its subscription ends, so they are never performed.
    #expect(revisions(watchers[0].replies()) == [21])
  }

  @Test("Subscribe without 'more' is refused")
  func expectedMore() throws {
    let test = try TestServer()
    let peer = try test.connect()
    peer.call(control + "Subscribe")
    try test.settle()
    #expect(peer.replies() == [#"{"error":"org.varlink.service.ExpectedMore"}"#])
    #expect(test.service.subscribers.isEmpty)
  }

  @Test("The number of subscribers is limited, and a disconnected one no longer counts")
  func subscriberLimit() throws {
    let test = try TestServer(subscribers: 2)
    var watchers = try (0..<3).map { _ in try test.connect() }
    for watcher in watchers {
      watcher.call(control + "Subscribe", "{}", #","more":true"#)
      try test.settle()
    }
    #expect(
      watchers[2].replies() == [
        #"{"error":"org.flipclock.Control.TooManySubscribers","parameters":{"limit":2}}"#
      ])
    watchers.remove(at: 0)
    try test.settle()
    #expect(test.service.subscribers.count == 1)
    watchers[1].call(control + "Subscribe", "{}", #","more":true"#)
    try test.settle()
    #expect(revisions(watchers[1].replies()) == [0])
  }

  @Test("A subscriber that does not read is closed, and does not delay the others")
  func slowWatcher() throws {
    let test = try TestServer { $0.connection.queuedReplies = 8 }
    let (slow, watcher, writer) = (try test.connect(), try test.connect(), try test.connect())
    for peer in [slow, watcher] { peer.call(control + "Subscribe", "{}", #","more":true"#) }
    var seen: [Int] = []
    var last = 0
    for score in 1...900 where test.server.statistics.slowReaders == 0 {
      writer.setScore("home", score)
      try test.settle()
      #expect(writer.replies().count == 1)
      seen += revisions(watcher.replies())
      last = score
    }
    #expect(test.server.statistics.slowReaders == 1)
    #expect(seen.last == last && seen == Array(0...last))
    #expect(test.service.subscribers.count == 1)
  }
}

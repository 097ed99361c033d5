// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON
import TestSupport
import Testing
import WebServer

@testable import WebRemote

@Suite struct VestaboardTests {
  private func read(_ body: String, path: String = "/local-api/message") throws(RequestRefusal)
    -> VestaboardRequest
  {
    try VestaboardRequest(reading: HTTPRequest(method: "POST", path: path, body: Array(body.utf8)))
  }

  private func message(_ body: String) throws -> VestaboardMessage? {
    guard case .write(let message) = try read(body) else { return nil }
    return message
  }

  @Test("A message is an array of rows of codes, alone or with a strategy")
  func shapes() throws {
    let plain = try #require(try message("[[8, 9], [0, 37]]"))
    #expect(plain.rows == [[8, 9], [0, 37]] && plain.wave == nil && plain.text == "HI\n !")
    #expect(try message(#"{"characters": [[8, 9], [0, 37]]}"#) == plain)
    for (strategy, order) in [
      ("column", CardWave.Order.columns), ("reverse-column", .columnsReversed), ("row", .rows),
      ("edges-to-center", .edgesToCenter), ("diagonal", .diagonal), ("random", .random),
    ] {
      let wave = try message(
        #"{"characters": [[1]], "strategy": "\#(strategy)", "step_interval_ms": 250, "step_size": 3}"#)?.wave
      #expect(wave == CardWave(order, size: 3, milliseconds: 250))
      #expect(try message(#"{"characters": [[1]], "strategy": "\#(strategy)"}"#)?.wave == CardWave(order))
    }
    // Programs that send all members, and some of their own.
    let all = #"{"characters": [[1]], "strategy": null, "step_interval_ms": null, "step_size": null, "x": 1}"#
    #expect(try message(all)?.wave == nil)
    for wrong in [
      #""strategy": "wave""#, #""strategy": 7"#, #""step_interval_ms": -1"#, #""step_interval_ms": 10001"#,
      #""step_size": 0"#, #""step_size": 65"#, #""step_size": "2""#,
    ] {
      let name = wrong.split(separator: "\"")[0]
      do throws(RequestRefusal) {
        _ = try read("{\"characters\": [[1]], \(wrong)}")
        Issue.record("\(wrong) is accepted")
      } catch {
        #expect(error.status == 400 && error.message.contains("'\(name)'"), "\(error.message)")
      }
    }
  }

  @Test("Every code that is a symbol is read and written; no other is accepted")
  func codes() throws {
    let known = (0...71).filter { ![43, 45, 51, 57, 58, 61].contains($0) }
    for code in -2...300 {
      let isKnown = known.contains(code)
      #expect((VestaboardCodes.character(of: code) != nil) == isKnown, "\(code)")
      guard isKnown else {
        #expect(throws: RequestRefusal.self) { try read("[[\(code)]]") }
        continue
      }
      let text = try #require(try message("[[\(code)]]")).text
      #expect(VestaboardCodes.rows(of: BoardState(name: "x", type: "text", text: text)) == [[code]])
    }
    // The heart of the small board.
    let note =
      "["
      + Array(repeating: "[\(Array(repeating: "62", count: 15).joined(separator: ","))]", count: 3)
      .joined(separator: ",") + "]"
    #expect(try message(note)?.text.first == "♥")
    for (letter, code) in [
      ("ä", 0), ("é", 0), ("z", 26), ("❤️", 62), ("❤", 62), ("ß", 0), ("中", 0), ("⬜", 69),
    ] {
      #expect(
        VestaboardCodes.rows(of: BoardState(name: "x", type: "text", text: letter)) == [[code]], "\(letter)")
    }
  }

  @Test("All rows of a board have the same length: that of the board, or that of the text")
  func sizes() {
    var random = SplitMix(seed: 5)
    for _ in 0..<300 {
      let lines = (0..<random.int(1...5)).map { _ in
        String((0..<random.int(0...9)).map { _ in "ab é😀".randomElement(using: &random) ?? "x" })
      }
      var board = BoardState(name: "x", type: "board", text: "{red}no{/}", columns: 9, rows: lines.count)
      board.lines = lines
      let read = VestaboardCodes.rows(of: board)
      #expect(read.count == lines.count && read.allSatisfy { $0.count == 9 })
      let text = BoardState(name: "x", type: "text", text: lines.joined(separator: "\n"))
      let longest = lines.map(\.count).max()
      #expect(VestaboardCodes.rows(of: text).map(\.count) == lines.map { _ in longest })
    }
  }

  @Test("Addresses, methods and malformed bodies are refused")
  func refusals() {
    func status(_ method: String, _ path: String, _ body: String = "") -> Int {
      do throws(RequestRefusal) {
        _ = try VestaboardRequest(
          reading: HTTPRequest(method: method, path: path, body: Array(body.utf8)))
        return 200
      } catch { return error.status }
    }
    #expect(status("GET", "/local-api/message") == 200 && status("POST", "/local-api/enablement") == 200)
    #expect(status("PUT", "/local-api/message") == 405 && status("GET", "/local-api/enablement") == 405)
    for path in ["/", "/local-api", "/local-api/message/", "/state.json"] {
      #expect(status("GET", path) == 404)
    }
    for body in [
      "", "[", "{}", "[]", "[[]]", "[1]", "[[1],[1,2]]", "[[1.5]]", "[[\"A\"]]", "[[null]]", "[[[1]]]",
      "\"HI\"",
      #"{"characters": "HI"}"#, "[[1]] x",
    ] { #expect(status("POST", "/local-api/message", body) == 400, "\(body)") }
  }
}

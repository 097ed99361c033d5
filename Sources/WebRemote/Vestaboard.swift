// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import JSON
import WebServer

/// A request of a program that is written for the Vestaboard Local API
/// (https://docs.vestaboard.com/docs/local-api/endpoints).
package enum VestaboardRequest: Hashable, Sendable {
  /// Exchanges a token for a key.
  case enable
  case read
  case write(VestaboardMessage)

  package init(reading request: HTTPRequest) throws(RequestRefusal) {
    switch (request.path, request.method) {
    case ("/local-api/enablement", "POST"): self = .enable
    case ("/local-api/message", "GET"), ("/local-api/message", "HEAD"): self = .read
    case ("/local-api/message", "POST"): self = .write(try VestaboardMessage(reading: request.body))
    case ("/local-api/enablement", _): throw .method(isNot: ["POST"])
    case ("/local-api/message", _): throw .method(isNot: ["GET", "HEAD", "POST"])
    default: throw RequestRefusal(404, "There are only /local-api/message and /local-api/enablement here.")
    }
  }

  /// The key of the sender, or the token that it exchanges for a key; nil if it has a wrong form.
  static func key(of request: HTTPRequest) -> DeviceToken? {
    let isEnablement = request.path == "/local-api/enablement"
    let field = isEnablement ? "x-vestaboard-local-api-enablement-token" : "x-vestaboard-local-api-key"
    return request.headers[field].flatMap { DeviceToken($0) }
  }
}

/// What a board is to show: a code for each of its letters.
package struct VestaboardMessage: Hashable, Sendable {
  /// The codes row by row. All rows have the same length, at least 1.
  package private(set) var rows: [[Int]]
  /// From the members `strategy`, `step_size` and `step_interval_ms`; nil: there is no strategy.
  package private(set) var wave: CardWave?

  /// Reads an array of arrays of codes, alone or as the member `characters`.
  package init(reading body: [UInt8]) throws(RequestRefusal) {
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.read(body) } catch {
      throw RequestRefusal(400, "The body is not JSON: \(error)".printable)
    }
    guard let lines = value.array ?? value["characters"]?.array, !lines.isEmpty else {
      throw RequestRefusal(
        400,
        "The body is neither an array of rows of codes, nor an object with such an array in 'characters'.")
    }
    rows = []
    for (row, line) in lines.enumerated() {
      guard let codes = line.array, !codes.isEmpty else {
        throw RequestRefusal(400, "Row \(row + 1) is not an array of codes.")
      }
      guard codes.count == rows.first?.count ?? codes.count else {
        throw RequestRefusal(400, "Row \(row + 1) has \(codes.count) codes, and row 1 has \(rows[0].count).")
      }
      var read: [Int] = []
      for (column, code) in codes.enumerated() {
        guard let code = code.integer, VestaboardCodes.character(of: code) != nil else {
          throw RequestRefusal(
            400, "Row \(row + 1), column \(column + 1): \(code.text.prefix(20)) is not a code.".printable)
        }
        read.append(code)
      }
      rows.append(read)
    }
    wave = try Self.wave(value)
  }

  private static let orders: KeyValuePairs<String, CardWave.Order> = [
    "column": .columns, "reverse-column": .columnsReversed, "edges-to-center": .edgesToCenter, "row": .rows,
    "diagonal": .diagonal, "random": .random,
  ]

  private static func wave(_ value: JSONValue) throws(RequestRefusal) -> CardWave? {
    func number(_ name: String, _ range: ClosedRange<Int>) throws(RequestRefusal) -> Int? {
      guard let given = value[name], given != .null else { return nil }
      guard let number = given.integer, range.contains(number) else {
        throw RequestRefusal(
          400, "'\(name)' is not a whole number from \(range.lowerBound) to \(range.upperBound).")
      }
      return number
    }
    let size = try number("step_size", CardWave.sizes)
    let milliseconds = try number("step_interval_ms", CardWave.stepTimes)
    guard let given = value["strategy"], given != .null else { return nil }
    guard let order = orders.first(where: { $0.key == given.string })?.value else {
      let known = orders.map { $0.key }.joined(separator: ", ")
      throw RequestRefusal(400, "'strategy' is none of these: \(known).")
    }
    return CardWave(order, size: size ?? 1, milliseconds: milliseconds)
  }

  /// The text for a board. The rows have all their blanks, so that a letter is where the message has it.
  package var text: String {
    rows.map { row in
      String(row.compactMap { VestaboardCodes.character(of: $0, isNote: (rows.count, row.count) == (3, 15)) })
    }.joined(separator: "\n")
  }
}

/// The codes of the symbols on a Vestaboard (https://docs.vestaboard.com/docs/characterCodes).
package enum VestaboardCodes {
  /// The symbols by their codes; a zero byte where there is no symbol. Coloured flaps are squares.
  private static let symbols = Array(
    " ABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890!@#$()\0-\0+&=;:\0'\"%,.\0\0/?\0°🟥🟧🟨🟩🟦🟪⬜⬛█")
  private static let codes: [Character: Int] = {
    var codes: [Character: Int] = ["♥": heart, "❤": heart]
    for (code, symbol) in symbols.enumerated() where symbol != "\0" { codes[symbol] = code }
    return codes
  }()
  /// A degree sign on the larger board, a heart on the smaller one, the Note.
  private static let heart = 62

  /// Nil: there is no such code.
  package static func character(of code: Int, isNote: Bool = false) -> Character? {
    guard symbols.indices.contains(code), symbols[code] != "\0" else { return nil }
    return code == heart && isNote ? "♥" : symbols[code]
  }

  /// The code of a letter; that of a blank if it has none.
  private static func code(of letter: Character) -> Int {
    let capital = letter.uppercased()
    // Without the variation selector of emoji.
    let plain = Character(capital.unicodeScalars.first ?? " ")
    return codes[letter] ?? (capital.count == 1 ? codes[plain] : nil) ?? 0
  }

  /// What a board shows, as codes. A widget without cards has the size of its text.
  package static func rows(of board: BoardState) -> [[Int]] {
    let lines =
      board.lines ?? board.words.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let columns = max(lines.map(\.count).max() ?? 0, board.columns ?? 0)
    return lines.map { line in line.map(code) + Array(repeating: 0, count: columns - line.count) }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Languages
import Raster
import Typography

/// A text of a notice, and the lines in which it may be shown.
struct NoticeLine {
  /// What is left out first where not every text can be legible; `needed` never is.
  enum Rank: Int, CaseIterable, Comparable {
    case instructions, heading, problem, label, needed

    static func < (first: Rank, second: Rank) -> Bool { first.rawValue < second.rawValue }
  }

  /// The text in one line, in two and so on; each with the width of its widest line, in cap heights.
  private let choices: [(lines: [String], width: Double)]
  let rank: Rank
  /// The usual cap height, and the usual space above, in units of the text.
  let (cap, above): (Double, Double)

  /// - Parameter pieces: the parts of the text between which a line may end.
  private init(
    _ pieces: [String], cap: Double, above: Double, rank: Rank = .needed, maximum: Int = 3, face: FontFace
  ) {
    (self.cap, self.above, self.rank) = (cap, above, rank)
    choices = Self.choices(pieces, maximum: maximum, face)
  }

  /// The time that is left, which is drawn by the panel.
  private init(countdownOf cap: Double, above: Double) {
    (self.cap, self.above, rank, choices) = (cap, above, .needed, [])
  }

  var isCountdown: Bool { choices.isEmpty }

  /// Whether people type the text or look for it, and one line is wide enough for it.
  func mayBeWhole(in width: Double, cap: Double) -> Bool {
    rank == .needed && choices.first.map { $0.width * cap <= width } ?? true
  }

  /// The text in the fewest lines in which its letters are not smaller than `least`; if they always are, in
  /// those with the largest. Instructions have as many lines as their usual letters need.
  ///
  /// - Parameters:
  ///   - cap: the largest cap height, in pixels.
  ///   - width: of the space for it, in pixels.
  /// - Returns: the number of lines, and their cap height.
  fileprivate func fitted(cap: Double, least: Double, width: Double) -> (count: Int, cap: Double) {
    var best = (count: 1, cap: cap)
    let enough = rank == .instructions ? cap : min(cap, least)
    for index in choices.indices {
      let fitting = min(cap, width / choices[index].width)
      if index == 0 || fitting > best.cap { best = (index + 1, fitting) }
      if fitting >= enough { break }
    }
    return best
  }

  fileprivate func choice(_ count: Int) -> (lines: [String], width: Double) { choices[count - 1] }

  /// The texts of a part, in their order.
  static func lines(of part: Notice.Part, _ words: Words, _ face: FontFace) -> [NoticeLine] {
    // Without a QR code, they are what the notice says.
    let (heading, problem) = part.code == nil ? (Rank.needed, Rank.needed) : (.heading, .problem)
    return part.lines.flatMap { line in
      switch line {
      case .heading(let word):
        [NoticeLine(Self.words(words[word]), cap: 1.6, above: 1.4, rank: heading, face: face)]
      case .instructions(let word):
        [
          NoticeLine(
            Self.words(words[word]), cap: 1, above: 1.4, rank: .instructions, maximum: 6, face: face)
        ]
      case .problem(let name, let word):
        [
          NoticeLine(Self.words(name, limit: 16), cap: 1.3, above: 1.4, rank: problem, face: face),
          NoticeLine(Self.words(words[word]), cap: 1.3, above: 0.9, rank: problem, face: face),
        ]
      case .name(let name): [NoticeLine(Self.words(name, limit: 16), cap: 1.9, above: 1.3, face: face)]
      case .password(let password):
        [
          NoticeLine(Self.words(words[.password]), cap: 0.9, above: 1.4, rank: .label, face: face),
          NoticeLine(password.chunks(of: 8), cap: 1.9, above: 0.9, maximum: 8, face: face),
        ]
      case .address(let address):
        [NoticeLine(Self.parts(ofAddress: address), cap: 1.3, above: 1.5, face: face)]
      case .code(let code):
        [NoticeLine([String(code.map { $0 == " " ? "\u{a0}" : $0 })], cap: 2.5, above: 1.3, face: face)]
      case .countdown: [NoticeLine(countdownOf: 1.7, above: 1.3)]
      }
    }
  }

  // MARK: Breaking

  /// The words of a text with the spaces after them.
  ///
  /// - Parameter limit: for names: words with more characters are broken too, and those with a hyphen.
  private static func words(_ text: String, limit: Int? = nil) -> [String] {
    let characters = Array(text)
    var pieces = [""]
    for (character, mayEnd) in zip(characters, TextOrder.lineBreaks(characters)) {
      pieces[pieces.count - 1].append(character)
      if mayEnd, limit != nil || character != "-" { pieces.append("") }
    }
    return pieces.flatMap { piece in limit.map { piece.chunks(of: $0) } ?? [piece] }
  }

  /// An address may be broken after dots, colons and hyphens, and inside parts of more than 24 characters.
  private static func parts(ofAddress address: String) -> [String] {
    var parts = [""]
    for character in address {
      parts[parts.count - 1].append(character)
      if ".:-".contains(character) { parts.append("") }
    }
    return parts.flatMap { $0.chunks(of: 24) }
  }

  /// The pieces joined to one line, to two and so on, each so that the widest line is as narrow as possible.
  private static func choices(
    _ pieces: [String], maximum: Int, _ face: FontFace
  ) -> [(lines: [String], width: Double)] {
    let widths = pieces.map { width($0, face) }
    // For each number of pieces from the first on: the width of the widest line, and where the last begins.
    var best = (0...pieces.count).map { (width: widths.prefix($0).reduce(0, +), starts: [0]) }
    var choices: [(lines: [String], width: Double)] = []
    for count in 1...max(min(maximum, pieces.count), 1) {
      if count > 1 {
        best = (0...pieces.count).map { end in
          var found = (width: Double.infinity, starts: [0])
          var last = 0.0
          for start in stride(from: end - 1, through: count - 1, by: -1) {
            last += widths[start]
            let widest = max(best[start].width, last)
            if widest < found.width { found = (widest, best[start].starts + [start]) }
          }
          return found
        }
      }
      let starts = best[pieces.count].starts
      let lines = zip(starts, starts.dropFirst() + [pieces.count]).map { start, end in
        pieces[start..<end].joined().droppingLastSpaces()
      }
      choices.append((lines, lines.map { width($0, face) }.max() ?? 0.01))
    }
    return choices
  }

  /// The width in cap heights; never 0.
  private static func width(_ text: String, _ face: FontFace) -> Double {
    max(face.measure(text, capHeight: 1, tracking: MessageLayout.tracking).width, 0.01)
  }
}

/// The text of a part in lines. A pure function of the part's texts and the sizes.
struct NoticeText {
  struct Line {
    var text: String
    var capHeight: Double
    /// The distance from the top of the text.
    var baseline: Double
  }

  private(set) var lines: [Line] = []
  /// The place of the time that is left; nil: none is shown.
  private(set) var countdown: Line?
  private(set) var width = 0.0
  /// From the top of the first line's capitals to the last baseline.
  private(set) var height = 0.0
  /// The smallest cap height; infinite without a text.
  private(set) var smallest = Double.infinity
  /// How many of the texts that are needed are in one line.
  private(set) var whole = 0

  func isLegible(_ legible: Double) -> Bool { smallest > legible - 0.05 }

  /// The text in the largest letters with which it is not higher than `usual`. With letters of at least
  /// `legible` it may use all of the height. If they do not fit, smaller ones are used for all texts.
  init(_ texts: [NoticeLine], in room: Size, usual: Double, legible: Double) {
    let units = texts.reduce(0) { $0 + $1.cap + $1.above }
    // Few lines do not become larger than many.
    let largest = max(usual, 0) / max(units, 9)
    var least = legible
    func height(_ unit: Double) -> Double {
      var height = 0.0
      Self.forEach(texts, width: room.width, unit: unit, least: least) { height = $3 }
      return height
    }
    var unit = largest
    if height(largest) > usual {
      var (low, high) = (0.0, largest)
      while height(0) > room.height, least > 0.1 { least *= 0.94 }
      if height(0) < usual {
        for _ in 0..<12 {
          let middle = (low + high) / 2
          if height(middle) <= usual { low = middle } else { high = middle }
        }
      }
      unit = low
    }
    Self.forEach(texts, width: room.width, unit: unit, least: least) { text, count, cap, bottom in
      self.height = bottom
      smallest = min(smallest, cap)
      if text.rank == .needed && count == 1 { whole += 1 }
      if text.isCountdown {
        countdown = Line(text: "", capHeight: cap, baseline: bottom)
        return
      }
      let choice = text.choice(count)
      width = max(width, choice.width * cap)
      for (index, line) in choice.lines.enumerated() {
        let below = Double(count - 1 - index) * MessageLayout.lineAdvance * cap
        lines.append(Line(text: line, capHeight: cap, baseline: bottom - below))
      }
    }
  }

  /// Calls `body` with each text, the number of its lines, their cap height, and the last baseline.
  ///
  /// - Parameters:
  ///   - unit: cap heights and distances are multiples of it.
  ///   - least: the smallest cap height, unless a line is too long for it.
  private static func forEach(
    _ texts: [NoticeLine], width: Double, unit: Double, least: Double,
    _ body: (NoticeLine, Int, Double, Double) -> Void
  ) {
    var y = 0.0
    for text in texts {
      let fitted = text.fitted(cap: max(text.cap * unit, least), least: least, width: width)
      if y > 0 { y += text.above * max(unit, 0.62 * least) }
      y += fitted.cap * (1 + Double(fitted.count - 1) * MessageLayout.lineAdvance)
      body(text, fitted.count, fitted.cap, y)
    }
  }
}

extension String {
  fileprivate func chunks(of count: Int) -> [String] {
    stride(from: 0, to: self.count, by: count).map { String(dropFirst($0).prefix(count)) }
  }

  fileprivate func droppingLastSpaces() -> String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}

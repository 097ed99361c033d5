// SPDX-License-Identifier: Apache-2.0

/// The texts of the config's keys: paragraphs of plain English, in which backquotes surround what is typed.
struct Markup {
  /// What is between two spaces: text, or something that is typed, with the punctuation before and after it.
  struct Word: Hashable {
    /// The text before what is typed, or the whole word.
    var before: String
    var typed: String?
    var after = ""
  }

  /// The paragraphs, each as a list of words; none is empty.
  var paragraphs: [[Word]]

  init(_ text: String) {
    var paragraphs: [String] = [""]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.allSatisfy({ $0 == " " }) {
        paragraphs.append("")
      } else {
        paragraphs[paragraphs.count - 1] += line + " "
      }
    }
    self.paragraphs = paragraphs.map { Self.words($0) }.filter { !$0.isEmpty }
  }

  /// A list of things that are typed, as a part of a text.
  static func list(_ items: [String]) -> String {
    let items = items.map { "`\($0)`" }
    return items.dropLast().joined(separator: ", ") + " and " + (items.last ?? "")
  }

  private static func words(_ paragraph: String) -> [Word] {
    var words: [Word] = []
    var word = Word(before: "")
    var isTyped = false
    func isEmpty(_ word: Word) -> Bool { word.before.isEmpty && word.typed == nil }
    for character in paragraph {
      switch character {
      case "`":
        isTyped.toggle()
        if isTyped { word.typed = "" }
      case " " where !isTyped:
        if !isEmpty(word) { words.append(word) }
        word = Word(before: "")
      default:
        if isTyped {
          word.typed?.append(character)
        } else if word.typed != nil {
          word.after.append(character)
        } else {
          word.before.append(character)
        }
      }
    }
    if !isEmpty(word) { words.append(word) }
    return words
  }

  private static func isNumber(_ text: String) -> Bool { text.allSatisfy { $0.isNumber || $0 == "." } }

  // MARK: Plain text

  /// The words of a paragraph for a config file or a schema. Values are written as they are; anything else
  /// that is typed is put in backquotes.
  private static func plain(_ words: [Word]) -> [String] {
    words.map { word in
      guard let typed = word.typed else { return word.before }
      let isValue =
        typed.hasPrefix("\"") || typed.hasPrefix("[") || typed == "true" || typed == "false"
        || isNumber(typed)
      return word.before + (isValue ? typed : "`\(typed)`") + word.after
    }
  }

  /// All paragraphs in one line.
  var line: String { paragraphs.map { Self.plain($0).joined(separator: " ") }.joined(separator: " ") }

  /// Lines of at most `width` characters, with an empty line between paragraphs.
  func lines(width: Int) -> [String] {
    var lines: [String] = []
    for paragraph in paragraphs {
      if !lines.isEmpty { lines.append("") }
      lines += Self.wrapped(Self.plain(paragraph), width: width)
    }
    return lines
  }

  static func wrapped(_ words: [String], width: Int) -> [String] {
    var lines: [String] = []
    for word in words {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(word)
      }
    }
    return lines
  }

  // MARK: Manual pages

  /// Lines of mdoc(7); each sentence begins a new line.
  ///
  /// - Parameters:
  ///   - keys: the names of all keys, which are marked up as such.
  ///   - headings: the titles of the page's sections, to which the text may refer.
  func manual(keys: Set<String>, headings: Set<String>) -> [String] {
    var lines: [String] = []
    for paragraph in paragraphs {
      if !lines.isEmpty { lines.append(".Pp") }
      var sentence: [String] = []
      func endSentence() {
        lines += Self.wrapped(sentence, width: 100).map { Self.isControl($0) ? "\\&\($0)" : $0 }
        sentence = []
      }
      for word in paragraph {
        guard let typed = word.typed, !Self.isNumber(typed) else {
          let text = word.before + (word.typed ?? "") + word.after
          sentence.append(Self.escaped(text))
          if text.hasSuffix(".") { endSentence() }
          continue
        }
        endSentence()
        let macro = headings.contains(typed) ? "Sx" : keys.contains(typed) ? "Cm" : "Ql"
        var after = word.after
        var line = ".\(macro)"
        if word.before == "(", after.hasPrefix(")") {
          line = ".Pq \(macro)"
          after.removeFirst()
        }
        line += " " + Self.arguments(typed)
        for character in after { line += " \(character)" }
        lines.append(line)
      }
      endSentence()
    }
    return lines
  }

  /// Whether troff would read the line as a request.
  private static func isControl(_ line: String) -> Bool { line.hasPrefix(".") || line.hasPrefix("'") }

  /// A text as troff reads it, which takes bytes beyond ASCII for Latin-1.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      if scalar == "\\" { return "\\e" }
      guard !scalar.isASCII else { return String(scalar) }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "\\[u\(String(repeating: "0", count: max(4 - digits.count, 0)))\(digits)]"
    }.joined()
  }

  /// What is typed, as the arguments of a macro. The quotes of a string are left out, because `Ql` sets its
  /// own.
  private static func arguments(_ typed: String) -> String {
    var text = typed[...]
    if text.count > 2, text.hasPrefix("\""), text.hasSuffix("\""), !text.dropFirst().dropLast().contains("\"")
    {
      text = text.dropFirst().dropLast()
    }
    return text.split(separator: " ").map { argument in
      let escaped = Self.escaped(String(argument)).replacing("\"", with: "\\(dq").replacing(
        "'", with: "\\(aq")
      // In a macro's arguments, mdoc(7) interprets punctuation and the names of macros.
      let isSpecial =
        argument.count == 1 && argument.allSatisfy { !$0.isLetter && !$0.isNumber }
        || argument.count == 2 && argument.first?.isUppercase == true
      return isSpecial ? "\\&\(escaped)" : escaped
    }.joined(separator: " ")
  }
}

// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What fontconfig answered, and what it had looked at: as long as none of that has changed it would say the
/// same again, and need not be asked. To ask means to read all its configuration and the lists of all fonts.
struct FontAnswers {
  struct Question: Hashable {
    var family: String
    var weight: FontWeight
  }

  struct Answer: Hashable {
    var path: String
    /// The face in a collection; its upper half a named instance.
    var index: Int
    /// No font of that family is there; this one comes nearest.
    var isSubstitute: Bool
  }

  private static let title = "flipclock fonts 1"
  /// More files and directories than these are not looked at at every start.
  private static let watchedLimit = 4096
  private static let byteLimit = 1 << 20
  /// A directory that changed so short ago may change again without its time telling (fonts-conf(5) has the same
  /// trouble), seconds.
  private static let settling = 2

  private let environment: String
  private var watched: [String: String] = [:]
  private(set) var answers: [Question: Answer] = [:]
  /// There is something that `text` did not say when it was read.
  private(set) var hasChanged = false

  /// Those of before if they still hold, else none.
  ///
  /// - Parameters:
  ///   - text: what `text` was.
  ///   - configuration: fontconfig's file, where it is not the system's.
  init(_ text: [UInt8], configuration: String?) {
    environment = Self.environment(configuration)
    guard text.count <= Self.byteLimit, !text.isEmpty else { return }
    // Bytes: to go through them as characters takes longer than all the rest of reading them.
    func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count <= 2 * Self.watchedLimit, lines.first.map(string) == Self.title,
      lines.last?.isEmpty == true, lines.dropFirst().first.map(string) == environment
    else { return }
    for line in lines.dropFirst(2).dropLast() {
      if read(line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map(string)) {
        continue
      }
      forget()
      return
    }
    // Of no use without something to hold it against: it was cut or made by hand.
    if watched.isEmpty || !watched.allSatisfy({ Self.stamp($0.key).text == $0.value }) { forget() }
  }

  private mutating func forget() {
    watched = [:]
    answers = [:]
  }

  /// False: the line is none of ours.
  private mutating func read(_ words: [String]) -> Bool {
    switch (words.first, words.count) {
    case ("seen"?, 3):
      watched[words[2]] = words[1]
      return watched.count <= Self.watchedLimit
    case ("font"?, 6):
      guard let number = Int(words[1]), let weight = FontWeight(rawValue: number), let index = Int(words[2]),
        index >= 0, ["is", "for"].contains(words[3]), words[5].hasPrefix("/"), watched[words[5]] != nil
      else { return false }
      answers[Question(family: words[4], weight: weight)] = Answer(
        path: words[5], index: index, isSubstitute: words[3] == "for")
      return answers.count <= 64
    default: return false
    }
  }

  /// Keeps an answer of `configuration`, which was loaded just now or when the last one was kept.
  mutating func keep(_ answer: Answer, to question: Question, from configuration: FontConfiguration) {
    if watched.isEmpty {
      for path in configuration.sources + Self.personalFiles() { watched[path] = Self.absent }
      for path in watched.keys { watched[path] = Self.stamp(path).text }
    }
    watched[answer.path] = Self.stamp(answer.path).text
    answers[question] = answer
    hasChanged = true
  }

  /// Everything, for a later start; nil when it cannot be said, or might not hold.
  var text: [UInt8]? {
    guard hasChanged, !answers.isEmpty, watched.count <= Self.watchedLimit else { return nil }
    let now = time(nil)
    var lines = [Self.title, environment]
    for (path, stamp) in watched.sorted(by: { $0.key < $1.key }) {
      if Self.stamp(path).seconds + Self.settling >= now { return nil }
      lines.append("seen\t\(stamp)\t\(path)")
    }
    for (question, answer) in answers.sorted(by: {
      ($0.key.family, $0.key.weight.rawValue) < ($1.key.family, $1.key.weight.rawValue)
    }) {
      let kind = answer.isSubstitute ? "for" : "is"
      lines.append(
        "font\t\(question.weight.rawValue)\t\(answer.index)\t\(kind)\t\(question.family)\t\(answer.path)")
    }
    // A name with a tab or a new line in it would be read as something else.
    let isPlain = lines.dropFirst(2).allSatisfy { line in
      let words = line.split(separator: "\t", omittingEmptySubsequences: false)
      return words.count == (words.first == "seen" ? 3 : 6) && !line.utf8.contains(10)
    }
    return isPlain ? Array((lines.joined(separator: "\n") + "\n").utf8) : nil
  }

  // MARK: What the answers depend on

  private static let absent = "-"

  /// What tells one state of a file or directory from another. The corresponding C function is `stat`.
  private static func stamp(_ path: String) -> (text: String, seconds: Int) {
    var status = stat()
    guard stat(path, &status) == 0 else { return (absent, 0) }
    let time = status.st_mtim
    return ("\(time.tv_sec).\(time.tv_nsec).\(status.st_size).\(status.st_ino)", time.tv_sec)
  }

  /// The variables that fontconfig goes by, in one line.
  private static func environment(_ configuration: String?) -> String {
    let names = [
      "FONTCONFIG_FILE", "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT", "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
      "XDG_DATA_DIRS", "FC_LANG", "LC_ALL", "LC_CTYPE", "LANG",
    ]
    let values = names.map { name in getenv(name).map { String(cString: $0) } ?? "-" }
    return ([configuration ?? "-"] + values).joined(separator: "\t").replacingNewlines
  }

  /// Files that fontconfig would read if they were there.
  private static func personalFiles() -> [String] {
    func value(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    guard let home = value("HOME") else { return [] }
    let config = value("XDG_CONFIG_HOME") ?? home + "/.config"
    let data = value("XDG_DATA_HOME") ?? home + "/.local/share"
    return [
      config + "/fontconfig", config + "/fontconfig/fonts.conf", config + "/fontconfig/conf.d",
      home + "/.fonts.conf",
      home + "/.fonts", data + "/fonts",
    ]
  }
}

extension String {
  fileprivate var replacingNewlines: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\n" ? "\u{fffd}" : $0 }))
  }
}

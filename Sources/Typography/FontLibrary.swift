// SPDX-License-Identifier: Apache-2.0

/// Finds faces by family or path. For one thread; make a new one to see newly installed fonts.
public final class FontLibrary {
  /// The name that asks for the outlines of this program, the same on every machine.
  public static let builtInName = "built-in"

  private struct Request: Hashable {
    var name: String
    var weight: FontWeight
  }

  let context: FontContext
  private var answers: FontAnswers
  private var faces: [Request: FontFace] = [:]

  /// - Parameters:
  ///   - answers: what `answersToKeep` was in an earlier run; what does not hold any more is not used.
  ///   - warn: gets each complaint once: a missing family and what is used instead, a missing glyph, an
  ///     unusable file. One line each.
  public convenience init(answers: [UInt8] = [], warn: @escaping (String) -> Void) {
    self.init(configuration: nil, answers: answers, warn: warn)
  }

  /// - Parameter configuration: a configuration file of fontconfig in place of the system's.
  init(configuration: String?, answers: [UInt8] = [], warn: @escaping (String) -> Void) {
    self.answers = FontAnswers(answers, configuration: configuration)
    context = FontContext(configurationPath: configuration, warn: warn)
  }

  /// A face by family name, through fontconfig, or by path, if the name contains a "/". Never fails:
  /// falls back to another family that fontconfig offers, then to the built-in outlines, and says so
  /// once. `FontLibrary.builtInName` asks for those.
  public func face(_ nameOrPath: String, weight: FontWeight) -> FontFace {
    let request = Request(name: nameOrPath, weight: weight)
    if let face = faces[request] { return face }
    let face = FontFace(source: source(nameOrPath, weight), weight: weight, context: context)
    // A config names a handful; whoever asks for more gets them afresh each time.
    if faces.count < 64 { faces[request] = face }
    return face
  }

  private func source(_ name: String, _ weight: FontWeight) -> FontFace.Source {
    if name == Self.builtInName { return .builtIn }
    if name.utf8.contains(UInt8(ascii: "/")) { return fromPath(name, weight) }
    let question = FontAnswers.Question(family: name, weight: weight)
    if let answer = answers.answers[question],
      let file = try? context.file(path: answer.path, index: answer.index, weight: weight)
    {
      if answer.isSubstitute { complainOfSubstitute(name, file) }
      return .file(file)
    }
    let candidates = context.configuration.candidates(family: name, weight: weight)
    guard let candidates, let (file, candidate) = context.firstUsable(candidates, weight: weight) else {
      return builtInForWantOfFonts()
    }
    let isSubstitute = !Self.genericFamilies.contains(name.lowercased()) && !candidate.isFamily(name)
    if isSubstitute { complainOfSubstitute(name, file) }
    answers.keep(
      FontAnswers.Answer(path: candidate.path, index: candidate.index, isSubstitute: isSubstitute),
      to: question, from: context.configuration)
    return .file(file)
  }

  /// What fontconfig said, to be told to a later library; nil when there is nothing new to be kept.
  public var answersToKeep: [UInt8]? { answers.text }

  private func complainOfSubstitute(_ name: String, _ file: FontFile) {
    context.complaints.tell(
      "no font family \(Complaints.quoted(name)); using \(Complaints.quoted(file.name))",
      key: "family \(name)")
  }

  private func fromPath(_ path: String, _ weight: FontWeight) -> FontFace.Source {
    let reason: String
    do throws(FontFileError) {
      return .file(try context.file(path: path, index: 0, weight: weight))
    } catch {
      reason = error.reason
    }
    let candidates = context.configuration.candidates(family: nil, weight: weight)
    let substitute = candidates.flatMap { context.firstUsable($0, weight: weight)?.file }
    let instead = substitute.map { Complaints.quoted($0.name) } ?? "the built-in outlines"
    context.complaints.tell(
      "font file \(Complaints.quoted(path)) is unusable: \(reason); using \(instead)", key: "path \(path)")
    return substitute.map { .file($0) } ?? .builtIn
  }

  private func builtInForWantOfFonts() -> FontFace.Source {
    context.complaints.tell(
      "no usable font is installed; using the built-in outlines (try: apt install fonts-bebas-neue fonts-inter)",
      key: "no fonts")
    return .builtIn
  }

  /// Names that every configuration maps to some family, so that none is missing.
  private static let genericFamilies: Set<String> = [
    "sans-serif", "sans serif", "sans", "serif", "monospace", "mono", "cursive", "fantasy", "system-ui",
    "ui-sans-serif", "ui-serif", "ui-monospace", "ui-rounded",
  ]
}

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
    let (source, substitution) = search(name, weight)
    if let substitution { context.complaints.tell(substitution.complaint, key: substitution.key) }
    return source
  }

  /// What is used for a name, and why, where that is not what was asked for.
  private func search(_ name: String, _ weight: FontWeight) -> (FontFace.Source, FontSubstitution?) {
    if name == Self.builtInName { return (.builtIn, nil) }
    if name.utf8.contains(UInt8(ascii: "/")) { return fromPath(name, weight) }
    let question = FontAnswers.Question(family: name, weight: weight)
    if let answer = answers.answers[question],
      let file = try? context.file(path: answer.path, index: answer.index, weight: weight)
    {
      return (.file(file), answer.isSubstitute ? .family(name, instead: file.name) : nil)
    }
    let candidates = context.configuration.candidates(family: name, weight: weight)
    guard let candidates, let (file, candidate) = context.firstUsable(candidates, weight: weight) else {
      return (.builtIn, .anyFont)
    }
    let isSubstitute = !Self.genericFamilies.contains(name.lowercased()) && !candidate.isFamily(name)
    answers.keep(
      FontAnswers.Answer(path: candidate.path, index: candidate.index, isSubstitute: isSubstitute),
      to: question, from: context.configuration)
    return (.file(file), isSubstitute ? .family(name, instead: file.name) : nil)
  }

  /// What is wrong with the name of a font, and what to do; nil: there is such a font. The library does
  /// not warn of it again.
  public func problem(with nameOrPath: String, weight: FontWeight) -> FontProblem? {
    guard let substitution = search(nameOrPath, weight).1 else { return nil }
    context.complaints.silence(substitution.key)
    return FontProblem(substitution, families: { self.context.configuration.families })
  }

  /// What fontconfig said, to be told to a later library; nil when there is nothing new to be kept.
  public var answersToKeep: [UInt8]? { answers.text }

  private func fromPath(_ path: String, _ weight: FontWeight) -> (FontFace.Source, FontSubstitution?) {
    let reason: String
    do throws(FontFileError) {
      return (.file(try context.file(path: path, index: 0, weight: weight)), nil)
    } catch {
      reason = error.reason
    }
    let candidates = context.configuration.candidates(family: nil, weight: weight)
    let substitute = candidates.flatMap { context.firstUsable($0, weight: weight)?.file }
    return (substitute.map { .file($0) } ?? .builtIn, .file(path, reason: reason, instead: substitute?.name))
  }

  /// Names that every configuration maps to some family, so that none is missing.
  private static let genericFamilies: Set<String> = [
    "sans-serif", "sans serif", "sans", "serif", "monospace", "mono", "cursive", "fantasy", "system-ui",
    "ui-sans-serif", "ui-serif", "ui-monospace", "ui-rounded",
  ]
}

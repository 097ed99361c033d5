// SPDX-License-Identifier: Apache-2.0

/// Finds faces by family or path. Not thread-safe. Create a new library to see newly installed fonts.
package final class FontLibrary {
  /// The name that selects this program's own outlines, which are the same on every machine.
  package static let builtInName = "built-in"

  private struct Request: Hashable {
    var name: String
    var weight: FontWeight
  }

  let context: FontContext
  private var matchCache: FontMatchCache
  private var faces: [Request: FontFace] = [:]

  /// - Parameters:
  ///   - matchCache: the `matchCacheToSave` of an earlier run; ignored if it is out of date.
  ///   - warn: called with each warning once, one line each: a missing family and its substitute, a missing
  ///     glyph, an unusable file.
  package convenience init(matchCache: [UInt8] = [], warn: @escaping (String) -> Void) {
    self.init(configuration: nil, matchCache: matchCache, warn: warn)
  }

  /// - Parameter configuration: a fontconfig configuration file to use instead of the system's.
  init(configuration: String?, matchCache: [UInt8] = [], warn: @escaping (String) -> Void) {
    self.matchCache = FontMatchCache(matchCache, configuration: configuration)
    context = FontContext(configurationPath: configuration, warn: warn)
  }

  /// Returns a face by family name, through fontconfig, or by path, if the name contains a "/". Never fails:
  /// falls back to another family that fontconfig offers, then to the built-in outlines, and warns once.
  /// `FontLibrary.builtInName` selects the built-in outlines.
  package func face(_ nameOrPath: String, weight: FontWeight) -> FontFace {
    let request = Request(name: nameOrPath, weight: weight)
    if let face = faces[request] { return face }
    let face = FontFace(source: source(nameOrPath, weight), weight: weight, context: context)
    // A config names only a few faces; the bound limits memory.
    if faces.count >= 64 { faces.removeAll() }
    faces[request] = face
    return face
  }

  /// The BCP 47 tag of the language of most text, whose forms of letters are used; nil: unknown.
  package var language: String? {
    get { context.language }
    set {
      guard newValue != context.language else { return }
      context.language = newValue
      for face in faces.values { face.forgetLines() }
    }
  }

  private func source(_ name: String, _ weight: FontWeight) -> FontFace.Source {
    let (source, substitution) = search(name, weight)
    if let substitution { context.warnings.warn(substitution.warning, key: substitution.key) }
    return source
  }

  /// The source used for a name, and the reason if it is a substitute.
  private func search(_ name: String, _ weight: FontWeight) -> (FontFace.Source, FontSubstitution?) {
    if name == Self.builtInName { return (.builtIn, nil) }
    if name.utf8.contains(UInt8(ascii: "/")) { return fromPath(name, weight) }
    let query = FontMatchCache.Query(family: name, weight: weight)
    if let match = matchCache.matches[query],
      let file = try? context.file(path: match.path, index: match.index, weight: weight)
    {
      return (.file(file), match.isSubstitute ? .family(name, instead: file.name) : nil)
    }
    let candidates = context.configuration.candidates(family: name, weight: weight)
    guard let candidates, let (file, candidate) = context.firstUsable(candidates, weight: weight) else {
      return (.builtIn, .anyFont)
    }
    let isSubstitute = !Self.genericFamilies.contains(name.lowercased()) && !candidate.isFamily(name)
    matchCache.store(
      FontMatchCache.Match(path: candidate.path, index: candidate.index, isSubstitute: isSubstitute),
      for: query, from: context.configuration)
    return (.file(file), isSubstitute ? .family(name, instead: file.name) : nil)
  }

  /// What is wrong with a font name and how to fix it; nil if the font exists. The library does not warn
  /// about the same problem again.
  package func problem(with nameOrPath: String, weight: FontWeight) -> FontProblem? {
    guard let substitution = search(nameOrPath, weight).1 else { return nil }
    context.warnings.suppress(substitution.key)
    return FontProblem(substitution, families: { self.context.configuration.families })
  }

  /// The first character of `text` that neither the font nor any other has; nil: all of them are shown.
  package func firstBox(in text: String, font: String, weight: FontWeight) -> Character? {
    face(font, weight: weight).firstBox(in: text)
  }

  /// The cached fontconfig matches, to be passed to a later library; nil if there is nothing new to save.
  package var matchCacheToSave: [UInt8]? { matchCache.text }

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

  /// Generic names that every configuration maps to some family, so they are never missing.
  private static let genericFamilies: Set<String> = [
    "sans-serif", "sans serif", "sans", "serif", "monospace", "mono", "cursive", "fantasy", "system-ui",
    "ui-sans-serif", "ui-serif", "ui-monospace", "ui-rounded",
  ]
}

// SPDX-License-Identifier: Apache-2.0

/// What the faces of one `FontLibrary` share: FreeType, fontconfig, open files and warnings.
final class FontContext {
  let freeType = FreeType()
  /// Loaded on first use, because fonts given by path need no scan.
  private(set) lazy var configuration: FontConfiguration = {
    isConfigurationLoaded = true
    return FontConfiguration(path: configurationPath)
  }()
  private(set) var isConfigurationLoaded = false
  var warnings: WarnOnce

  /// The maximum number of open fonts, because descriptors are limited. Beyond it, a face uses a font that is
  /// already open, or the built-in outlines.
  static let maximumFiles = 48

  private struct Key: Hashable {
    var path: String
    var index: Int
    var weight: FontWeight
  }

  /// The BCP 47 tag of the language of the text: fonts have forms for certain languages. Nil: unknown.
  var language: String?
  private let configurationPath: String?
  private var searches: [Search: FontCandidates] = [:]
  private var files: [Key: FontFile] = [:]
  private var failures: [Key: FontFileError] = [:]

  private struct Search: Hashable {
    var language: String?
    var weight: FontWeight
  }

  init(configurationPath: String?, warn: @escaping (String) -> Void) {
    self.configurationPath = configurationPath
    warnings = WarnOnce(warn: warn)
  }

  /// Opens a file, or returns it if it is open; faces share it. Failures are remembered, so that a broken
  /// file is opened only once.
  func file(path: String, index: Int, weight: FontWeight) throws(FontFileError) -> FontFile {
    let key = Key(path: path, index: index, weight: weight)
    if let file = files[key] { return file }
    if let error = failures[key] { throw error }
    guard files.count < Self.maximumFiles else { throw FontFileError(reason: "too many fonts are open") }
    do throws(FontFileError) {
      let file = try FontFile(path: path, index: index, weight: weight, freeType: freeType)
      files[key] = file
      return file
    } catch {
      if failures.count < 1024 { failures[key] = error }
      throw error
    }
  }

  /// All fonts, the best ones first: fontconfig prefers those that declare `language`.
  func substitutes(language: String?, weight: FontWeight) -> FontCandidates? {
    let search = Search(language: language, weight: weight)
    if let known = searches[search] { return known }
    // A page has text in few scripts; the bound limits memory for unusual text.
    if searches.count >= 6 { searches.removeAll() }
    searches[search] = configuration.candidates(family: nil, weight: weight, language: language)
    return searches[search]
  }

  /// The first of the `candidates` that is `wanted` and can be opened. Tries at most 32, and warns once about
  /// each that cannot be opened.
  func firstUsable(
    _ candidates: FontCandidates, weight: FontWeight,
    where wanted: (FontCandidates.Candidate) -> Bool = { _ in true }
  ) -> (file: FontFile, candidate: FontCandidates.Candidate)? {
    for candidate in candidates.fonts.lazy.filter(wanted).prefix(32) {
      do throws(FontFileError) {
        return (try file(path: candidate.path, index: candidate.index, weight: weight), candidate)
      } catch {
        warnings.warn(
          "font file \(WarnOnce.quoted(candidate.path)) is unusable: \(error.reason)", key: candidate.path)
      }
    }
    return nil
  }
}

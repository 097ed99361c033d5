// SPDX-License-Identifier: Apache-2.0

/// What the faces of one library share: FreeType, fontconfig, open files and warnings.
final class FontContext {
  let freeType = FreeType()
  /// Loaded on first use, because fonts given by path need no scan.
  private(set) lazy var configuration: FontConfiguration = {
    isConfigurationLoaded = true
    return FontConfiguration(path: configurationPath)
  }()
  private(set) var isConfigurationLoaded = false
  var warnings: WarnOnce

  /// The maximum number of open fonts, because descriptors are limited. Beyond it the built-in outlines are used.
  static let maximumFiles = 48

  private struct Key: Hashable {
    var path: String
    var index: Int
    var weight: FontWeight
  }

  private let configurationPath: String?
  private var files: [Key: FontFile] = [:]
  private var failures: [Key: FontFileError] = [:]

  init(configurationPath: String?, warn: @escaping (String) -> Void) {
    self.configurationPath = configurationPath
    warnings = WarnOnce(warn: warn)
  }

  /// Returns the open file, which is shared by the faces that draw from it. Failures are remembered, so that a
  /// broken file is opened once only.
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

  /// The first of at most 32 `candidates` that can be opened. Warns once about each that cannot.
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

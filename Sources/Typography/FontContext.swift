// SPDX-License-Identifier: Apache-2.0

/// What the faces of one library share: FreeType, fontconfig, open files, complaints.
final class FontContext {
  let freeType = FreeType()
  /// Loaded when first asked: a machine whose fonts are told by path needs no scan.
  private(set) lazy var configuration: FontConfiguration = {
    isConfigurationLoaded = true
    return FontConfiguration(path: configurationPath)
  }()
  private(set) var isConfigurationLoaded = false
  var complaints: Complaints

  /// Descriptors are few; past this the built-in outlines serve.
  static let maximumFiles = 48

  private struct Key: Hashable {
    var path: String
    var index: Int
    var weight: FontWeight
  }

  private let configurationPath: String?
  private var files: [Key: FontFile] = [:]
  private var refused: [Key: FontFileError] = [:]

  init(configurationPath: String?, warn: @escaping (String) -> Void) {
    self.configurationPath = configurationPath
    complaints = Complaints(warn: warn)
  }

  /// The open file, shared by the faces that draw from it. Failures are remembered, so that a broken
  /// file is tried once.
  func file(path: String, index: Int, weight: FontWeight) throws(FontFileError) -> FontFile {
    let key = Key(path: path, index: index, weight: weight)
    if let file = files[key] { return file }
    if let error = refused[key] { throw error }
    guard files.count < Self.maximumFiles else { throw FontFileError(reason: "too many fonts are open") }
    do throws(FontFileError) {
      let file = try FontFile(path: path, index: index, weight: weight, freeType: freeType)
      files[key] = file
      return file
    } catch {
      if refused.count < 1024 { refused[key] = error }
      throw error
    }
  }

  /// The first of `candidates` that opens, looking at 32; those that do not are told once.
  func firstUsable(
    _ candidates: FontCandidates, weight: FontWeight,
    where wanted: (FontCandidates.Candidate) -> Bool = { _ in true }
  ) -> (file: FontFile, candidate: FontCandidates.Candidate)? {
    for candidate in candidates.fonts.lazy.filter(wanted).prefix(32) {
      do throws(FontFileError) {
        return (try file(path: candidate.path, index: candidate.index, weight: weight), candidate)
      } catch {
        complaints.tell(
          "font file \(Complaints.quoted(candidate.path)) is unusable: \(error.reason)", key: candidate.path)
      }
    }
    return nil
  }
}

// SPDX-License-Identifier: Apache-2.0

import CFontconfig

/// A separate fontconfig configuration for each `FontLibrary`, instead of the one that the process shares. So
/// a new `FontLibrary` sees newly installed fonts, and tests can supply their own.
final class FontConfiguration {
  fileprivate let config: OpaquePointer?

  /// Loads the system's configuration, or the file at `path`, and scans its fonts (using fontconfig's
  /// caches). The corresponding C functions are `FcInitLoadConfigAndFonts` and `FcConfigParseAndLoad`.
  init(path: String?) {
    guard let path else {
      config = FcInitLoadConfigAndFonts()
      return
    }
    config = FcConfigCreate()
    _ = FcConfigParseAndLoad(config, path, FcBool(0))
    _ = FcConfigBuildFonts(config)
  }

  deinit { if let config { FcConfigDestroy(config) } }

  /// The files and directories that a match depends on: the configuration files, their directories, and the
  /// font directories. The corresponding C functions are `FcConfigGetConfigFiles`, `FcConfigGetConfigDirs`
  /// and `FcConfigGetFontDirs`.
  var sources: [String] {
    guard let config else { return [] }
    func all(_ list: OpaquePointer?) -> [String] {
      guard let list else { return [] }
      defer { FcStrListDone(list) }
      var paths: [String] = []
      while let path = FcStrListNext(list) { paths.append(String(cString: path)) }
      return paths
    }
    let files = all(FcConfigGetConfigFiles(config))
    let directories = files.compactMap { file in
      file.lastIndex(of: "/").map { String(file[..<$0]) }
    }
    return Array(
      Set(files + directories + all(FcConfigGetConfigDirs(config)) + all(FcConfigGetFontDirs(config)))
    ).filter { $0.hasPrefix("/") }
  }

  /// The families of all outline fonts, sorted.
  var families: [String] {
    Set(candidates(family: nil, weight: .regular)?.fonts.compactMap(\.family) ?? []).sorted()
  }

  /// Every outline font, the best match for `family` and `weight` first; nil if there is none. The
  /// corresponding C function is `FcFontSort`.
  ///
  /// - Parameters:
  ///   - family: nil for the configuration's default.
  ///   - language: fonts for this language (in fontconfig's form) are preferred; nil for that of the
  ///     environment.
  func candidates(family: String?, weight: FontWeight, language: String? = nil) -> FontCandidates? {
    guard let config, let pattern = FcPatternCreate() else { return nil }
    defer { FcPatternDestroy(pattern) }
    if let family { _ = FcPatternAddString(pattern, FC_FAMILY, family) }
    if let language { _ = FcPatternAddString(pattern, FC_LANG, language) }
    _ = FcPatternAddInteger(pattern, FC_WEIGHT, FcWeightFromOpenType(Int32(weight.rawValue)))
    // Bebas Neue has a Book style of the same weight, so the style is requested too.
    if weight == .regular { _ = FcPatternAddString(pattern, FC_STYLE, "Regular") }
    _ = FcPatternAddBool(pattern, FC_OUTLINE, 1)
    _ = FcPatternAddBool(pattern, FC_COLOR, 0)
    _ = FcConfigSubstitute(config, pattern, FcMatchPattern)
    FcDefaultSubstitute(pattern)
    var result = FcResultNoMatch
    var coverage: OpaquePointer?
    // The list is not trimmed, because trimming may drop an outline font if a colour font with the same
    // coverage precedes it.
    let set = FcFontSort(config, pattern, FcBool(0), &coverage, &result)
    return FontCandidates(configuration: self, set: set, coverage: coverage)
  }
}

/// The result of a search, in order of preference.
final class FontCandidates {
  /// A font file known to fontconfig. Valid as long as the `FontCandidates` that it came from exists.
  struct Candidate {
    /// The face in a collection; the upper 16 bits select a named instance.
    let index: Int
    /// The path; its memory is fontconfig's.
    private let name: UnsafeMutablePointer<FcChar8>
    private let pattern: OpaquePointer
    private let charset: OpaquePointer?

    /// Nil for bitmap and colour fonts.
    fileprivate init?(_ pattern: OpaquePointer) {
      var outline: FcBool = 0
      guard FcPatternGetBool(pattern, FC_OUTLINE, 0, &outline) == FcResultMatch, outline == 1 else {
        return nil
      }
      var color: FcBool = 0
      if FcPatternGetBool(pattern, FC_COLOR, 0, &color) == FcResultMatch, color == 1 { return nil }
      var file: UnsafeMutablePointer<FcChar8>?
      guard FcPatternGetString(pattern, FC_FILE, 0, &file) == FcResultMatch, let file else { return nil }
      var index: Int32 = 0
      _ = FcPatternGetInteger(pattern, FC_INDEX, 0, &index)
      var charset: OpaquePointer?
      _ = FcPatternGetCharSet(pattern, FC_CHARSET, 0, &charset)
      name = file
      // 0x8000 in the upper half means "variable font, no instance"; FreeType counts instances from 1.
      self.index = Int(index & 0xffff | (index >> 16 & 0x7fff) << 16)
      self.pattern = pattern
      self.charset = charset
    }

    var path: String { String(cString: name) }

    /// Whether the font claims a glyph for `scalar`. The corresponding C function is `FcCharSetHasChar`.
    func covers(_ scalar: Unicode.Scalar) -> Bool {
      charset != nil && FcCharSetHasChar(charset, scalar.value) != 0
    }

    /// The font's first family name.
    var family: String? {
      var name: UnsafeMutablePointer<FcChar8>?
      guard FcPatternGetString(pattern, FC_FAMILY, 0, &name) == FcResultMatch, let name else { return nil }
      return String(cString: name)
    }

    /// Whether `family` is one of the font's family names. Like fontconfig, ignores case and spaces.
    func isFamily(_ family: String) -> Bool {
      func folded(_ name: String) -> String { String(name.lowercased().filter { $0 != " " }) }
      let wanted = folded(family)
      var name: UnsafeMutablePointer<FcChar8>?
      var index: Int32 = 0
      while index < 64, FcPatternGetString(pattern, FC_FAMILY, index, &name) == FcResultMatch, let name {
        if folded(String(cString: name)) == wanted { return true }
        index += 1
      }
      return false
    }
  }

  /// The candidates that have outlines and no colour.
  let fonts: [Candidate]

  // The candidates point to patterns in `set`, whose memory belongs to the caches of `configuration`, so both
  // are kept.
  private let configuration: FontConfiguration
  private let set: UnsafeMutablePointer<FcFontSet>
  private let coverage: OpaquePointer?

  fileprivate init?(
    configuration: FontConfiguration, set: UnsafeMutablePointer<FcFontSet>?, coverage: OpaquePointer?
  ) {
    var fonts: [Candidate] = []
    if let set, let patterns = set.pointee.fonts {
      fonts = (0..<Int(set.pointee.nfont)).compactMap { patterns[$0].flatMap(Candidate.init) }
    }
    guard let set, !fonts.isEmpty else {
      if let set { FcFontSetSortDestroy(set) }
      if let coverage { FcCharSetDestroy(coverage) }
      return nil
    }
    self.configuration = configuration
    self.set = set
    self.coverage = coverage
    self.fonts = fonts
  }

  deinit {
    FcFontSetSortDestroy(set)
    if let coverage { FcCharSetDestroy(coverage) }
  }

  /// Whether any candidate, with outlines or not, claims a glyph for `scalar`.
  func covers(_ scalar: Unicode.Scalar) -> Bool {
    coverage != nil && FcCharSetHasChar(coverage, scalar.value) != 0
  }
}

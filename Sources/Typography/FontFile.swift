// SPDX-License-Identifier: Apache-2.0

import CFreeType
import Glibc
import LinuxSystem

/// Why a file cannot be used as a font.
struct FontFileError: Error, Equatable {
  var reason: String
}

/// FreeType's library; lives as long as any face opened with it. The corresponding C function is
/// `FT_Init_FreeType`.
final class FreeType {
  let library: FT_Library?

  init() {
    var library: FT_Library?
    self.library = FT_Init_FreeType(&library) == 0 ? library : nil
  }

  deinit { FT_Done_FreeType(library) }
}

/// An open font file with outlines. Keeps a file descriptor and reads glyphs on demand.
final class FontFile {
  /// Family and style from the font, safe for a log.
  let name: String
  let emPerCap: Double
  /// Font units per cap height.
  let unitsPerCap: Double

  /// The maximum size of a font file. Outline fonts are smaller; a larger file is an error or an attack.
  static let maximumBytes = 256 << 20

  private let freeType: FreeType
  private let face: FT_Face
  private let stream: FT_Stream
  private var glyphs: [UInt32: Glyph] = [:]

  /// Opens a face. Refuses anything but a regular file before reading it, so that a FIFO or a device cannot
  /// block the loop. Refuses bitmap and colour fonts, which have no outlines to scale.
  ///
  /// The corresponding C functions are `open`, `fstat` and `FT_Open_Face`.
  ///
  /// - Parameters:
  ///   - index: the face in a collection; the upper 16 bits select a named instance of a variable font.
  ///   - weight: for the `wght` axis of a variable font.
  init(path: String, index: Int, weight: FontWeight, freeType: FreeType) throws(FontFileError) {
    guard let library = freeType.library else {
      throw FontFileError(reason: "FreeType could not be initialised")
    }
    let (descriptor, size) = try Self.open(path)
    let stream = FT_Stream.allocate(capacity: 1)
    var opened: FT_Face?
    let error = flipclock_ft_open(library, stream, descriptor, UInt(size), index, &opened)
    guard error == 0, let face = opened else {
      stream.deallocate()
      throw FontFileError(reason: "FreeType cannot read it (error \(error))")
    }
    do throws(FontFileError) {
      guard flipclock_ft_has_outlines(face) != 0 else { throw FontFileError(reason: "it has no outlines") }
      guard face.pointee.charmap != nil else {
        throw FontFileError(reason: "it has no Unicode character map")
      }
      // A named instance already sets the weight and the other axes.
      if index >> 16 == 0 { flipclock_ft_set_weight(library, face, Int32(weight.rawValue)) }
      unitsPerCap = try Self.measureCapHeight(face)
      // At this size, positions of shaped text are in font units. A bitmap font would have been refused
      // above.
      guard FT_Set_Pixel_Sizes(face, 0, FT_UInt(face.pointee.units_per_EM)) == 0 else {
        throw FontFileError(reason: "FreeType cannot scale it")
      }
    } catch {
      FT_Done_Face(face)
      stream.deallocate()
      throw error
    }
    self.freeType = freeType
    self.face = face
    self.stream = stream
    name = Self.name(of: face)
    emPerCap = Double(max(face.pointee.units_per_EM, 1)) / unitsPerCap
  }

  deinit {
    FT_Done_Face(face)
    stream.deallocate()
  }

  /// The glyph index of a scalar; nil if the font has none. The corresponding C function is
  /// `FT_Get_Char_Index`.
  func index(of scalar: Unicode.Scalar) -> UInt32? {
    let index = FT_Get_Char_Index(face, FT_ULong(scalar.value))
    return index == 0 ? nil : index
  }

  /// A glyph by its index, cached; nil if its data are damaged.
  func glyph(_ index: UInt32) -> Glyph? {
    if let known = glyphs[index] { return known }
    guard let (outline, advance) = Self.load(face, index) else { return nil }
    let glyph = Glyph(outline: outline, unitsPerCap: unitsPerCap, advance: advance)
    if glyphs.count >= Self.cachedGlyphs { glyphs.removeAll() }
    glyphs[index] = glyph
    return glyph
  }

  /// The maximum number of cached glyphs. A display shows a few dozen characters; the bound limits memory for
  /// unusual text.
  private static let cachedGlyphs = 512

  /// Calls `body` with FreeType's face, which is valid only during the call. Its pixel size is the em size in
  /// font units.
  func withFace<Result>(_ body: (FT_Face) -> Result) -> Result { body(face) }

  /// Whether `face` is this font's face.
  func isFace(_ face: FT_Face?) -> Bool { face == self.face }

  private static func open(_ path: String) throws(FontFileError) -> (descriptor: Int32, size: Int) {
    // The file is checked before opening, because opening some devices has side effects, and again through
    // the descriptor, because the path may have changed in between. O_NONBLOCK keeps open() from waiting.
    var status = stat()
    guard stat(path, &status) == 0 else { throw FontFileError(reason: "\(Errno.current)") }
    try check(status)
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw FontFileError(reason: "\(Errno.current)") }
    do throws(FontFileError) {
      guard fstat(descriptor, &status) == 0 else { throw FontFileError(reason: "\(Errno.current)") }
      try check(status)
    } catch {
      close(descriptor)
      throw error
    }
    return (descriptor, Int(status.st_size))
  }

  private static func check(_ status: stat) throws(FontFileError) {
    guard status.st_mode & S_IFMT == S_IFREG else { throw FontFileError(reason: "it is not a regular file") }
    guard status.st_size > 0 else { throw FontFileError(reason: "it is empty") }
    guard status.st_size <= maximumBytes else { throw FontFileError(reason: "it is larger than 256 MiB") }
  }
}

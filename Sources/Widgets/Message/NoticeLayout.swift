// SPDX-License-Identifier: Apache-2.0

import Languages
import Raster
import Typography

/// The QR codes of a notice's parts, and their texts.
struct NoticeContents {
  let parts: [(matrix: QRMatrix?, texts: [NoticeLine])]
  /// The modules of the widest code with its quiet zone; 0 without a code.
  let modules: Int

  init(_ notice: Notice, _ words: Words, _ face: FontFace) {
    parts = notice.parts.map { part in
      (part.code.flatMap { QRMatrix($0) }, NoticeLine.lines(of: part, words, face))
    }
    modules = parts.compactMap { $0.matrix.map { $0.side + QRPlate.quiet } }.max() ?? 0
  }
}

/// Where the codes and the texts of a notice are. A pure function of the contents and the sizes.
///
/// Two parts are side by side, or one above the other, and each text is beside its code or below it. Of these
/// arrangements, and of all sizes of the codes, the best is used: one whose codes a phone can read, then one
/// whose texts can be read, then the one with the largest codes and texts.
struct NoticeLayout {
  /// A part with the sizes of its QR code and its text.
  struct Part {
    let plate: QRPlate?
    let text: NoticeText
    /// Texts of a lower rank are left out.
    let rank: NoticeLine.Rank
    /// The distance between the QR code and the text.
    let gap: Double
    /// Whether the text is beside the QR code.
    let isWide: Bool
    let size: Size
    /// Whether it has a QR code, even if there is no place for it.
    let hasCode: Bool
  }

  /// The pixels of a module that most cameras need, and those that they read easily.
  private static let (readable, easy) = (2, 3)

  /// What makes a layout good, the most important first.
  private struct Quality {
    var hasReadableCodes: Int
    /// The smallest cap height, or the smallest that can be read.
    var text: Double
    /// How many of the texts that are needed are broken although they need not be; negative.
    var whole: Int
    /// How much is left out; negative.
    var shown: Int
    /// Pixels per module, or those of a code that is read easily.
    var scale: Int
    /// That of the pixels per module and the smallest cap height, or one that is read easily.
    var product: Double
    var smallest: Double

    static func < (first: Quality, second: Quality) -> Bool {
      let (one, other) = (first.legibility, second.legibility)
      return one == other ? first.sizes < second.sizes : one < other
    }

    var legibility: (Int, Double, Int, Int) { (hasReadableCodes, text, whole, shown) }
    private var sizes: (Int, Double, Double) { (scale, product, smallest) }
  }

  let parts: [Part]
  /// Whether the parts are side by side.
  let isRow: Bool
  /// The distance between two parts.
  let between: Double
  /// What stays free at each edge of the area: at the sides as much as beside the parts of a page.
  let air: Size
  /// That of all parts together.
  let size: Size
  /// Whether the codes and all texts can be read. Instructions may be missing.
  let isComplete: Bool
  private let quality: Quality

  /// The usual height of the panel on a page, in whole pixels, and the largest. On a page that is high
  /// enough, each part has as much as a single one.
  ///
  /// - Parameter isBrief: whether the notice is beside a match, and takes little space.
  static func heights(of notice: Notice, on page: Size, isBrief: Bool) -> (usual: Double, largest: Double) {
    let side = min(page.width, page.height)
    func height(_ share: Double) -> Double {
      let more = min(share * side * Double(notice.parts.count - 1), 0.5 * (page.height - side))
      return (share * side + more).rounded()
    }
    // This is enough for a QR code with two pixels per module on 320 x 240.
    let full = height(0.36)
    guard isBrief else { return (full, max(full, (0.7 * page.height).rounded())) }
    return (max(height(0.2), min(full, 90)), full)
  }

  /// The best layout; nil: the area is too small.
  ///
  /// - Parameters:
  ///   - legible: the smallest cap height that can be read.
  ///   - isBrief: whether there are no instructions.
  init?(_ contents: NoticeContents, in area: Size, legible: Double, isBrief: Bool) {
    var best: NoticeLayout?
    let largest = contents.modules == 0 ? 0 : Int(min(area.width, area.height)) / contents.modules
    for isRow in contents.parts.count > 1 ? [true, false] : [true] {
      for isWide in [true, false] {
        for scale in stride(from: largest, through: 0, by: -1) {
          guard
            let layout = NoticeLayout(
              contents, in: area, isRow: isRow, isWide: isWide, scale: scale, legible: legible,
              isBrief: isBrief)
          else { continue }
          if best.map({ $0.quality < layout.quality }) ?? true { best = layout }
        }
      }
    }
    guard let best else { return nil }
    self = best
  }

  /// Whether more can be read than with another layout, whatever the sizes are.
  func isMoreLegible(than other: NoticeLayout) -> Bool {
    quality.legibility > other.quality.legibility
  }

  /// Nil if the codes or the texts do not fit.
  private init?(
    _ contents: NoticeContents, in area: Size, isRow: Bool, isWide: Bool, scale: Int, legible: Double,
    isBrief: Bool
  ) {
    let side = min(area.width, area.height)
    let count = Double(contents.parts.count)
    air = Size(width: max(0.02 * area.width, 2).rounded(), height: max(0.02 * side, 2).rounded())
    let room = Size(
      width: min(area.width - 2 * air.width, 3 * side * count), height: area.height - 2 * air.height)
    guard room.width >= 24, room.height >= 16 else { return nil }
    between = ((isRow && isWide ? 0.1 : 0.06) * side).rounded()
    let gaps = (count - 1) * between
    let place =
      isRow
      ? Size(width: (room.width - gaps) / count, height: room.height)
      : Size(width: room.width, height: (room.height - gaps) / count)
    var parts: [Part] = []
    let ranks = NoticeLine.Rank.allCases.dropFirst(isBrief ? 1 : 0)
    for (matrix, texts) in contents.parts {
      var best: Part?
      // As many texts as can be read.
      for rank in ranks where !(best?.text.isLegible(legible) ?? false) {
        guard
          let part = Part(
            matrix, texts, from: rank, in: place, isWide: isWide, scale: scale, gap: (0.06 * side).rounded(),
            legible: legible)
        else { break }
        if best.map({ $0.text.smallest < part.text.smallest }) ?? true { best = part }
      }
      guard let best else { return nil }
      parts.append(best)
    }
    self.isRow = isRow
    self.parts = parts
    let (widths, heights) = (parts.map(\.size.width), parts.map(\.size.height))
    size =
      isRow
      ? Size(width: widths.reduce(gaps, +), height: heights.max() ?? 0)
      : Size(width: widths.max() ?? 0, height: heights.reduce(gaps, +))
    let smallest = parts.map(\.text.smallest).min() ?? .infinity
    // Texts are broken on a narrow area in any case.
    let broken = zip(contents.parts, parts).reduce(0) { sum, parts in
      sum + parts.0.texts.count { $0.mayBeWhole(in: room.width, cap: legible) } - parts.1.text.whole
    }
    quality = Quality(
      hasReadableCodes: contents.modules == 0 || scale >= Self.readable ? 1 : 0,
      text: min((smallest * 10).rounded() / 10, legible), whole: -broken,
      shown: parts.map(\.rank.rawValue).reduce(0, -), scale: min(scale, Self.easy),
      product: Double(max(scale, 1)) * min(smallest, 1.5 * legible), smallest: smallest)
    isComplete =
      quality.hasReadableCodes > 0 && parts.allSatisfy { $0.text.isLegible(legible) && $0.rank <= .heading }
      && broken == 0
  }
}

extension NoticeLayout.Part {
  /// Nil if the code or the text does not fit.
  ///
  /// - Parameters:
  ///   - scale: pixels per module; 0: without the code.
  ///   - most: the distance between code and text.
  fileprivate init?(
    _ matrix: QRMatrix?, _ texts: [NoticeLine], from rank: NoticeLine.Rank, in room: Size, isWide: Bool,
    scale: Int, gap most: Double, legible: Double
  ) {
    self.isWide = isWide
    self.rank = rank
    hasCode = matrix != nil
    plate = scale > 0 ? matrix.map { QRPlate($0, scale: scale) } : nil
    gap = plate == nil ? 0 : most
    let side = plate?.side ?? 0
    guard side <= room.width, side <= room.height else { return nil }
    // Accents are above the first line, and tails below the last one.
    let beyond = 0.5 * legible
    let space =
      isWide
      ? Size(width: room.width - side - gap, height: room.height - beyond)
      : Size(width: room.width, height: room.height - side - gap - beyond)
    guard space.width >= 8, space.height >= 4 else { return nil }
    let usual = isWide ? (plate == nil ? 1 : 0.88) * room.height : min(space.height, 0.9 * room.width)
    text = NoticeText(
      texts.filter { $0.rank >= rank }, in: space, usual: min(usual, space.height), legible: legible)
    size =
      isWide
      ? Size(width: side + gap + text.width, height: max(side, text.height))
      : Size(width: max(side, text.width), height: side + gap + text.height)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Raster

/// A part of what a page shows. A message or an invitation covers all of it or nothing.
struct ShownPart: Hashable {
  enum Rank: Int, Hashable {
    /// The time of day, for example.
    case lesser
    case usual
    /// The names of the teams.
    case important
  }

  var rect: Rect
  var rank = Rank.usual
}

/// Finds a part of a page for a message or an invitation during a match. It overlaps nothing that is to stay
/// visible, and covers each of the page's other parts completely or not at all.
struct MessageSpace: Hashable {
  /// What must not be covered.
  let clear: [Rect]
  /// Everything that the page shows.
  let parts: [ShownPart]
  let page: Size

  /// The least height of a band, and the height that is enough, as fractions of the page's shorter side.
  static let least = 0.09
  static let enough = 0.24
  /// The least side of a QR code, as the same fraction.
  private static let leastCode = 0.12
  /// The distance from what stays visible, such as the frame around a winner's score, as the same fraction.
  private static let air = 0.016

  private var reference: Double { min(page.width, page.height) }
  private var air: Double { (Self.air * reference).rounded() }

  /// The space for a message: a band as wide as the page if possible; nil if there is none. Of the bands that
  /// are high enough, the one that covers the least.
  var message: Rect? {
    let best = bands.max { rank($0).lexicographicallyPrecedes(rank($1)) }
    return best.map(trimmed) ?? region(least: Self.least) { min($0.height, $0.width / 4) }
  }

  /// The space for an invitation: that of the largest QR code, with as little as possible beneath it; nil if
  /// there is none.
  var invitation: Rect? {
    let side = MessageArtist.codeSide
    if let region = region(least: Self.leastCode, side) { return region }
    // A code that cuts a part is better than one over the scores.
    let best = best(beside: clear.map { $0.grown(air) }, side)
    return best.flatMap { side($0.size) >= Self.leastCode * reference ? $0 : nil }
  }

  // MARK: Bands

  private var bands: [Rect] {
    let kept = clear.map { $0.grown(air) }
    var edges: [Double] = [0, page.height]
    for part in parts { edges += [part.rect.y.rounded(.down), part.rect.maxY.rounded(.up)] }
    for rect in kept { edges += [rect.y, rect.maxY] }
    let sorted = Set(edges).filter { $0 >= 0 && $0 <= page.height && !cuts($0) }.sorted()
    return sorted.flatMap { top in
      sorted.filter { $0 - top >= Self.least * reference }.map { bottom in
        Rect(x: 0, y: top, width: page.width, height: bottom - top)
      }
    }.filter { band in !kept.contains { $0.y < band.maxY && band.y < $0.maxY } }
  }

  /// Whether an edge at this height cuts a part.
  private func cuts(_ y: Double) -> Bool { parts.contains { $0.rect.y + 1 < y && y < $0.rect.maxY - 1 } }

  private func covered(by band: Rect) -> [ShownPart] {
    parts.filter { $0.rect.overlaps(band.grown(-1)) }
  }

  /// Names are covered only where there is no other space.
  private func rank(_ band: Rect) -> [Double] {
    let covered = covered(by: band)
    func count(_ rank: ShownPart.Rank) -> Double { -Double(covered.count { $0.rank == rank }) }
    return [
      count(.important), min(band.height, Self.enough * reference), count(.usual), count(.lesser),
      band.height,
    ]
  }

  /// The part of a band that is high enough for the message and for the parts that it covers.
  private func trimmed(_ band: Rect) -> Rect {
    let covered = covered(by: band).map(\.rect)
    let top = covered.map(\.y).min() ?? band.midY
    let bottom = covered.map(\.maxY).max() ?? band.midY
    let height = max(Self.enough * reference, bottom - top + 2).rounded(.up)
    guard height < band.height else { return band }
    let y = min(max(((top + bottom - height) / 2).rounded(), band.y), band.maxY - height)
    return Rect(x: band.x, y: y, width: band.width, height: height)
  }

  // MARK: Regions

  /// The part of the page with the highest merit, which is at least `least` times the page's shorter side. It
  /// covers names only where there is no other space, and before that everything else but the time.
  private func region(least: Double, _ merit: (Size) -> Double) -> Rect? {
    let levels: [ShownPart.Rank?] = [.usual, .important, nil]
    for level in levels {
      let kept = parts.filter { part in level.map { part.rank.rawValue >= $0.rawValue } ?? false }
      guard let region = region(beside: clear + kept.map(\.rect), merit),
        merit(region.size) >= least * reference
      else { continue }
      return region
    }
    return nil
  }

  private func region(beside obstacles: [Rect], _ merit: (Size) -> Double) -> Rect? {
    var obstacles = obstacles
    while let region = best(beside: obstacles.map { $0.grown(air) }, merit) {
      let cut = parts.map(\.rect).filter { $0.overlaps(region.grown(-1)) && !$0.isInside(region.grown(1)) }
      if cut.isEmpty { return region }
      obstacles += cut
    }
    return nil
  }

  private func best(beside obstacles: [Rect], _ merit: (Size) -> Double) -> Rect? {
    var all: [Double] = [0, page.width]
    for rect in obstacles { all += [rect.x.rounded(.up), rect.maxX.rounded(.down)] }
    let edges = Set(all).filter { $0 >= 0 && $0 <= page.width }.sorted()
    let obstacles = obstacles.sorted { $0.y < $1.y }
    // Of equal ones, the larger cuts less.
    var best: (rect: Rect, merit: (Double, Double)) = (.zero, (0, 0))
    for (index, left) in edges.enumerated() {
      for right in edges[(index + 1)...] {
        var top = 0.0
        let edge = Rect(x: left, y: page.height, width: right - left, height: 1)
        for rect in obstacles + [edge] where rect.x < right && rect.maxX > left {
          let free = Rect(x: left, y: top, width: right - left, height: max(rect.y - top, 0).rounded(.down))
          let value = (merit(free.size), free.width * free.height)
          if value > best.merit { best = (free, value) }
          top = max(top, rect.maxY.rounded(.up))
        }
      }
    }
    return best.merit.0 > 0 ? best.rect : nil
  }
}

extension ScoreWidget {
  var shownParts: [ShownPart] {
    (layout?.places ?? []).map { place in
      switch place.part {
      case .name, .rowName: ShownPart(rect: place.rect, rank: .important)
      case .time: ShownPart(rect: place.rect, rank: .lesser)
      default: ShownPart(rect: place.rect)
      }
    }
  }
}

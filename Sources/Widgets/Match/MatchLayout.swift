// SPDX-License-Identifier: Apache-2.0

import Raster
import Scoreboard

/// The layout of a scoreboard: where its parts are. A pure function of the contents and the sizes.
struct MatchLayout {
  private(set) var places: [(part: MatchPart, rect: Rect)] = []
  private(set) var scale: MatchScale
  /// What is shown; less than what was asked for if the space is too small.
  private(set) var contents: MatchContents
  /// The details that were asked for and that the placed parts do not show, in the words of `status`.
  private(set) var leftOut: [String] = []
  private var tree = MatchTree.space
  /// The height of the scores' cards, in pixels, before it is rounded.
  private(set) var card = 0.0
  /// How near the layout is to the intended sizes, and to larger scores.
  private var merit = 0.0
  /// The scale of the letters, 1 at the intended size.
  private var letters = 0.0
  /// The scoreboard with the margin around it.
  private var bounds = Rect.zero

  /// Letters are at least this fraction of their intended size, and at least this many pixels per unit.
  private static let leastLetters = 0.6
  private static let leastUnit = 190.0
  /// Letters grow to this many times their intended size where scores cannot use the space.
  private static let mostLetters = 1.6
  /// How much the merit of a spare arrangement counts.
  private static let spareWorth = 0.65
  /// Gaps between the parts of a page grow by at most this many units, and on an upright page by more.
  private static let air = (usual: 0.04, upright: 0.12)

  /// - Parameters:
  ///   - box: the size of the scoreboard.
  ///   - page: the size of the page, on which the intended size of the letters depends.
  init(_ contents: MatchContents, in box: Size, page: Size) {
    let asked = contents
    let unit = min(page.width, page.height)
    var contents = contents
    (contents.hasLogos, contents.hasBreak, contents.isOver) = (false, false, false)
    self = Self.reduced(contents, in: box, unit: unit)
    contents = self.contents
    if asked.hasBreak || asked.isOver {
      // What has no space during play does not appear either, except for the points of the periods.
      (contents.hasBreak, contents.isOver) = (asked.hasBreak, asked.isOver)
      if asked.isOver { contents.hasPeriodPoints = asked.hasPeriodPoints }
      self = Self.reduced(contents, in: box, unit: unit)
      contents = self.contents
    }
    if asked.hasLogos, contents.hasNames {
      // Logos must not make the rest smaller.
      var more = contents
      more.hasLogos = true
      let other = Self.best(more, in: box, unit: unit)
      if other.letters >= 0.995 * letters, other.card >= 0.995 * card { self = other }
    }
    leftOut = asked.details(missingIn: self.contents)
  }

  /// The layout of as many of the contents as have space.
  private static func reduced(_ contents: MatchContents, in box: Size, unit: Double) -> MatchLayout {
    var contents = contents
    while true {
      let layout = best(contents, in: box, unit: unit)
      // What is not needed during a match must not make the rest smaller.
      let least = contents.hasExtras ? 0.995 : leastLetters
      guard layout.letters < least || layout.scale.unit < leastUnit, let less = contents.reduced else {
        return layout
      }
      contents = less
    }
  }

  /// The size that the parts need.
  var size: Size { scale.size(tree) }

  private static func best(_ contents: MatchContents, in box: Size, unit: Double) -> MatchLayout {
    let composition = MatchComposition(contents)
    func layout(_ tree: MatchTree) -> MatchLayout {
      MatchLayout(contents, tree, score: composition.score, in: box, unit: unit)
    }
    let spare = composition.spareTrees.map { tree in
      var layout = layout(tree)
      layout.merit *= spareWorth
      return layout
    }
    return (composition.trees.map(layout) + spare).max { $0.merit < $1.merit }
      ?? MatchLayout(contents, .space, score: 0.5, in: box, unit: unit)
  }

  /// Makes letters and scores equally small until everything fits, and then the scores as large as possible.
  /// Letters of the intended size grow too, as far as the scores leave space.
  private init(_ contents: MatchContents, _ tree: MatchTree, score: Double, in box: Size, unit: Double) {
    self.contents = contents
    self.tree = tree
    func scale(_ letters: Double, _ card: Double) -> MatchScale {
      MatchScale(unit: letters * unit, card: card, digits: contents.digits)
    }
    func fits(_ letters: Double, _ card: Double) -> Bool { scale(letters, card).size(tree).fits(in: box) }
    let small = Self.largest(0.01, 1) { fits($0, score * $0 * unit) }
    let card = Self.largest(score * small * unit, max(box.height, box.width)) { fits(small, $0) }
    letters = small < 1 ? small : Self.largest(1, Self.mostLetters) { fits($0, card) }
    self.scale = scale(letters, card)
    self.card = card
    merit = min(card / (score * unit), 1.6) * small * small * small
  }

  /// The largest number from `low` to `high` for which `fits` is true, to within a thousandth; `low` if there
  /// is none.
  private static func largest(_ low: Double, _ high: Double, _ fits: (Double) -> Bool) -> Double {
    if fits(high) { return high }
    var (low, high) = (low, high)
    while high - low > 0.001 * high {
      let middle = (low + high) / 2
      if fits(middle) { low = middle } else { high = middle }
    }
    return low
  }

  /// Places the parts in `rect`, in whole pixels.
  ///
  /// - Parameter hasTime: whether the time of day is shown in a corner, if one is free and the parts do not
  ///   include it.
  mutating func place(in rect: Rect, hasTime: Bool, isMirrored: Bool) {
    bounds = rect.grown((0.018 * min(rect.width, rect.height)).rounded())
    places = scale.place(spread(in: rect), in: rect)
    if hasTime, !places.contains(where: { $0.part == .time }) {
      leftOut.removeAll { $0 == MatchContents.timeOfDay }
      if let corner = freeCorner(of: rect) {
        places.append((.time, corner))
      } else {
        leftOut.append(MatchContents.timeOfDay)
      }
    }
    places = places.map { part, place in
      var place = place.whole
      if isMirrored { place.x = rect.x + rect.maxX - place.maxX }
      return (part, place)
    }
  }

  /// What is framed when a team wins: its score or, in rows, all that it has; for each team.
  var winnerRects: [Rect] {
    (0..<contents.teams).map { team in
      let parts = places.filter { part, _ in
        contents.kind == .rows ? part.team == team : part == .score(team)
      }.map(\.rect)
      return parts.dropFirst().reduce(parts.first ?? .zero) { $0.union($1) }
    }
  }

  /// What is framed when the number of sets won decides, and not the score: that number, or else the name; in
  /// rows, all that the team has.
  var periodsWonRects: [Rect] {
    let frames = winnerRects
    return (0..<contents.teams).map { team in
      let parts: [MatchPart] = [.periodsWon(team), .line(.periodsWon, team), .name(team)]
      let placed = parts.compactMap { part in places.first { $0.part == part }?.rect }
      return contents.kind == .rows ? frames[team] : placed.first ?? .zero
    }
  }

  /// The width of the frame of a winner, and its distance from the parts in it: wide enough to be seen, and
  /// at most half of what is left to the next part, or to the edge of the page.
  func winnerFrame(around rect: Rect) -> (air: Double, width: Double) {
    let width = max((0.009 * scale.unit).rounded(), 2)
    let distances = places.filter { !$0.rect.isInside(rect) }.map { part, other -> Double in
      // The bar of a name is above the end of its place.
      let height = if case .name = part { 0.82 * other.height } else { other.height }
      return max(
        other.x - rect.maxX, rect.x - other.maxX, other.y - rect.maxY, rect.y - other.y - height)
    }
    let edge = min(
      rect.x - bounds.x, bounds.maxX - rect.maxX, rect.y - bounds.y, bounds.maxY - rect.maxY)
    let air = min(0.014 * scale.unit, ((distances.min() ?? edge) - width) / 2, edge - width)
    return (max(air.rounded(.down), 1), width)
  }

  /// A corner with space for the time of day. Corners that are free during breaks too are tried first.
  private func freeCorner(of rect: Rect) -> Rect? {
    let size = Size(width: 0.2 * scale.unit, height: MatchComposition.time * scale.unit)
    let (right, bottom) = (rect.maxX - size.width, rect.maxY - size.height)
    let corners = [(right, bottom), (right, rect.y), (rect.x, rect.y), (rect.x, bottom)].map {
      Rect(x: $0.0, y: $0.1, width: size.width, height: size.height)
    }
    let taken = places.map(\.rect) + winnerRects
    // A caption may be a little wider than its place.
    let air = 0.02 * scale.unit
    return corners.first { corner in
      let around = Rect(x: corner.x - air, y: corner.y, width: corner.width + 2 * air, height: corner.height)
      return taken.allSatisfy { !$0.overlaps(around) }
    }
  }

  /// The tree with larger gaps between the parts of the page, which use some of the height that is left.
  private func spread(in rect: Rect) -> MatchTree {
    guard case .column(let trees, let gap) = tree, trees.count > 1 else { return tree }
    let free = (rect.height - size.height) / scale.unit / Double(trees.count + 1)
    let most = rect.height > rect.width ? Self.air.upright : Self.air.usual
    return .column(trees, gap: gap + min(max(free, 0), most))
  }
}

extension Rect {
  /// The rectangle with whole pixels as edges.
  fileprivate var whole: Rect {
    let (left, top) = (x.rounded(), y.rounded())
    return Rect(x: left, y: top, width: maxX.rounded() - left, height: maxY.rounded() - top)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Glibc
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
  /// Where the time of day is, in the scoreboard; nil: it is not shown.
  private var time: Rect?
  /// The height at the foot that only the time of day uses.
  private var strip = 0.0

  /// A place for the time of day.
  private struct Corner: Hashable {
    var isRight = true
    var isBottom = true
    /// Whether the scoreboard ends above it.
    var isBeneath = false
  }

  /// Letters are at least this fraction of their intended size, and at least this many pixels per unit.
  static let leastLetters = 0.6
  static let leastUnit = 190.0
  /// Letters grow to this many times their intended size where scores cannot use the space.
  private static let mostLetters = 1.6
  /// Letters are never smaller than this fraction of their intended size.
  private static let smallest = 0.01
  /// Scores larger than this many times their intended size have no more merit.
  private static let largestCard = 1.6
  /// An arrangement of at least this fraction of the best merit is used if it moves less.
  private static let stillWorth = 0.55
  /// How much the merit of a spare arrangement counts.
  private static let spareWorth = 0.65
  /// Gaps between the parts of a page grow by at most this many units, and on an upright page by more.
  private static let air = (usual: 0.04, upright: 0.12)

  /// - Parameters:
  ///   - box: the size of the scoreboard.
  ///   - page: the size of the page, on which the intended size of the letters depends.
  ///   - moments: the result of `moments` for these contents, if it is known.
  init(_ contents: MatchContents, in box: Size, page: Size, moments: [MatchLayout]? = nil) {
    // The time has the same place and size in play, in a break, and after the match, with and without logos.
    let moments = contents.hasTime ? moments ?? Self.moments(contents, in: box, page: page) : []
    self.init(match: contents, in: box, page: page, play: moments.first)
    guard contents.hasTime else { return }
    let unit = moments.map(\.scale.unit).min() ?? scale.unit
    let strip = ((MatchComposition.time + Self.stripAir) * unit).rounded(.up)
    let corners: [Corner] =
      (contents.hasClocks ? [Corner(isBottom: false)] : []) + [
        Corner(), Corner(isBeneath: true), Corner(isBottom: false), Corner(isRight: false, isBottom: false),
        Corner(isRight: false),
      ]
    func place(_ corner: Corner) -> Rect {
      let size = Size(width: contents.texts.time * unit, height: MatchComposition.time * unit)
      return Rect(
        x: corner.isRight ? box.width - size.width : 0, y: corner.isBottom ? box.height - size.height : 0,
        width: size.width, height: size.height)
    }
    let above = Size(width: box.width, height: box.height - strip)
    var lower: [MatchLayout] = []
    let corner = corners.first { corner in
      guard corner.isBeneath else { return moments.allSatisfy { $0.isFree(place(corner), in: box) } }
      lower = Self.moments(contents, in: above, page: page)
      return zip(lower, moments).allSatisfy {
        let isPlay = !$0.contents.hasBreak && !$0.contents.isOver
        let least = isPlay ? Self.leastAbove.play : Self.leastAbove.other
        return $0.contents == $1.contents && $0.letters >= least * min($1.letters, 1)
      }
    }
    if corner?.isBeneath == true {
      self.init(match: contents, in: above, page: page, play: lower.first)
      self.strip = strip
    } else if let corner, self.contents.hasLogos, !isFree(place(corner), in: box) {
      var less = contents
      less.hasLogos = false
      self.init(match: less, in: box, page: page, play: moments.first)
      leftOut = contents.details(missingIn: self.contents).filter { $0 != MatchContents.timeOfDay }
    }
    time = corner.map(place)
    if corner == nil { leftOut.append(MatchContents.timeOfDay) }
  }

  /// The layouts in play, in a break, and after the match, without the time of day.
  static func moments(_ contents: MatchContents, in box: Size, page: Size) -> [MatchLayout] {
    let shown = contents.moments
    let play = MatchLayout(match: shown[0], in: box, page: page)
    return [play] + shown.dropFirst().map { MatchLayout(match: $0, in: box, page: page, play: play) }
  }

  /// A layout without the time of day.
  ///
  /// - Parameter play: the same in play and without logos, if it is known.
  private init(match contents: MatchContents, in box: Size, page: Size, play: MatchLayout? = nil) {
    var asked = contents
    asked.hasTime = false
    let unit = min(page.width, page.height)
    var contents = asked
    (contents.hasLogos, contents.hasBreak, contents.isOver) = (false, false, false)
    self = play ?? Self.reduced(contents, in: box, unit: unit)
    contents = self.contents
    var near: [Rect] = []
    if asked.hasBreak || asked.isOver {
      near = scores(in: box)
      // What has no space during play does not appear either, except for the points of the periods.
      (contents.hasBreak, contents.isOver) = (asked.hasBreak, asked.isOver)
      if asked.isOver { contents.hasPeriodPoints = asked.hasPeriodPoints }
      self = Self.reduced(contents, in: box, unit: unit, near: near)
      contents = self.contents
    }
    if asked.hasLogos, contents.hasNames {
      // Logos must not make the rest smaller.
      var more = contents
      more.hasLogos = true
      let other = Self.best(more, in: box, unit: unit, near: near)
      if other.letters >= 0.995 * letters, other.card >= 0.995 * card { self = other }
    }
    leftOut = asked.details(missingIn: self.contents)
  }

  /// The layout of as many of the contents as have space, with the scores near these places if there are any.
  private static func reduced(
    _ contents: MatchContents, in box: Size, unit: Double, near scores: [Rect] = []
  ) -> MatchLayout {
    var layout = best(contents, in: box, unit: unit, near: scores)
    while let less = layout.contents.reduced {
      let isLegible = layout.letters >= leastLetters && layout.scale.unit >= leastUnit
      if isLegible, !layout.contents.hasExtras || layout.letters >= 0.995 { return layout }
      let other = best(less, in: box, unit: unit, near: scores)
      // What is not needed during a match must not make the rest smaller.
      if isLegible, layout.letters >= 0.995 * other.letters, layout.card >= 0.995 * other.card {
        return layout
      }
      layout = other
    }
    return layout
  }

  /// The size that the parts need.
  var size: Size { scale.size(tree) }

  private static func best(
    _ contents: MatchContents, in box: Size, unit: Double, near scores: [Rect] = []
  ) -> MatchLayout {
    let composition = MatchComposition(contents)
    // Where the scores are to stay, an arrangement with less merit than the best may be used.
    let share = scores.isEmpty ? 1 : stillWorth
    let trees = composition.trees.map { ($0, 1) } + composition.spareTrees.map { ($0, spareWorth) }
    var (all, most) = ([MatchLayout](), 0.0)
    for (tree, worth) in trees {
      let layout = MatchLayout(
        contents, tree, score: composition.score, in: box, unit: unit, worth: worth, least: share * most)
      most = max(most, layout.merit)
      all.append(layout)
    }
    guard let best = all.max(by: { $0.merit < $1.merit }) else {
      return MatchLayout(contents, .space, score: 0.5, in: box, unit: unit)
    }
    guard !scores.isEmpty else { return best }
    // A break and the end move as little as possible.
    func distance(_ layout: MatchLayout) -> Double {
      zip(layout.scores(in: box), scores).reduce(0) {
        $0 + abs($1.0.midX - $1.1.midX) + abs($1.0.midY - $1.1.midY)
      }
    }
    let good = all.filter { $0.merit >= stillWorth * best.merit && $0.letters >= 0.9 * best.letters }
    return good.map { ($0, distance($0)) }.min { $0.1 < $1.1 }?.0 ?? best
  }

  /// Where the scores are.
  private func scores(in box: Size) -> [Rect] {
    let rect = Rect(x: 0, y: 0, width: box.width, height: box.height)
    let scale = MatchScale(unit: scale.unit, card: card, contents.withLongTexts)
    return scale.place(spread(in: rect), in: rect).filter {
      if case .score = $0.part { true } else { false }
    }.map(\.rect)
  }

  /// Makes letters and scores equally small until everything fits, and then the scores as large as possible.
  /// Letters of the intended size grow too, as far as the scores leave space.
  ///
  /// - Parameters:
  ///   - worth: a factor of the merit.
  ///   - least: an arrangement with less merit is not laid out, and has none. Most arrangements are seen to
  ///     have less after one or two attempts to fit them in, instead of thirty.
  private init(
    _ contents: MatchContents, _ tree: MatchTree, score: Double, in box: Size, unit: Double,
    worth: Double = 1, least: Double = 0
  ) {
    self.contents = contents
    self.tree = tree
    scale = MatchScale(unit: unit, card: score * unit, contents)
    // There is space for longer texts, so that the arrangement does not depend on them.
    let widest = contents.withLongTexts
    func fits(_ letters: Double, _ card: Double) -> Bool {
      MatchScale(unit: letters * unit, card: card, widest).size(tree).fits(in: box)
    }
    let needed = cbrt(least / (worth * Self.largestCard))
    guard needed <= 1, needed <= Self.smallest || fits(needed, score * needed * unit) else { return }
    let small = Self.largest(Self.smallest, 1) { fits($0, score * $0 * unit) }
    let neededCard = least / (worth * small * small * small) * score * unit
    guard neededCard <= score * small * unit || fits(small, neededCard) else { return }
    card = Self.largest(score * small * unit, max(box.height, box.width)) { fits(small, $0) }
    letters = small < 1 ? small : Self.largest(1, Self.mostLetters) { fits($0, card) }
    scale = MatchScale(unit: letters * unit, card: card, contents)
    merit = min(card / (score * unit), Self.largestCard) * small * small * small * worth
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
  mutating func place(in rect: Rect, isMirrored: Bool) {
    bounds = rect.grown((0.018 * min(rect.width, rect.height)).rounded())
    var board = rect
    board.height -= strip
    places = scale.place(spread(in: board), in: board)
    if let time { places.append((.time, time.offset(x: rect.x, y: rect.y))) }
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

  /// Where the time of day has a strip of its own, the letters keep at least this fraction of their size.
  private static let leastAbove = (play: 0.93, other: 0.85)
  /// The least distance of the time of day from other parts, in units.
  private static let timeAir = 0.015
  /// The same in a strip of its own.
  private static let stripAir = 0.055

  /// Whether nothing is at a place, or near it.
  private func isFree(_ place: Rect, in box: Size) -> Bool {
    var layout = self
    layout.scale = MatchScale(unit: scale.unit, card: card, contents.withLongTexts)
    layout.place(in: Rect(x: 0, y: 0, width: box.width, height: box.height), isMirrored: false)
    // A caption may be a little wider than its place.
    let (side, air) = (0.02 * scale.unit, Self.timeAir * scale.unit)
    let around = Rect(
      x: place.x - side, y: place.y - air, width: place.width + 2 * side, height: place.height + 2 * air)
    let frames = (layout.winnerRects + layout.periodsWonRects).map { $0.grown(0.023 * scale.unit) }
    return (layout.places.map(\.rect) + frames).allSatisfy { !$0.overlaps(around) }
  }

  /// The tree with larger gaps between the parts of the page and between teams above each other, which use
  /// some of the height that is left.
  private func spread(in rect: Rect) -> MatchTree {
    guard case .column(let trees, let gap) = tree, trees.count > 1 else { return tree }
    let teams = trees.map { tree -> [MatchTree] in
      if case .column(let teams, MatchComposition.teamGap) = tree { teams } else { [] }
    }
    let gaps = trees.count + 1 + teams.reduce(0) { $0 + max($1.count - 1, 0) }
    let free = (rect.height - size.height) / scale.unit / Double(gaps)
    let most = rect.height > rect.width ? Self.air.upright : Self.air.usual
    let more = min(max(free, 0), most)
    let spread = zip(trees, teams).map { tree, teams -> MatchTree in
      teams.isEmpty ? tree : .column(teams, gap: MatchComposition.teamGap + more)
    }
    return .column(spread, gap: gap + more)
  }
}

extension Rect {
  /// The rectangle with whole pixels as edges.
  fileprivate var whole: Rect {
    let (left, top) = (x.rounded(), y.rounded())
    return Rect(x: left, y: top, width: maxX.rounded() - left, height: maxY.rounded() - top)
  }
}

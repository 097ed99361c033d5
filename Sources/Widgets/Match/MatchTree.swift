// SPDX-License-Identifier: Apache-2.0

import Raster
import Scoreboard

/// The arrangement of a scoreboard's parts. Lengths are in units; at the intended size of the letters, a unit
/// is the height of a display with the aspect ratio 16:9.
indirect enum MatchTree: Hashable {
  /// A part with its height, which a score ignores: all scores have the height that the layout finds.
  case part(MatchPart, Double)
  /// Side by side, in equal distances. Parts that take any width share what the others leave.
  case row([MatchTree], gap: Double)
  /// One tree in the middle of the width, and one in each half beside it.
  case flanked(left: MatchTree, middle: MatchTree, right: MatchTree, gap: Double)
  /// From top to bottom, each as wide as the whole column.
  case column([MatchTree], gap: Double)
  /// A tree in its smallest width, and beside it another one in the rest, which is at least `least`.
  case before(MatchTree, MatchTree, least: Double, gap: Double)
  /// Nothing, as wide as the others of its row allow.
  case space
  /// Nothing, of this height.
  case blank(Double)
  /// Nothing, as wide as this tree in another row.
  case shadow(MatchTree)

  static var nothing: MatchTree { .row([], gap: 0) }
}

/// The scale of a scoreboard's parts.
struct MatchScale {
  /// Pixels per unit.
  let unit: Double
  let scoreMetrics: CardMetrics
  /// The size of a team's score.
  private let score: Size
  private let texts: MatchContents.Texts
  private let isBreak: Bool

  /// - Parameter card: the height of the scores' cards, in pixels.
  init(unit: Double, card: Double, _ contents: MatchContents) {
    self.unit = unit
    scoreMetrics = CardMetrics(height: card, aspect: CardMetrics.aspect)
    score = Self.size(ofCards: contents.digits, scoreMetrics)
    (texts, isBreak) = (contents.texts, contents.hasBreak)
  }

  private static func size(ofCards cards: Int, _ metrics: CardMetrics) -> Size {
    Size(width: metrics.width(of: cards), height: Double(metrics.height))
  }

  // MARK: Sizes

  /// The smallest size of a tree, in pixels.
  func size(_ tree: MatchTree) -> Size { measure(tree) ?? .zero }

  /// The smallest size of a tree, in pixels; nil: it has no parts. The layout calls this for many scales, so
  /// it allocates nothing.
  private func measure(_ tree: MatchTree) -> Size? {
    switch tree {
    case .space: return .zero
    case .blank(let height): return Size(width: 0, height: height * unit)
    case .shadow(let tree): return Size(width: size(tree).width, height: 0)
    case .part(let part, let height): return size(part, height)
    case .row(let trees, let gap):
      return trees.reduce(nil) { row, child in
        join(row, measure(child)) {
          Size(width: $0.width + gap * unit + $1.width, height: max($0.height, $1.height))
        }
      }
    case .column(let trees, let gap):
      return trees.reduce(nil) { column, child in
        join(column, measure(child)) {
          Size(width: max($0.width, $1.width), height: $0.height + gap * unit + $1.height)
        }
      }
    case .flanked(let left, let middle, let right, let gap):
      let (first, second, third) = (measure(left), measure(middle), measure(right))
      guard first != nil || second != nil || third != nil else { return nil }
      let side = max(first?.width ?? 0, third?.width ?? 0)
      return Size(
        width: (second?.width ?? 0) + 2 * (side + gap * unit),
        height: max(first?.height ?? 0, second?.height ?? 0, third?.height ?? 0))
    case .before(let head, let tree, let least, let gap):
      let (first, second) = (size(head), size(tree))
      return Size(
        width: first.width + gap * unit + max(second.width, least * unit),
        height: max(first.height, second.height))
    }
  }

  private func join(_ first: Size?, _ second: Size?, _ both: (Size, Size) -> Size) -> Size? {
    guard let first else { return second }
    guard let second else { return first }
    return both(first, second)
  }

  private func size(_ part: MatchPart, _ units: Double) -> Size {
    let height = units * unit
    switch part {
    case .score: return score
    case .periodsWon, .games:
      return Self.size(ofCards: 1, CardMetrics(height: height, aspect: CardMetrics.aspect))
    case .clock(let timer): return Size(width: height * aspect(of: timer), height: height)
    case .period: return Size(width: max(height * 0.85, texts.period * unit), height: height)
    case .periodTable: return Size(width: 0.26 * unit, height: height)
    case .winningCaption: return Size(width: 0.33 * unit, height: height)
    case .periodPoints: return Size(width: 1.4 * height, height: height)
    case .duel: return Size(width: 0.36 * unit, height: height)
    case .logo: return Size(width: height, height: height)
    case .rowName: return Size(width: 0.42 * unit, height: height)
    case .caption(let figure, let part, let units):
      return Size(
        width: max(size(part, units).width, (texts.captions[figure] ?? 0) * unit), height: height)
    case .breakName: return Size(width: texts.breakName * unit, height: height)
    case .clockName: return Size(width: 0.3 * unit, height: height)
    case .result: return Size(width: texts.result * unit, height: height)
    case .periodName: return Size(width: 0.4 * unit, height: height)
    case .name, .line, .penalties, .winningPoint, .time: return Size(width: 0, height: height)
    }
  }

  /// The width of a clock's cards, in their heights.
  private func aspect(of timer: GameTimer.ID) -> Double {
    switch timer {
    case .shot: Self.shotAspect
    case .game: isBreak && texts.gameMinutes == 1 ? Self.shortAspect : Self.longAspect
    case .breakClock: texts.breakMinutes == 1 ? Self.shortAspect : Self.longAspect
    }
  }

  private static let longAspect = aspect([2, 2])
  private static let shortAspect = aspect([1, 2])
  private static let shotAspect = aspect([2])

  private static func aspect(_ groups: [Int]) -> Double {
    let parts = ClockGeometry.Parts(
      groups: groups, aspect: CardMetrics.aspect, hasColon: true, hasPeriod: false)
    return ClockGeometry(parts, in: Size(width: 10_000, height: 1_000)).size.width / 1_000 * 1.01
  }

  // MARK: Places

  /// Where the parts of a tree are in `rect`, which is at least as large as `size(tree)`.
  func place(_ tree: MatchTree, in rect: Rect) -> [(part: MatchPart, rect: Rect)] {
    switch tree {
    case .space, .blank, .shadow: return []
    case .part(let part, _):
      let size = size(tree)
      return [(part, size.width > 0 && !part.takesAnyWidth ? rect.middle(size) : rect)]
    case .column(let trees, let gap):
      var y = rect.midY - size(tree).height / 2
      return trees.flatMap { child -> [(part: MatchPart, rect: Rect)] in
        guard let height = measure(child)?.height else { return [] }
        defer { y += height + gap * unit }
        return place(child, in: Rect(x: rect.x, y: y, width: rect.width, height: height))
      }
    case .before(let head, let tree, _, let gap):
      let width = size(head).width
      let used = width + gap * unit
      return place(head, in: Rect(x: rect.x, y: rect.y, width: width, height: rect.height))
        + place(
          tree, in: Rect(x: rect.x + used, y: rect.y, width: rect.width - used, height: rect.height))
    case .row(let trees, let gap): return placeRow(trees.filter { measure($0) != nil }, gap, in: rect)
    case .flanked(let left, let middle, let right, let gap):
      let (first, second, third) = (size(left), size(middle), size(right))
      let center = rect.middle(Size(width: second.width, height: rect.height))
      // The middle of a half, if there is room.
      func x(_ width: Double) -> Double {
        min((rect.width / 4 - width / 2), center.x - rect.x - gap * unit - width)
      }
      return place(
        left, in: Rect(x: rect.x + x(first.width), y: rect.y, width: first.width, height: rect.height))
        + place(middle, in: center)
        + place(
          right,
          in: Rect(
            x: rect.maxX - x(third.width) - third.width, y: rect.y, width: third.width, height: rect.height))
    }
  }

  private func placeRow(_ trees: [MatchTree], _ gap: Double, in rect: Rect) -> [(part: MatchPart, rect: Rect)]
  {
    let widths = trees.map { size($0).width }
    let free = rect.width - widths.reduce(0, +) - Double(max(trees.count - 1, 0)) * gap * unit
    let greedy = Double(trees.count(where: \.takesAnyWidth))
    // Parts that take any width get at most this much, so that the eye finds the end of a row.
    let taken = greedy > 0 ? min(free, 1.2 * unit) : 0
    let air = greedy > 0 ? 0 : free / Double(max(trees.count, 1))
    var x = rect.x + (greedy > 0 ? (free - taken) / 2 : air / 2)
    return zip(trees, widths).flatMap { child, least in
      let width = child.takesAnyWidth ? least + taken / greedy : least
      defer { x += width + gap * unit + air }
      return place(child, in: Rect(x: x, y: rect.y, width: width, height: rect.height))
    }
  }
}

extension MatchTree {
  /// Whether the tree uses all the width that it gets in a row.
  fileprivate var takesAnyWidth: Bool {
    switch self {
    case .space: true
    case .part(let part, _): part.takesAnyWidth
    case .column(let trees, _): trees.contains(where: \.takesAnyWidth)
    case .before(_, let tree, _, _): tree.takesAnyWidth
    case .shadow(let tree): tree.takesAnyWidth
    case .row(let trees, _): trees.contains(where: \.takesAnyWidth)
    case .flanked, .blank: false
    }
  }
}

extension MatchPart {
  fileprivate var takesAnyWidth: Bool {
    switch self {
    case .rowName, .duel: true
    default: false
    }
  }
}

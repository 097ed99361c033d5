// SPDX-License-Identifier: Apache-2.0

import Languages
import Layers
import Raster
import Scoreboard

/// Lines of text, drawn again only where they change. A caption that has no space is not shown, because
/// nobody would understand a part of it.
final class TextLines {
  /// A line of text in a box.
  struct Line: Hashable {
    enum Look: Hashable {
      case label
      case figure
      /// A figure that is less important than those beside it.
      case lesser
      /// In the colour of the serve mark.
      case accent
    }

    var text: String
    var look: Look
    var box: Rect
    /// The cap height, in pixels.
    var cap: Double
    /// As in `Label.show`.
    var alignment = 0.5
  }

  let layer = Layer()
  private(set) var shown: [Line] = []
  /// The lines that were to be shown.
  private(set) var asked: [Line] = []
  private var labels: [Label] = []
  private let theme: Theme

  init(theme: Theme) { self.theme = theme }

  func show(_ asked: [Line]) {
    guard asked != self.asked else { return }
    self.asked = asked
    let lines = asked.filter { $0.look != .label || $0.isWhole(theme) }
    while labels.count > lines.count { labels.removeLast().layer.removeFromSuperlayer() }
    while labels.count < lines.count {
      let label = Label()
      layer.addSublayer(label.layer)
      labels.append(label)
    }
    for (index, line) in lines.enumerated() where !shown.indices.contains(index) || shown[index] != line {
      labels[index].show(line.text, style: theme.style(line), in: line.box, alignment: line.alignment)
    }
    shown = lines
  }
}

extension Theme {
  func style(_ line: TextLines.Line) -> Label.Style {
    switch line.look {
    case .label: return labelStyle(cap: line.cap, narrowing: 2)
    case .accent:
      var style = labelStyle(cap: line.cap, narrowing: 2)
      style.color = accent
      return style
    case .figure, .lesser:
      var style = figureStyle(cap: line.cap)
      if line.look == .lesser { style.color = lesser }
      return style
    }
  }
}

extension TextLines.Line {
  /// Whether the whole text is drawn.
  func isWhole(_ theme: Theme) -> Bool { Label.fits(text, style: theme.style(self), width: box.width) }
}

extension TextLines.Line {
  /// A team's points in the past periods that have space, side by side, the latest at the end; smaller if all
  /// of them fit then. The loser of a tie-break has its points in small figures beside the games of the set:
  /// 6⁵. So have both teams in a game or a tie-break within which the match has ended.
  ///
  /// - Parameters:
  ///   - team: its index in the points of the periods.
  ///   - slot: the width of the points of one period, in pixels.
  ///   - alignment: where the points are in `rect`, as in `Label.show`.
  static func pastPoints(
    of team: Int, in past: [Scoreboard.PastPeriod], rect: Rect, slot: Double, cap: Double,
    alignment: Double = 0.5, theme: Theme, language: Language
  ) -> [TextLines.Line] {
    let small = raisedCap * cap
    // The points of tie-breaks, which need about as much width, must not be too small either.
    let least = min(max(leastPastScale, leastRaisedCap / (leastPastScale * small)), 1)
    let periods = past.suffix(max(Int(rect.width / (least * slot)), 1))
    func width(_ text: String, _ cap: Double) -> Double {
      Label.width(of: text, style: theme.figureStyle(cap: cap))
    }
    let columns = periods.map { period -> (width: Double, period: Scoreboard.PastPeriod, raised: String?) in
      let raised = small < leastRaisedCap ? [] : Self.raised(period).map { $0.map(language.digits(in:)) }
      let widest = raised.compactMap { $0 }.map { width($0, small) }.max() ?? 0
      return (min(slot, rect.width) + widest, period, raised.at(team) ?? nil)
    }
    let needed = columns.reduce(0) { $0 + $1.width }
    let scale = min(rect.width / max(needed, 1), 1)
    var x = rect.x + (rect.width - needed * scale) * alignment
    return columns.flatMap { column -> [TextLines.Line] in
      defer { x += column.width * scale }
      let text = language.digits(in: String(column.period.points.at(team) ?? 0))
      let look: Look = column.period.best == team ? .figure : .lesser
      let figure = width(text, cap * scale)
      let left = x + (min(slot, rect.width) * scale - figure) / 2
      func line(_ text: String, _ box: Rect, _ cap: Double) -> TextLines.Line {
        TextLines.Line(text: text, look: look, box: box, cap: cap, alignment: 0)
      }
      let number = line(
        text, Rect(x: left, y: rect.y, width: figure + 1, height: rect.height), cap * scale)
      guard let raised = column.raised else { return [number] }
      let cap = small * scale
      return [
        number,
        line(
          raised,
          Rect(
            x: left + figure + 1 + 0.15 * cap, y: rect.midY - (number.cap + cap) / 2,
            width: width(raised, cap) + 1, height: 2 * cap), cap),
      ]
    }
  }

  /// The cap height of the points of a tie-break, as a fraction of that of the games.
  private static let raisedCap = 0.55
  /// In pixels. Smaller points are not shown.
  private static let leastRaisedCap = 6.0

  /// The smallest size at which past periods are shown, as a fraction of the intended one.
  private static let leastPastScale = 0.65

  /// The small figures of each team.
  private static func raised(_ period: Scoreboard.PastPeriod) -> [String?] {
    if let points = period.brokenOff { return points }
    guard let points = period.tieBreak, points.count == 2, let least = points.min() else { return [] }
    return points.map { $0 == least ? String($0) : nil }
  }

  /// The number of digits of the longest points of a past period, at least 1.
  static func digits(ofPastPoints past: [Scoreboard.PastPeriod]) -> Int {
    past.flatMap(\.points).map { String($0).utf8.count }.max() ?? 1
  }
}

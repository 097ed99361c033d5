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
  /// A team's points in the past periods that have space, side by side, the latest at the end.
  ///
  /// - Parameters:
  ///   - slot: the width of the points of one period, in pixels.
  ///   - alignment: where the points are in `rect`, as in `Label.show`.
  static func pastPoints(
    of team: Scoreboard.Team, in scoreboard: Scoreboard, rect: Rect, slot: Double, cap: Double,
    alignment: Double = 0.5, language: Language
  ) -> [TextLines.Line] {
    let width = min(slot, rect.width)
    let periods = team.periodScores.indices.suffix(max(Int(rect.width / slot), 1))
    let left = rect.x + (rect.width - width * Double(periods.count)) * alignment
    return periods.enumerated().map { column, period in
      TextLines.Line(
        text: language.digits(in: String(team.periodScores[period])),
        look: scoreboard.isPeriodWon(period, by: team) ? .figure : .lesser,
        box: Rect(x: left + Double(column) * width, y: rect.y, width: width, height: rect.height), cap: cap)
    }
  }

  /// The number of digits of the longest points of a past period, at least 1.
  static func digits(ofPastPoints teams: [Scoreboard.Team]) -> Int {
    teams.flatMap(\.periodScores).map { String($0).utf8.count }.max() ?? 1
  }
}

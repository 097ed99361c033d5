// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster
import Scoreboard

/// Where the teams stand.
extension ScoreWidget {
  func column(
    _ team: Scoreboard.Team, digits: Int, _ geometry: ScoreGeometry, _ images: CardImages, x: Double,
    y: Double
  ) -> Column {
    let card = Double(geometry.metrics.height)
    // A name may be wider than its cards, but not reach the next team's nor the next widget's.
    let free = min(x - rect.x, rect.maxX - x - geometry.group) + 0.02 * context.page.width
    let room = max(min(spacing(geometry) * 0.42, card * 0.4, free), 0)
    let nameBox = Rect(x: x - room, y: y, width: geometry.group + 2 * room, height: geometry.nameHeight)
    let board = FlipBoard(motion: context.motion.applying(settings.motion), scene: context.scene)
    for (position, symbol) in symbols(team.score, digits: digits).enumerated() {
      let step = Double(geometry.metrics.width) + geometry.cardGap
      board.addCard(
        symbol,
        frame: Rect(
          x: x + Double(position) * step, y: y + geometry.nameHeight, width: Double(geometry.metrics.width),
          height: card), images: images, drum: .digits)
    }
    let title = TeamName(
      in: nameBox, cap: geometry.capHeight, hasName: settings.showNames, hasMark: hasServe, context: context)
    guard geometry.detailHeight > 0 else { return Column(board: board, title: title, details: nil) }
    let below = Rect(
      x: x, y: y + geometry.nameHeight + card, width: geometry.group, height: geometry.detailHeight)
    let details = TeamDetails(
      geometry.details, in: below, cap: geometry.smallCapHeight, theme: context.theme)
    return Column(board: board, title: title, details: details)
  }

  /// Between the groups of a full row.
  private func spacing(_ geometry: ScoreGeometry) -> Double {
    let columns = Double(geometry.columns)
    return columns > 1
      ? max((rect.width - geometry.group * columns) / (columns - 1), 0) : rect.width - geometry.group
  }

  /// A row that is not full stands in the middle.
  func left(ofColumn column: Int, of count: Int, _ geometry: ScoreGeometry) -> Double {
    let step = geometry.group + spacing(geometry)
    let width = geometry.group + Double(count - 1) * step
    return (rect.midX - width / 2 + Double(column) * step).rounded()
  }
}

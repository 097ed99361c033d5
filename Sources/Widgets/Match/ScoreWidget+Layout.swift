// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster
import Scoreboard
import Settings

/// Places the teams.
extension ScoreWidget {
  func column(
    _ symbols: [CardSymbol], _ geometry: ScoreGeometry, _ images: CardImages, x: Double, y: Double
  ) -> Column {
    let card = Double(geometry.metrics.height)
    // A name may be wider than its cards, but must not reach the next team or the next widget.
    let free = min(x - rect.x, rect.maxX - x - geometry.group) + 0.02 * context.page.width
    let room = max(min(spacing(geometry) * 0.42, card * 0.4, free), 0)
    let nameBox = Rect(x: x - room, y: y, width: geometry.group + 2 * room, height: geometry.nameHeight)
    let cards = Point(x: x, y: y + geometry.nameHeight)
    let board = board(symbols, images, at: cards)
    let title = TeamName(
      in: nameBox, cap: geometry.capHeight, hasName: settings.showNames && geometry.nameHeight > 0,
      hasMark: hasServe && geometry.nameHeight > 0, context: context)
    guard geometry.detailHeight > 0 else { return Column(board: board, title: title, details: nil) }
    let below = Rect(x: x, y: cards.y + card, width: geometry.group, height: geometry.detailHeight)
    let details = TeamDetails(
      geometry.details, in: below, cap: geometry.smallCapHeight, theme: context.theme,
      language: context.language)
    return Column(board: board, title: title, details: details)
  }

  /// Makes the name and the score of a team of a scoreboard.
  func column(_ symbols: [CardSymbol], _ layout: MatchLayout, _ images: CardImages, _ team: Int) -> Column? {
    guard let score = layout.places.first(where: { $0.part == .score(team) }) else { return nil }
    let name = layout.places.first { $0.part == .name(team) || $0.part == .rowName(team) }
    let title = TeamName(
      in: name?.rect ?? score.rect, cap: max(MatchViews.nameCap * layout.scale.unit, 7),
      look: name?.part == .rowName(team) ? .row : .underlined, hasName: settings.showNames && name != nil,
      hasMark: hasServe && name != nil, context: context)
    let place = score.rect.middle(
      Size(width: images.metrics.width(of: symbols.count), height: score.rect.height))
    let board = board(symbols, images, at: Point(x: place.x.rounded(), y: score.rect.y))
    return Column(board: board, title: title, details: nil)
  }

  /// Cards side by side, with the upper left of the first one at `origin`.
  private func board(
    _ symbols: [CardSymbol], _ images: CardImages, at origin: Point
  ) -> FlipBoard {
    let board = FlipBoard(motion: context.motion.applying(settings.motion), scene: context.scene)
    let (width, height) = (Double(images.metrics.width), Double(images.metrics.height))
    for (position, symbol) in symbols.enumerated() {
      board.addCard(
        symbol,
        frame: Rect(
          x: origin.x + Double(position) * (width + images.metrics.gap), y: origin.y, width: width,
          height: height),
        images: images, drum: .digits)
    }
    return board
  }

  /// The distance between the cards of neighbouring teams in a full row.
  private func spacing(_ geometry: ScoreGeometry) -> Double {
    let columns = Double(geometry.columns)
    return columns > 1
      ? max((rect.width - geometry.group * columns) / (columns - 1), 0) : rect.width - geometry.group
  }

  /// The left edge of a column; a row that is not full is centred.
  func left(ofColumn column: Int, of count: Int, _ geometry: ScoreGeometry) -> Double {
    let step = geometry.group + spacing(geometry)
    let width = geometry.group + Double(count - 1) * step
    return (rect.midX - width / 2 + Double(column) * step).rounded()
  }
}

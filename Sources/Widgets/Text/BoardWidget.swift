// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Languages
import Layers
import Raster
import Settings

extension BoardSettings: WidgetSource {
  func makeWidget(weight: Double, context: WidgetContext) -> any Widget {
    BoardWidget(self, weight: weight, context: context)
  }

  func text(of model: StageModel, in language: Language, zones: (String) -> TimeZone) -> String {
    BoardText(text).letters.plain
  }
}

/// Text on a board of split-flap letters.
final class BoardWidget: Widget {
  let layer = Layer()
  let sizing: PageLayout.Sizing
  /// The text that is shown. A stale one may be dimmed.
  private(set) var shown: BoardText

  private let settings: BoardSettings
  private let context: WidgetContext
  private var arrangement: BoardLayout
  private var rect = Rect.zero
  private var board: FlipBoard?

  // In card heights.
  private static let cardGap = 0.06 * CardMetrics.aspect
  private static let lineGap = 0.1

  init(_ settings: BoardSettings, weight: Double, context: WidgetContext) {
    self.settings = settings
    self.context = context
    shown = BoardText(settings.text)
    arrangement = BoardLayout(shown, settings, in: context.language)
    sizing = .flexible(weight: weight, limit: 0.9)
  }

  /// The largest board inside a box: the size of its cards, and the distances (`pitch`) from one card to the
  /// next.
  private struct Geometry {
    var metrics: CardMetrics
    var pitch: Size
    var size: Size

    init(columns: Int, rows: Int, in box: Size) {
      let columns = Double(columns)
      let rows = Double(rows)
      let wide = columns * CardMetrics.aspect + (columns - 1) * cardGap
      let high = rows + (rows - 1) * lineGap
      var height = min(box.width / wide, box.height / high)
      while true {
        metrics = CardMetrics(height: height, aspect: CardMetrics.aspect)
        let cardHeight = Double(metrics.height)
        let across = max((cardGap * cardHeight).rounded(), 1)
        let down = max((lineGap * cardHeight).rounded(), 1)
        pitch = Size(width: Double(metrics.width) + across, height: cardHeight + down)
        size = Size(width: columns * pitch.width - across, height: rows * pitch.height - down)
        // Rounding to whole pixels may have made the layout larger than the box.
        if (size.width <= box.width && size.height <= box.height) || metrics.height <= 8 { break }
        height = cardHeight - 2
      }
    }
  }

  /// A board with the size of its text uses the whole box, whatever its text is.
  func fittingSize(in box: Size) -> Size {
    guard let columns = settings.columns, let rows = settings.rows else { return box }
    return Geometry(columns: columns, rows: rows, in: box).size
  }

  func layOut(in rect: Rect, model: StageModel) {
    self.rect = rect
    shown = content(of: model)
    arrangement = BoardLayout(shown, settings, in: context.language)
    build(showing: symbols)
    dim()
  }

  /// Builds the cards of the arrangement.
  private func build(showing symbols: [CardSymbol]) {
    for sublayer in layer.sublayers { sublayer.removeFromSuperlayer() }
    let board = FlipBoard(
      motion: context.motion.applying(settings.motion), columns: arrangement.columns, scene: context.scene)
    self.board = board
    guard !symbols.isEmpty else { return }
    let geometry = Geometry(columns: arrangement.columns, rows: arrangement.rows, in: rect.size)
    let images = CardImages(metrics: geometry.metrics, theme: context.theme)
    let drum = SymbolDrum.letters(settings.flaps(in: context.language))
    let left = rect.x + max((rect.width - geometry.size.width) / 2, 0).rounded(.down)
    let top = rect.y + max((rect.height - geometry.size.height) / 2, 0).rounded(.down)
    for (index, symbol) in symbols.enumerated() {
      let (row, column) = index.quotientAndRemainder(dividingBy: arrangement.columns)
      board.addCard(
        symbol,
        frame: Rect(
          x: left + Double(column) * geometry.pitch.width, y: top + Double(row) * geometry.pitch.height,
          width: Double(geometry.metrics.width), height: Double(geometry.metrics.height)),
        images: images, drum: drum)
    }
    layer.addSublayer(board.layer)
  }

  /// What the board shows: the pushed text, else that of the config.
  private func content(of model: StageModel) -> BoardText {
    model.boards[context.name] ?? BoardText(settings.text)
  }

  private var symbols: [CardSymbol] {
    settings.stale.hides(shown)
      ? Array(repeating: "", count: arrangement.symbols.count) : arrangement.symbols
  }

  /// Shows another text. Cards that change start moving at `time`. If the board has the size of its text, it
  /// is built again for another size, with the symbols that it showed.
  private func show(_ content: BoardText, at time: Double, animated: Bool) {
    let (before, old) = (arrangement, symbols)
    shown = content
    arrangement = BoardLayout(content, settings, in: context.language)
    if board != nil, (arrangement.columns, arrangement.rows) != (before.columns, before.rows) {
      build(
        showing: symbols.indices.map { index in
          let (row, column) = index.quotientAndRemainder(dividingBy: arrangement.columns)
          return row < before.rows && column < before.columns ? old[row * before.columns + column] : ""
        })
    }
    board?.show(symbols, at: time, animated: animated, wave: content.wave)
    dim()
  }

  private func dim() { layer.opacity = settings.stale.opacity(of: shown) }

  func resume(from other: any Widget, at time: Double) {
    guard let other = other as? BoardWidget, other.shown != shown else { return }
    let new = shown
    show(other.shown, at: time, animated: false)
    show(new, at: time, animated: true)
  }

  func update(_ model: StageModel, at time: Double, animated: Bool) {
    let content = content(of: model)
    if content != shown { show(content, at: time, animated: animated) }
  }

  func nextChange(after instant: Instant) -> Instant? { nil }
}

extension StaleText {
  /// Whether nothing is shown of a text.
  func hides(_ text: BoardText) -> Bool { text.isStale && self == .blank }

  /// The opacity with which a text is shown.
  func opacity(of text: BoardText) -> Double { text.isStale && self == .dim ? 0.35 : 1 }
}

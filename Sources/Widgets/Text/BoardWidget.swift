// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Languages
import Layers
import Raster
import Settings
import Typography

extension BoardSettings: WidgetSource {
  func makeWidget(weight: Double, context: WidgetContext) -> any Widget {
    BoardWidget(self, weight: weight, context: context)
  }

  func text(of model: StageModel, in language: Language, zones: (String) -> TimeZone) -> String {
    text
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
  private var board: FlipBoard?

  // In card heights.
  private static let cardGap = 0.06 * CardMetrics.aspect
  private static let lineGap = 0.1

  init(_ settings: BoardSettings, weight: Double, context: WidgetContext) {
    self.settings = settings
    self.context = context
    shown = BoardText(settings.text)
    sizing = .flexible(weight: weight, limit: 0.9)
  }

  /// The largest board inside a box: the size of its cards, and the distances (`pitch`) from one card to the
  /// next.
  private struct Geometry {
    var metrics: CardMetrics
    var pitch: Size
    var size: Size

    init(_ settings: BoardSettings, in box: Size) {
      let columns = Double(settings.columns)
      let rows = Double(settings.rows)
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

  func fittingSize(in box: Size) -> Size { Geometry(settings, in: box).size }

  func layOut(in rect: Rect, model: StageModel) {
    let geometry = Geometry(settings, in: rect.size)
    let board = FlipBoard(
      motion: context.motion.applying(settings.motion), columns: settings.columns, scene: context.scene)
    let images = CardImages(metrics: geometry.metrics, theme: context.theme)
    let drum = SymbolDrum.letters(settings.flaps(in: context.language))
    shown = content(of: model)
    for (index, symbol) in symbols.enumerated() {
      let (row, column) = index.quotientAndRemainder(dividingBy: settings.columns)
      board.addCard(
        symbol,
        frame: Rect(
          x: rect.x + Double(column) * geometry.pitch.width, y: rect.y + Double(row) * geometry.pitch.height,
          width: Double(geometry.metrics.width), height: Double(geometry.metrics.height)),
        images: images, drum: drum)
    }
    for sublayer in layer.sublayers { sublayer.removeFromSuperlayer() }
    layer.addSublayer(board.layer)
    self.board = board
    dim()
  }

  /// What the board shows: the pushed text, else that of the config.
  private func content(of model: StageModel) -> BoardText {
    model.boards[context.name] ?? BoardText(settings.text)
  }

  private var symbols: [CardSymbol] {
    BoardSymbols(settings.stale.words(of: shown), settings, in: context.language).symbols
  }

  /// Shows another text. Cards that change start moving at `time`.
  private func show(_ content: BoardText, at time: Double, animated: Bool) {
    shown = content
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
  /// What is shown of a text.
  func words(of text: BoardText) -> String { text.isStale && self == .blank ? "" : text.text }

  /// The opacity with which a text is shown.
  func opacity(of text: BoardText) -> Double { text.isStale && self == .dim ? 0.35 : 1 }
}

/// A text, arranged for the cards of a board.
struct BoardSymbols: Hashable {
  /// The symbols of the cards, row by row.
  let symbols: [CardSymbol]

  init(_ text: String, _ settings: BoardSettings, in language: Language = .english) {
    let lines = settings.lines(of: text).prefix(settings.rows)
    var symbols = [CardSymbol](repeating: "", count: settings.columns * settings.rows)
    // A text with fewer lines than the board has rows begins at the top if it is aligned left, else it is
    // centred vertically; if the number of empty rows is odd, the additional one is below the text.
    let top = settings.align == .left ? 0 : (settings.rows - lines.count) / 2
    for (row, line) in lines.enumerated() {
      let free = settings.columns - line.count
      let left =
        switch settings.align {
        case .left: 0
        case .center: free / 2
        case .right: free
        }
      for (column, letter) in TextOrder.visual(line).enumerated() {
        symbols[(top + row) * settings.columns + left + column] =
          settings.flap(for: letter, in: language).map { CardSymbol($0) } ?? ""
      }
    }
    self.symbols = symbols
  }
}

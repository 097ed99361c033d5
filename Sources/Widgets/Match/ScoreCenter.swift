// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Layers
import Raster
import Scoreboard
import Settings

/// The parts between the teams of a scoreboard: the period's name with its number on a card, the game clock
/// and the shot clock.
final class ScoreCenter {
  let layer = Layer()
  private(set) var word = Label()
  private(set) var board: FlipBoard?
  private(set) var clocks: [TimerWidget] = []
  private let context: WidgetContext
  private var images: CardImages?
  private var wordBox = Rect.zero
  private var wordCap = 0.0

  init(
    _ geometry: MatchGeometry, in rect: Rect, context: WidgetContext, motion: FlipMotion, model: StageModel
  ) {
    self.context = context
    let box = geometry.center(in: rect)
    let parts = geometry.parts
    let card = Double(geometry.metrics.height)
    if geometry.isUpright {
      let shares: [(has: Bool, share: Double)] = [
        (parts.hasPeriod, 0.28), (parts.hasGameClock, 0.48), (parts.hasShotClock, 0.24),
      ]
      let sum = max(shares.filter(\.has).map(\.share).reduce(0, +), 0.01)
      var x = box.x
      for (index, part) in shares.enumerated() where part.has {
        let width = (box.width * part.share / sum).rounded(.down)
        let cell = Rect(x: x + 0.04 * width, y: box.y, width: 0.92 * width, height: box.height)
        x += width
        if index == 0 {
          addPeriod(in: cell, cap: geometry.cap, card: box.height - 1.7 * geometry.cap, motion, model)
        } else {
          addClock(index == 1 ? .gameClock : .shotClock, in: cell, model)
        }
      }
      return
    }
    // The parts are placed from top to bottom; together they are at most as high as the teams' cards.
    let gap = (0.09 * card).rounded()
    let wordHeight = parts.hasPeriod ? 1.7 * geometry.cap : 0
    var heights = [
      parts.hasPeriod && !parts.hasShotClock ? (parts.hasGameClock ? 0.34 : 0.5) * card : 0,
      parts.hasGameClock ? clockHeight(.gameClock, in: Size(width: box.width, height: 0.34 * card)) : 0,
      parts.hasShotClock ? clockHeight(.shotClock, in: Size(width: box.width, height: 0.27 * card)) : 0,
    ]
    let gaps = gap * Double(max(heights.count { $0 > 0 } - 1, 0))
    let free = box.height - wordHeight - gaps
    let wanted = heights.reduce(0, +)
    if wanted > free { heights = heights.map { max(($0 * free / wanted).rounded(.down), 0) } }
    var y = box.midY - (wordHeight + gaps + heights.reduce(0, +)) / 2
    if parts.hasPeriod {
      let cell = Rect(x: box.x, y: y, width: box.width, height: wordHeight + heights[0])
      addPeriod(in: cell, cap: geometry.cap, card: heights[0], motion, model)
      y += cell.height + gap
    }
    for (source, height) in [(TimerSettings.Source.gameClock, heights[1]), (.shotClock, heights[2])]
    where height > 0 {
      addClock(source, in: Rect(x: box.x, y: y, width: box.width, height: height), model)
      y += height + gap
    }
  }

  // MARK: The period

  private func addPeriod(
    in cell: Rect, cap: Double, card: Double, _ motion: FlipMotion, _ model: StageModel
  ) {
    let metrics = CardMetrics(height: max(card, 8), aspect: CardMetrics.aspect)
    let (width, height) = (Double(metrics.width), Double(metrics.height))
    let top = (cell.midY - (1.7 * cap + height) / 2).rounded()
    layer.addSublayer(word.layer)
    wordCap = 0.9 * cap
    // On a card lower than two cap heights of the table, the number is illegible, so it follows the name as
    // text.
    guard card >= 2 * cap else {
      wordBox = Rect(x: cell.x, y: cell.midY - cap, width: cell.width, height: 2 * cap)
      return
    }
    wordBox = Rect(x: cell.x, y: top, width: cell.width, height: 1.7 * cap)
    let images = CardImages(metrics: metrics, theme: context.theme, digits: context.language)
    let board = FlipBoard(motion: motion, scene: context.scene)
    board.addCard(
      String(model.scoreboard.periodParts.number),
      frame: Rect(
        x: (cell.midX - width / 2).rounded(), y: (top + 1.7 * cap).rounded(), width: width, height: height),
      images: images, drum: .digits)
    layer.addSublayer(board.layer)
    self.images = images
    self.board = board
  }

  private func showPeriod(_ model: StageModel, at time: Double, animated: Bool) {
    guard wordCap > 0 else { return }
    let scoreboard = model.scoreboard
    let style = context.theme.labelStyle(cap: wordCap, narrowing: 2)
    var words = scoreboard.periodParts.name
    if let board {
      board.show([String(scoreboard.periodParts.number)], at: time, animated: animated)
    } else {
      words = context.language.digits(in: scoreboard.periodText)
      if !Label.fits(words, style: style, width: wordBox.width) {
        words = context.language.digits(in: scoreboard.shortPeriodText)
      }
    }
    if words != word.text { word.show(words, style: style, in: wordBox) }
  }

  // MARK: Clocks

  private func makeClock(_ source: TimerSettings.Source) -> TimerWidget {
    var settings = TimerSettings()
    settings.source = source
    return TimerWidget(settings, weight: 1, zone: .utc, context: context)
  }

  private func clockHeight(_ source: TimerSettings.Source, in box: Size) -> Double {
    min(makeClock(source).fittingSize(in: box).height, box.height)
  }

  private func addClock(_ source: TimerSettings.Source, in cell: Rect, _ model: StageModel) {
    let clock = makeClock(source)
    let size = clock.fittingSize(in: cell.size)
    clock.layOut(
      in: Rect(
        x: (cell.midX - size.width / 2).rounded(), y: (cell.midY - size.height / 2).rounded(),
        width: size.width.rounded(.down), height: size.height.rounded(.down)), model: model)
    layer.addSublayer(clock.layer)
    clocks.append(clock)
  }

  // MARK: The model

  func update(_ model: StageModel, at time: Double, animated: Bool) {
    showPeriod(model, at: time, animated: animated)
    for clock in clocks { clock.update(model, at: time, animated: animated) }
  }

  func nextChange(after instant: Instant) -> Instant? {
    clocks.compactMap { $0.nextChange(after: instant) }.min()
  }

  func prepare(after model: StageModel) -> Bool {
    if images?.prepareDigit() == true { return true }
    return clocks.contains { $0.prepare(after: model) }
  }
}

extension Scoreboard {
  /// The name and number of the current period, e.g. `SET` and 3. Overtimes count from 1 again.
  var periodParts: (name: String, number: Int) {
    rules.isOvertime(period)
      ? (rules.overtimeName, period - rules.periods)
      : (rules.ownName(ofPeriod: period) ?? rules.periodName, period)
  }
}

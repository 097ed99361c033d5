// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster
import Scoreboard

/// A frame around the score of the team that has won a set or the match, or that leads when the time of the
/// match is up; around its number of sets if it has not won the last one. It is shown until the next set or
/// match begins.
final class WinnerFrame: MatchPartView {
  let layer = Layer()
  private let layout: MatchLayout
  private let color: Color
  private var shown: Rect?

  init(_ layout: MatchLayout, theme: Theme) {
    self.layout = layout
    color = theme.accent
  }

  func show(_ match: ShownMatch, at time: Double, animated: Bool) {
    let (scoreboard, now) = (match.scoreboard, match.model.clock)
    let winner = scoreboard.framed(at: now)
    let index = winner.flatMap { winner in match.teams.firstIndex { $0.id == winner.id } }
    let frames = scoreboard.framesPeriodsWon(at: now) ? layout.periodsWonRects : layout.winnerRects
    let framed = index.flatMap(frames.at)
    guard framed != shown else { return }
    shown = framed
    guard let rect = framed else {
      layer.contents = nil
      return
    }
    let (air, width) = layout.winnerFrame(around: rect)
    layer.frame = rect.grown(air + width)
    let outer = RoundedRect(
      rect: Rect(x: 0, y: 0, width: layer.frame.width, height: layer.frame.height), topRadius: 4 * width,
      bottomRadius: 4 * width)
    layer.contents = LayerImage(outer.outline(width: width, color: color))
  }
}

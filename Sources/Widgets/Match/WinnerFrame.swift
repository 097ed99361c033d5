// SPDX-License-Identifier: Apache-2.0

import Layers
import Raster
import Scoreboard

/// A frame around the score of the team that has won a set or the match, or that leads when the time of the
/// match is up. It is shown until the next set or match begins.
final class WinnerFrame: MatchPartView {
  let layer = Layer()
  private let frames: [Rect]
  private let scale: Double
  private let color: Color
  private var shown: Int?

  /// - Parameters:
  ///   - frames: what to frame, for each team.
  ///   - unit: the scale of the scoreboard, in pixels.
  init(_ frames: [Rect], unit: Double, theme: Theme) {
    self.frames = frames
    scale = unit
    color = theme.accent
  }

  func show(_ match: ShownMatch, at time: Double, animated: Bool) {
    let winner = match.scoreboard.framed(at: match.model.clock)
    let index = winner.flatMap { winner in match.teams.firstIndex { $0.id == winner.id } }
    guard index != shown else { return }
    shown = index
    guard let rect = index.flatMap(frames.at) else {
      layer.contents = nil
      return
    }
    let (air, width) = (max((0.006 * scale).rounded(), 1), max((0.009 * scale).rounded(), 2))
    layer.frame = rect.grown(air + width)
    let outer = RoundedRect(
      rect: Rect(x: 0, y: 0, width: layer.frame.width, height: layer.frame.height), topRadius: 4 * width,
      bottomRadius: 4 * width)
    layer.contents = LayerImage(outer.outline(width: width, color: color))
  }
}

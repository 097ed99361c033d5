// SPDX-License-Identifier: Apache-2.0

import Languages
import Layers
import Raster
import Scoreboard

/// The name of a team above its cards, with a bar in the team's colour before it and the serve mark after it.
final class TeamName {
  let layer = Layer()
  let label = Label()
  let bar = Layer()
  let mark = Layer()

  private let box: Rect
  private let middle: Double
  private let cap: Double
  private let hasName: Bool
  private let hasMark: Bool
  private let theme: Theme
  private let language: Language
  private let motion: FlipMotion
  private let scene: Scene
  private(set) var isServing = false
  private var shown: (words: String, color: Color)?

  private static let markDuration = 0.28

  /// - Parameter middle: the centre of a name that is narrower than the box; nil: the middle of the box.
  init(in box: Rect, middle: Double? = nil, cap: Double, hasName: Bool, hasMark: Bool, context: WidgetContext)
  {
    self.box = box
    self.middle = middle ?? box.midX
    self.cap = cap
    self.hasName = hasName
    self.hasMark = hasMark
    theme = context.theme
    language = context.language
    motion = context.motion
    scene = context.scene
    if hasName {
      layer.addSublayer(bar)
      layer.addSublayer(label.layer)
    }
    guard hasMark else { return }
    mark.opacity = 0
    let diameter = markDiameter
    mark.bounds = Rect(x: 0, y: 0, width: diameter, height: diameter)
    let color = theme.mark.contrast(with: theme.ground) >= 2 ? theme.mark : theme.onGround
    mark.contents = LayerImage(Disc.image(diameter: Int(diameter), color: color))
    layer.addSublayer(mark)
  }

  /// Whether the bar is at the right of the name and the mark at the left.
  private var isMirrored: Bool { language.isRightToLeft }

  private var markDiameter: Double { max((0.74 * cap).rounded(), 4) }
  private var markAir: Double { max((0.62 * cap).rounded(), 3) }

  private var barWidth: Double { max((0.29 * cap).rounded(), 2) }
  private var air: Double { max((0.46 * cap).rounded(), 2) }
  private var style: Label.Style {
    Label.Style(face: theme.nameFace, color: theme.onGround, capHeight: cap, tracking: 0.05)
  }

  /// The box of bar and name. The space for the mark is left free on both sides, so that the name stays
  /// centred over its cards.
  private var nameBox: Rect {
    var box = box
    if hasMark {
      let room = min(markDiameter + markAir, box.width / 4)
      box.x += room
      box.width -= 2 * room
    }
    // The name is slightly above the middle of the block, to keep a distance from the cards beneath.
    box.height *= 0.86
    return box
  }

  /// Whether the whole name fits in nearly full size.
  func hasRoom(for name: String) -> Bool {
    // A name of more than 200 characters fits no display, so the rest need not be measured.
    !hasName
      || 0.85 * Label.width(of: String(name.prefix(200)), style: style) <= nameBox.width - barWidth - air
  }

  /// The text to show: the name, or a short one if requested or if the name would be cut.
  private func words(_ team: Scoreboard.Team, isShort: Bool) -> String {
    let words = isShort ? team.shortName ?? team.name : team.name
    let room = max(nameBox.width - barWidth - air, 0)
    if Label.fits(words, style: style, width: room) { return words }
    let short = team.shownShortName(in: language)
    return Label.fits(short, style: style, width: room) ? short : team.abbreviation(in: language)
  }

  /// - Parameter isShort: uses the short name, if there is one.
  func show(_ team: Scoreboard.Team, isShort: Bool, color: Color) {
    guard hasName else {
      mark.position = Point(
        x: (middle - markDiameter / 2).rounded() + markDiameter / 2,
        y: (box.y + box.height * 0.43 - markDiameter / 2).rounded() + markDiameter / 2)
      return
    }
    let words = words(team, isShort: isShort)
    guard shown?.words != words || shown?.color != color else { return }
    shown = (words, color)
    let barHeight = max((cap * 1.36 / 2).rounded() * 2, 6)
    let box = nameBox
    let style = style
    let free = max(box.width - barWidth - air, 0)
    let width = min(Label.width(of: words, style: style), free)
    let whole = width + barWidth + air
    let left = min(max(middle - whole / 2, box.x), max(box.maxX - whole, box.x)).rounded()
    let letters = label.show(
      words, style: style,
      in: Rect(x: isMirrored ? left : left + barWidth + air, y: box.y, width: free, height: box.height),
      alignment: 0)
    bar.contents = LayerImage(
      RoundedRect.image(
        width: Int(barWidth), height: Int(barHeight), radius: min(barWidth * 0.35, 6), color: color))
    bar.frame = Rect(
      x: isMirrored ? (letters.maxX + air).rounded() : left, y: (letters.midY - barHeight / 2).rounded(),
      width: barWidth, height: barHeight)
    let diameter = markDiameter
    mark.position = Point(
      x: isMirrored
        ? (letters.x - markAir).rounded() - diameter / 2 : (letters.maxX + markAir).rounded() + diameter / 2,
      y: (letters.midY - diameter / 2).rounded() + diameter / 2)
  }

  /// Fades the serve mark in or out.
  func showServing(_ serves: Bool, animated: Bool) {
    guard hasMark, serves != isServing else { return }
    isServing = serves
    let moves = animated && !motion.isStill
    scene.transaction(disableActions: !moves) {
      var action = Animation(.opacity, duration: Self.markDuration)
      action.timingFunction = .easeInEaseOut
      mark.actions[.opacity] = moves ? action : nil
      mark.opacity = serves ? 1 : 0
    }
  }
}

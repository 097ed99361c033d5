// SPDX-License-Identifier: Apache-2.0

import Languages
import Layers
import Raster
import Scoreboard

/// The name of a team with a bar in the team's colour, and the serve mark.
final class TeamName {
  /// Where the bar and the mark are.
  enum Look: Hashable {
    /// The bar is directly before the name, the mark directly after it.
    case plain
    /// The bar is beneath the name and as wide as the box; the mark is at the end of the box.
    case underlined
    /// The bar is at the beginning of the box and as high as it; the mark is above the name, which begins
    /// after the bar.
    case row

    /// In cap heights of the name: the diameter of the mark, the size of the bar across its length, and the
    /// air between bar and name. The name is in the middle of the upper `height` of the box, a fraction.
    fileprivate var proportions: (mark: Double, bar: Double, air: Double, height: Double) {
      switch self {
      case .plain: (0.74, 0.29, 0.46, 0.86)
      case .underlined: (0.6, 0.17, 0.46, 0.66)
      case .row: (0.6, 0.24, 0.6, 1)
      }
    }

    /// The size of the bar across its length.
    fileprivate func barSize(cap: Double) -> Double { max((proportions.bar * cap).rounded(), 2) }
    fileprivate func air(cap: Double) -> Double { max((proportions.air * cap).rounded(), 2) }

    /// The width beside a name that the bar takes.
    func barRoom(cap: Double) -> Double { self == .underlined ? 0 : barSize(cap: cap) + air(cap: cap) }
  }

  let layer = Layer()
  let label = Label()
  /// The second line of a name.
  let second = Label()
  let bar = Layer()
  let mark = Layer()

  private let box: Rect
  private let look: Look
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

  init(in box: Rect, cap: Double, look: Look = .plain, hasName: Bool, hasMark: Bool, context: WidgetContext) {
    self.box = box
    self.look = look
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
      layer.addSublayer(second.layer)
    }
    guard hasMark else { return }
    mark.opacity = 0
    let diameter = markDiameter
    mark.bounds = Rect(x: 0, y: 0, width: diameter, height: diameter)
    mark.contents = LayerImage(Disc.image(diameter: Int(diameter), color: theme.accent))
    layer.addSublayer(mark)
  }

  /// Whether the bar is at the right of the name and the mark at the left.
  private var isMirrored: Bool { language.isRightToLeft }

  private var markDiameter: Double { max((look.proportions.mark * cap).rounded(), 4) }
  private var markAir: Double { max((0.62 * cap).rounded(), 3) }

  private var barSize: Double { look.barSize(cap: cap) }
  private var air: Double { look.air(cap: cap) }
  private var barRoom: Double { look.barRoom(cap: cap) }
  private func style(scale: Double = 1) -> Label.Style {
    Label.Style(face: theme.nameFace, color: theme.onGround, capHeight: scale * cap, tracking: 0.05)
  }

  /// The largest scale of the letters of two lines, and their distance in cap heights.
  private static let mostSecondScale = 0.85
  private static let linePitch = 1.65
  /// What is free above and below two lines in a row, for the serve mark and a set point, as a fraction of
  /// the height.
  private static let rowAir = 0.26

  /// The scale of the letters of two lines that have space in the box.
  private var secondScale: Double {
    guard look == .row else { return 0 }
    let free = (1 - 2 * Self.rowAir) * box.height
    return min(free / ((1 + Self.linePitch) * cap), Self.mostSecondScale)
  }

  /// The box of the name, with a bar beside it. The space for a mark beside the name is left free on both
  /// sides, so that the name stays centred over its cards.
  private var nameBox: Rect {
    var box = box
    if hasMark, look != .row {
      let room = min(markDiameter + markAir, box.width / 4)
      box.x += room
      box.width -= 2 * room
    }
    // The name is slightly above the middle of the block, to keep a distance from what is beneath.
    box.height *= look.proportions.height
    return box
  }

  /// Whether the whole shown name is drawn.
  var isWhole: Bool {
    let shown = second.layer.isHidden ? [label.text] : [label.text, second.text]
    let style = style(scale: shown.count == 1 ? 1 : secondScale)
    return shown.allSatisfy { Label.fits($0, style: style, width: room) }
  }

  private var room: Double { max(nameBox.width - barRoom, 0) }

  /// Whether the whole name fits in nearly full size.
  func hasRoom(for name: String) -> Bool { !hasName || scale(of: lines(name)) >= Self.nearlyFull }

  /// Lines of at least this scale are not broken.
  private static let nearlyFull = 0.85

  /// The scale of the letters with which lines fit.
  private func scale(of lines: [String]) -> Double {
    // A name of more than 200 characters fits no display, so the rest need not be measured.
    let width = lines.map { Label.width(of: String($0.prefix(200)), style: style()) }.max() ?? 0
    return min(room / max(width, 1), lines.count == 1 ? 1 : secondScale)
  }

  /// A name that does not fit in nearly full size has two lines in a row, if its letters are larger then: two
  /// players, or words in lines of about the same length. A name in ideographs may be broken at any of them.
  private func lines(_ name: String) -> [String] {
    let single = scale(of: [name])
    guard secondScale >= Self.leastScale, single < Self.nearlyFull, let lines = broken(name) else {
      return [name]
    }
    return scale(of: lines) > single ? lines : [name]
  }

  private func broken(_ name: String) -> [String]? {
    if let slash = name.firstIndex(of: "/") {
      return [name[..<slash], name[name.index(after: slash)...]].map { trimmed($0) }
    }
    let start = name.prefix(200)
    let ideographs = start.indices.filter { Self.isIdeograph(name[$0]) && $0 > name.startIndex }
    let spaces = start.indices.filter { name[$0].isWhitespace }
    let hyphens = start.indices.filter { name[$0] == "-" }.map { name.index(after: $0) }
    let breaks = spaces + hyphens.filter { $0 < name.endIndex }
    func longer(_ index: String.Index) -> Int {
      max(name.distance(from: name.startIndex, to: index), name.distance(from: index, to: name.endIndex))
    }
    return (breaks.isEmpty ? ideographs : breaks).min { longer($0) < longer($1) }.map { middle in
      [name[..<middle], name[middle...]].map { trimmed($0) }
    }
  }

  /// Whether a line may begin with this character; small kana and punctuation are excluded.
  private static func isIdeograph(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first else { return false }
    return scalar.properties.isIdeographic
      || (0x3042...0x30fa).contains(scalar.value) && !small.contains(character)
  }
  private static let small = Set("ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ")

  private func trimmed(_ text: Substring) -> String {
    let text = text.drop(while: \.isWhitespace)
    return String(text.reversed().drop(while: \.isWhitespace).reversed())
  }

  /// On a scoreboard, a short name is better than letters of less than this fraction of the intended size.
  static let leastScale = 0.55

  /// Whether a text fits in letters that are not too small.
  private func isLegible(_ words: String) -> Bool {
    let lines = lines(words)
    let style = style(scale: lines.count == 1 ? 1 : secondScale)
    guard lines.allSatisfy({ Label.fits($0, style: style, width: room) }) else { return false }
    return look == .plain || scale(of: lines) >= Self.leastScale
  }

  /// Shows the first of the texts that fits.
  func show(_ names: [String], color: Color) {
    guard hasName else {
      placeMark(x: box.midX, y: box.y + box.height * 0.43)
      return
    }
    let words = names.first(where: isLegible) ?? names.last ?? ""
    guard shown?.words != words || shown?.color != color else { return }
    shown = (words, color)
    let lines = lines(words)
    let style = style(scale: lines.count == 1 ? 1 : secondScale)
    let free = room
    var box = nameBox
    if look == .underlined {
      // Letters that reach far below the line must not touch the bar.
      let baseline = (box.midY + style.capHeight / 2).rounded()
      let depth = Label.ink(of: words, style: style, width: free).maxY.rounded(.up)
      box.y -= max(baseline + depth + max((0.06 * cap).rounded(), 1) - barTop, 0)
    }
    let width = min(lines.map { Label.width(of: $0, style: style) }.max() ?? 0, free) + barRoom
    let left: Double
    switch look {
    case .plain, .underlined: left = (box.midX - width / 2).rounded()
    case .row: left = isMirrored ? box.maxX - width : box.x
    }
    let pitch = Self.linePitch * style.capHeight
    let rects = zip([label, second], lines).enumerated().map { index, line in
      line.0.show(
        line.1, style: style,
        in: Rect(
          x: isMirrored ? left : left + barRoom,
          y: box.y + (Double(index) - 0.5 * Double(lines.count - 1)) * pitch, width: free, height: box.height),
        alignment: 0)
    }
    second.layer.isHidden = lines.count < 2
    let letters = rects.dropFirst().reduce(rects.first ?? box) { $0.union($1) }
    showBar(color, beside: letters, from: left, to: left + width)
    let radius = markDiameter / 2
    switch look {
    case .plain:
      placeMark(
        x: isMirrored
          ? (letters.x - markAir).rounded() - radius : (letters.maxX + markAir).rounded() + radius,
        y: letters.midY)
    case .underlined: placeMark(x: isMirrored ? self.box.x + radius : self.box.maxX - radius, y: letters.midY)
    case .row:
      placeMark(
        x: isMirrored ? letters.maxX - radius : letters.x + radius,
        y: max(letters.y - cap, self.box.y + radius))
    }
  }

  /// The upper edge of a bar beneath the name.
  private var barTop: Double { (box.y + 0.73 * box.height).rounded() }

  private func showBar(_ color: Color, beside letters: Rect, from left: Double, to right: Double) {
    let frame: Rect
    switch look {
    case .plain:
      let height = max((cap * 1.36 / 2).rounded() * 2, 6)
      frame = Rect(
        x: isMirrored ? (letters.maxX + air).rounded() : left, y: (letters.midY - height / 2).rounded(),
        width: barSize, height: height)
    case .underlined:
      frame = Rect(x: box.x, y: barTop, width: max(box.width, 1), height: barSize)
    case .row:
      frame = Rect(
        x: isMirrored ? box.maxX - barSize : box.x, y: box.y, width: barSize, height: max(box.height, 1))
    }
    bar.contents = LayerImage(
      RoundedRect.image(
        width: Int(frame.width), height: Int(frame.height),
        radius: min(min(frame.width, frame.height) * (look == .plain ? 0.35 : 0.5), 6), color: color))
    bar.frame = frame
  }

  private func placeMark(x: Double, y: Double) {
    let radius = markDiameter / 2
    mark.position = Point(x: (x - radius).rounded() + radius, y: (y - radius).rounded() + radius)
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

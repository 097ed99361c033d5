// SPDX-License-Identifier: Apache-2.0

import BenchmarkCases
import Glibc
import Layers
import Raster
import Settings
import Typography
import Widgets

/// Whole frames: drawn to the shadow buffer, and copied to the scanout.
struct FrameCases {
  let size: PixelSize

  static let sixDigits = "frame-six-digits"
  static let board = "frame-board"

  static func transition(_ kind: PageTransitionSettings.Kind) -> String { "frame-page-\(kind.rawValue)" }

  /// Six digits flipping at the same time.
  func sixDigits() -> BenchmarkCase? {
    var clock = FlipClockSettings()
    clock.seconds = true
    var configuration = configuration([WidgetSettings(name: "time", weight: 1, content: clock)])
    configuration.flip.stagger = 0
    return flight(Self.sixDigits, configuration) { StageRun.model($0) }
  }

  /// A board of 22 × 6 letters, some of them coloured, flipping at the same time.
  func board() -> BenchmarkCase? {
    var board = BoardSettings()
    (board.columns, board.rows, board.align) = (22, 6, .left)
    board.motion.symbols = .direct
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789🟥🟧🟨🟩🟦🟪⬜█")
    func text(_ first: Int) -> String {
      let lines = (0..<6).map { row in
        (row % 2 == 0 ? "{yellow}" : "{/}")
          + String((0..<22).map { letters[(first + 22 * row + $0) % letters.count] })
      }
      return lines.joined(separator: "\n")
    }
    board.text = text(0)
    let other = BoardText(text(1))
    return flight(Self.board, configuration([WidgetSettings(name: "board", weight: 1, content: board)])) {
      var model = StageRun.model(0)
      if $0 & 1 == 1 { model.boards["board"] = other }
      return model
    }
  }

  /// The frames of a change, drawn by flipclock, cairo and SDL2, and compared with memcpy.
  private func flight(
    _ name: String, _ configuration: Configuration, model: @escaping (Int) -> StageModel
  ) -> BenchmarkCase? {
    let run = StageRun(configuration, size: size, duration: configuration.flip.duration, frames: 16) {
      $0.update(model($1), at: $0.scene.time, animated: true)
    }
    let frames = run.frames
    guard let cairo = CairoFrame(size: size), let sdl = SDLFrame(size: size) else { return nil }
    let scanout = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    let middle = frames.count / 3
    return BenchmarkCase(
      name: name, size: size,
      contestants: [
        ours(run), memory(frames),
        Contestant(name: "cairo") {
          for frame in frames {
            cairo.draw(frame)
            Self.copy(cairo.shadow, frame.copied, to: scanout)
          }
        },
        Contestant(name: "sdl2") {
          for frame in frames {
            sdl.draw(frame)
            Self.copy(sdl.shadow, frame.copied, to: scanout)
          }
        },
      ],
      difference: {
        // flipclock, cairo and SDL2 draw the whole picture of the same moment.
        var frame = frames[middle]
        let ours = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
        run.picture(of: middle, into: ours)
        frame.damage = [PixelRect(size)]
        cairo.draw(frame)
        sdl.draw(frame)
        for (name, shadow, most) in [("cairo", cairo.shadow, 1.0), ("sdl2", sdl.shadow, 2.0)] {
          let apart = Pictures.difference(ours, shadow)
          if apart.mean > most { return "\(name)'s picture differs by \(thousandths(apart.mean)) on average" }
        }
        return nil
      }, frames: frames.count, damagedPixels: frames.reduce(0) { $0 + RecordedFrame.pixels($1.damage) })
  }

  /// A transition from one page to another.
  func page(_ kind: PageTransitionSettings.Kind) -> BenchmarkCase? {
    var clock = FlipClockSettings()
    clock.seconds = true
    var configuration = configuration([
      WidgetSettings(name: "time", weight: 1, content: clock),
      WidgetSettings(name: "score", weight: 1, content: ScoreSettings()),
    ])
    configuration.pages = ["time", "score"].map { name in
      var layout = LayoutSettings()
      layout.rows = [[name]]
      return PageSettings(name: name, layout: layout)
    }
    configuration.pageTransition.kind = kind
    let run = StageRun(configuration, size: size, duration: 0.8, frames: 16) { stage, index in
      stage.show(page: index & 1 == 1 ? "score" : "time", StageRun.model(0)) { stage.scene.time }
    }
    return BenchmarkCase(
      name: Self.transition(kind), size: size, contestants: [ours(run), memory(run.frames)],
      difference: { run.frames.allSatisfy { $0.damage.isEmpty } ? "nothing moves" : nil },
      frames: run.frames.count,
      damagedPixels: run.frames.reduce(0) { $0 + RecordedFrame.pixels($1.damage) })
  }

  private func configuration(_ widgets: [WidgetSettings]) -> Configuration {
    var configuration = Configuration()
    configuration.theme.symbolFont = FontLibrary.builtInName
    configuration.theme.labelFont = FontLibrary.builtInName
    configuration.widgets = widgets
    configuration.layout.rows = widgets.map { [$0.name] }
    return configuration
  }

  private func ours(_ run: StageRun) -> Contestant {
    Contestant(name: "flipclock", prepare: { run.begin() }, run: { run.run() })
  }

  /// memcpy of what is drawn to the shadow buffer, and of what is copied from there to the scanout.
  private func memory(_ frames: [RecordedFrame]) -> Contestant {
    let bitmaps = (0..<3).map { _ in Bitmap(width: size.width, height: size.height, format: .xrgb8888) }
    // Memory that was never written is mapped to a single zero page, which would stay in the cache.
    for bitmap in bitmaps { bitmap.buffer.fill(PixelRect(size), with: .white, clip: PixelRect(size)) }
    return Contestant(name: "memcpy") {
      for frame in frames {
        Self.copy(bitmaps[0], frame.damage, to: bitmaps[1])
        Self.copy(bitmaps[1], frame.copied, to: bitmaps[2])
      }
    }
  }

  private static func copy(_ source: Bitmap, _ rects: [PixelRect], to target: Bitmap) {
    for rect in rects {
      for y in rect.y..<rect.maxY {
        memcpy(target.buffer.row32(y) + rect.x, source.buffer.row32(y) + rect.x, rect.width * 4)
      }
    }
  }
}

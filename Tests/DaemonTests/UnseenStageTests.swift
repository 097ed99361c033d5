// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ConfigChecks
import Scoreboard
import Settings
import Testing
import Typography
import Widgets

@testable import Daemon

@Suite struct UnseenStageTests {
  @Test("It is built once, follows the model, and is built anew after it was forgotten")
  func follows() throws {
    let configuration = Configuration.builtIn
    let match = configuration.newMatch
    let fonts = FontLibrary { _ in }
    var builds = 0
    func model(_ seconds: Int64) -> StageModel {
      StageModel(instant: Instant(seconds: seconds), scoreboard: match.board, clock: 0, message: nil)
    }
    var first: StageModel { model(1_700_000_000) }
    let unseen = UnseenStage { size in
      builds += 1
      return Stage(
        configuration, size: size, fonts: fonts, zones: { _ in .utc }, model: first, time: 0, page: nil)
    }
    func time(_ model: StageModel, at time: Double) -> String? {
      unseen.texts(model, at: time).first { $0.type == "flip-clock" }?.text
    }
    #expect(builds == 0)
    #expect(time(first, at: 0) == "22:13")
    #expect(time(model(1_700_000_060), at: 1) == "22:14")
    #expect(time(model(1_700_003_600), at: 60) == "23:13")
    #expect(builds == 1)
    unseen.forget()
    #expect(time(first, at: 61) == "22:13")
    #expect(builds == 2)
  }
}

// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import JSON
import Scoreboard

extension WallReport {
  /// The entities of the wall in its present state.
  package var entities: [Entity] {
    teams.flatMap(teamEntities) + matchEntities + timerEntities + breakEntities + displayEntities
      + healthEntities
  }

  private func teamEntities(_ team: MatchState.Team) -> [Entity] {
    var entities = [
      Entity(
        component: .number, object: "\(team.id)_score", name: "\(team.name) score",
        settings: [
          "min": .integer(0), "max": .integer(999), "step": .integer(1), "mode": .string("box"),
          "icon": .string("mdi:scoreboard"),
        ], controls: ["\(team.id)_score": .setScore(team: team.id)])
    ]
    // Where scores count down, every number is a turn, so that -1 would not be a correction.
    let correction = match.countsDown == true || match.increments.contains(-1) ? [] : [-1]
    for points in match.increments.prefix(9) + correction {
      let object = "\(team.id)_\(points < 0 ? "minus" : "plus")_\(points.magnitude)"
      entities.append(
        Self.button(
          object, "\(team.name) \(points < 0 ? "−" : "+")\(points.magnitude)",
          .addScore(team: team.id, points: points),
          icon: points < 0 ? "mdi:minus" : "mdi:plus"))
    }
    if hasWinningPoints {
      entities.append(
        Self.sensor("\(team.id)_winning_point", "\(team.name) set or match point", icon: "mdi:flag-checkered")
      )
    }
    if breaks.contains("time-out") {
      entities.append(
        Self.button(
          "\(team.id)_time_out", "\(team.name) time-out", .startBreak(.timeOut(team: team.id)),
          icon: "mdi:hand-back-left-outline"))
    }
    return entities
  }

  private static func button(
    _ object: String, _ name: String, _ meaning: ControlMeaning, icon: String
  ) -> Entity {
    Entity(
      component: .button, object: object, name: name, settings: ["icon": .string(icon)],
      controls: [object: meaning])
  }

  private static func sensor(_ object: String, _ name: String, icon: String) -> Entity {
    Entity(component: .sensor, object: object, name: name, settings: ["icon": .string(icon)])
  }

  private var matchEntities: [Entity] {
    var entities = [
      Self.button("undo", "Undo", .undo, icon: "mdi:undo"),
      Self.button("redo", "Redo", .redo, icon: "mdi:redo"),
      Self.button("match_end", "End the match", .endMatch, icon: "mdi:flag-checkered"),
      Self.sensor("last_change", "Last change", icon: "mdi:history"),
      Entity(
        component: .binarySensor, object: "match_over", name: "Match over",
        settings: ["icon": .string("mdi:flag-checkered")]),
    ]
    if match.periods > 1 || match.period > 1 {
      entities.append(
        Entity(
          component: .number, object: "period", name: "Period",
          settings: [
            "min": .integer(1), "max": .integer(99), "step": .integer(1), "mode": .string("box"),
            "icon": .string("mdi:numeric"),
          ], controls: ["period": .setPeriod]))
      entities.append(Self.sensor("period_name", "Period name", icon: "mdi:numeric"))
    }
    return entities
  }

  private var timerEntities: [Entity] {
    var entities: [Entity] = []
    for (object, _) in timers {
      let id: GameTimer.ID = object == "clock" ? .game : .shot
      let name = id == .game ? "Game clock" : "Shot clock"
      entities.append(Self.sensor("\(object)_time", "\(name) time", icon: "mdi:timer-outline"))
      entities.append(
        Entity(
          component: .switch, object: object, name: name,
          settings: ["icon": .string("mdi:timer-play-outline")],
          controls: [object: .runTimer(id)]))
      entities.append(
        Self.button(
          "\(object)_reset", "Reset \(name.lowercased())", .resetTimer(id), icon: "mdi:timer-refresh"))
    }
    if match.timers["shot"] != nil, let second = match.secondShot, (1_000...3_600_000).contains(second) {
      entities.append(
        Self.button(
          "shot_clock_reset_\(second / 1_000)", "Reset shot clock to \(second / 1_000) s", .resetShot(second),
          icon: "mdi:timer-refresh"))
    }
    return entities
  }

  private var breakEntities: [Entity] {
    guard !breaks.isEmpty else { return [] }
    let buttons = breaks.compactMap { name in
      GameBreak.Kind(name: name, team: nil).map { kind in
        Self.button(
          String(name.map { $0 == "-" ? "_" : $0 }), "\(name.prefix(1).uppercased())\(name.dropFirst())",
          .startBreak(kind),
          icon: "mdi:coffee-outline")
      }
    }
    return [
      Self.sensor("break", "Break", icon: "mdi:coffee-outline"),
      Self.sensor("break_time", "Break time", icon: "mdi:timer-outline"),
    ] + buttons + [Self.button("break_end", "End the break", .endBreak, icon: "mdi:play-outline")]
  }

  private var displayEntities: [Entity] {
    var entities = [
      Entity(
        component: .light, object: "light", name: "Display",
        settings: ["icon": .string("mdi:television")],
        controls: ["light": .power, Entity.brightness: .brightness]),
      Entity(
        component: .select, object: "page", name: "Page",
        settings: [
          "options": .array(display.pages.prefix(64).map { .string($0) }),
          "icon": .string("mdi:book-open-page-variant-outline"),
        ], controls: ["page": .page]),
      Entity(
        component: .text, object: "message", name: "Message",
        settings: [
          "min": .integer(0), "max": .integer(Int64(ShownText.messageLimit)),
          "value_template": .string("{{ value_json.text }}"), "icon": .string("mdi:message-text-outline"),
        ], controls: ["message": .message]),
      Self.button("message_clear", "Clear message", .clearMessage, icon: "mdi:message-off-outline"),
    ]
    for board in boards {
      entities.append(
        Entity(
          component: .text, object: "board_\(board.name)", name: "Board \(board.name)",
          settings: [
            "min": .integer(0), "max": .integer(Int64(Self.textLimit)),
            "value_template": .string("{{ value_json.text }}"), "icon": .string("mdi:text-box-outline"),
          ], controls: ["board_\(board.name)": .board(board.name)]))
    }
    for countdown in countdowns {
      let (object, name) = ("countdown_\(countdown.name)", "Countdown \(countdown.name)")
      entities += [
        Entity(
          component: .text, object: object, name: name,
          settings: [
            "min": .integer(0), "max": .integer(Int64(Self.textLimit)),
            "value_template": .string("{{ value_json.text }}"), "icon": .string("mdi:timer-edit-outline"),
          ], controls: [object: .countdown(countdown.name)]),
        Self.sensor("\(object)_time", "\(name) time", icon: "mdi:timer-sand"),
        Entity(
          component: .switch, object: "\(object)_running", name: "\(name) running",
          settings: ["icon": .string("mdi:timer-play-outline")],
          controls: ["\(object)_running": .runCountdown(countdown.name)]),
        Self.button(
          "\(object)_clear", "Clear \(name.lowercased())", .clearCountdown(countdown.name),
          icon: "mdi:timer-off-outline"),
      ]
    }
    if !display.messages.isEmpty {
      entities.append(
        Entity(
          component: .select, object: "message_preset", name: "Message preset",
          settings: [
            "options": .array(display.messages.prefix(64).map { .string($0) }),
            "icon": .string("mdi:message-text-outline"),
          ], controls: ["message_preset": .preset]))
    }
    return entities
  }

  private var healthEntities: [Entity] {
    func diagnostic(
      _ component: Entity.Component, _ object: String, _ name: String, _ settings: [String: JSONValue],
      hasDetails: Bool = false
    ) -> Entity {
      var entity = Entity(
        component: component, object: object, name: name, settings: settings, hasDetails: hasDetails)
      entity.settings["entity_category"] = .string("diagnostic")
      return entity
    }
    let measurement = JSONValue.string("measurement")
    return [
      diagnostic(.sensor, "version", "Version", ["icon": .string("mdi:tag-outline")]),
      diagnostic(
        .sensor, "processor", "Processor",
        ["unit_of_measurement": .string("%"), "state_class": measurement, "icon": .string("mdi:chip")]),
      diagnostic(
        .sensor, "memory", "Memory",
        [
          "unit_of_measurement": .string("MiB"), "device_class": .string("data_size"),
          "state_class": measurement,
        ]),
      diagnostic(
        .sensor, "missed_flips", "Missed flips",
        ["state_class": .string("total_increasing"), "icon": .string("mdi:animation-outline")]),
      diagnostic(
        .binarySensor, "problem", "Problem", ["device_class": .string("problem")], hasDetails: true),
    ]
  }
}

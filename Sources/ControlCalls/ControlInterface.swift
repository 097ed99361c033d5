// SPDX-License-Identifier: Apache-2.0

import Commands
import JSON
import Scoreboard
import Varlink

/// The interface org.flipclock.Control.
package enum ControlInterface {
  package static let name = "org.flipclock.Control"

  /// The text of `org.flipclock.Control.varlink`.
  package static var description: String {
    String(decoding: PackageResources.org_flipclock_Control_varlink, as: UTF8.self)
  }

  /// All methods, in the order of the interface file. `make docs` writes the file's declarations of methods
  /// from this table, and those of errors from `Scoreboard.Refusal` and `ControlError`; its types are written
  /// by hand.
  package static let methods: [ControlMethod] = [
    .method(
      "GetStatus", reply: "status: Status", text: "What is shown and how the daemon is doing."
    ) { _ in .status },
    .match(
      "SetScore", "team: string, score: int, anyway: ?bool",
      reply: "team: Team, note: ?string, facts: ?[]Fact",
      text: """
        Sets the score of a team, also as a correction after the end of the match. In tennis 15, 30 and 40 are the first
        three points. A score that the rules make impossible is refused (ScoreLimited); with anyway it is set
        nevertheless. The reply comes when the change would survive a power cut; its note says what else happened by the
        rules, e.g. a set was won.
        """
    ) { p throws(VarlinkError) in
      .setScore(
        team: try p.string("team"), to: try p.integer("score"), anyway: try p.optionalBoolean("anyway"))
    },
    .match(
      "AddScore", "team: string, points: int", reply: "team: Team, note: ?string, facts: ?[]Fact",
      text: """
        Adds the points that a team has made, and does what follows by the rules: the serve, the end of a game, a set
        and the match, after which points are refused. Subtracting points is a correction. Where scores count down, 0
        and points less than 0 are a turn. A bust scores nothing: the note says so, or the error Bust is returned. The
        reply comes when the change would survive a power cut.
        """
    ) { p throws(VarlinkError) in .addScore(team: try p.string("team"), by: try p.integer("points")) },
    .method("GetState", reply: "state: MatchState", text: "The match as it is.") { _ in .state },
    .method(
      "Subscribe", reply: "state: MatchState",
      text: """
        The match as it is now, and again after each change, in order, until the client closes the connection. Must be
        called with 'more'. A timer that warns or runs out, a penalty that ends and a config that changes the match are
        changes too; a running timer is not.
        """
    ) { _ in .watch },
    .method(
      "SubscribeDisplay", reply: "display: DisplayState",
      text: """
        What the display shows beside the match, now and again after each change, until the client closes the
        connection. Must be called with 'more'.
        """
    ) { _ in .watchDisplay },
    .match(
      "SetPeriodScore", "team: string, period: int, score: int, anyway: ?bool",
      text: """
        The replies to the following methods say what was changed, in words for people; nothing if nothing was changed.

        Corrects the score of a team in a period; where periods add up, the total score follows. A score that the rules
        make impossible is refused (ScoreLimited); with anyway it is set nevertheless.
        """
    ) { p throws(VarlinkError) in
      .setPeriodScore(
        team: try p.string("team"), period: try p.integer("period"), to: try p.integer("score"),
        anyway: try p.optionalBoolean("anyway"))
    },
    .match(
      "SetPeriod", "period: int, anyway: ?bool",
      text: """
        Goes to another period, from 1 to 99 or to the last set that the rules allow: the periods before it are over,
        those after it are open again. A later period is refused while a set before it is not over, and after the end of
        the match (PeriodNotNow); with anyway it begins nevertheless, unless the match is over by its rules or was
        ended by EndMatch.
        """
    ) { p throws(VarlinkError) in
      .setPeriod(to: try p.integer("period"), anyway: try p.optionalBoolean("anyway"))
    },
    .match(
      "AddPeriod", "periods: int, anyway: ?bool",
      text: """
        Goes to a later period, or to an earlier one if the number is negative: 1 ends the current period, -1 opens the
        previous one again. Later periods are refused as those of SetPeriod.
        """
    ) { p throws(VarlinkError) in
      .addPeriod(by: try p.integer("periods"), anyway: try p.optionalBoolean("anyway"))
    },
    .match(
      "SetTeam", "team: string, name: ?string, shortName: ?string, color: ?string",
      text: """
        Renames a team or changes its colour: a name has up to 40 characters, a short name up to 8, a colour
        is #rrggbb or #rgb. What is absent stays unchanged, except that a new name without a short name
        removes the previous short name. An empty short name is derived from the name again.
        """
    ) { p throws(VarlinkError) in
      .setTeam(
        team: try p.string("team"), name: try p.optionalString("name"),
        shortName: try p.optionalString("shortName"), color: try p.optionalColor("color"))
    },
    .match(
      "SetServing", "team: ?string",
      text: "Gives a team the serve, or the ball; without a team, nobody has it."
    ) { p throws(VarlinkError) in .setServing(team: try p.optionalString("team")) },
    .match(
      "SetCounter", "team: string, counter: string, value: int",
      text: """
        Sets a counter of the rules, such as time-outs or fouls, as a correction: no time-out begins or ends.
        """
    ) { p throws(VarlinkError) in
      .setCounter(
        team: try p.string("team"), counter: try p.string("counter"), to: try p.integer("value"))
    },
    .match(
      "AddCounter", "team: string, counter: string, value: int, anyway: ?bool",
      text: """
        One more of a counter of time-outs also begins a time-out where the rules have its length, except after the end
        of a set or the match and in another break; one less ends it. The rules may allow no more in a part of the match,
        or no time-out now (BreakNotNow); with anyway it is counted nevertheless.
        """
    ) { p throws(VarlinkError) in
      .addCounter(
        team: try p.string("team"), counter: try p.string("counter"), by: try p.integer("value"),
        anyway: try p.optionalBoolean("anyway"))
    },
    .timer(
      "StartTimer",
      text: """
        The timers are 'game', the default, 'shot' and, during a break, 'break'. Where the shot clock follows the game
        clock, it starts and pauses with the game clock. The start of the game clock ends a break.
        """
    ) { timer, _ in .startTimer(timer) },
    .timer("PauseTimer") { timer, _ in .pauseTimer(timer) },
    .timer(
      "ToggleTimer", text: "Starts a timer that is paused, and pauses one that runs; the reply says which."
    ) { timer, _ in .toggleTimer(timer) },
    .timer(
      "ResetTimer", "milliseconds: ?int",
      text: """
        The game clock is paused at its beginning. Another clock begins again, and keeps running if it was running; where
        the shot clock follows the game clock, it runs if the game clock runs. The shot clock may begin with another time than
        its length: 14000 after an offensive rebound.
        """
    ) { timer, p throws(VarlinkError) in
      guard let time = try p.optionalTime("milliseconds") else { return .resetTimer(timer) }
      // Only the shot clock can be reset to a given time.
      guard timer == .shot else { throw .invalidParameter("milliseconds") }
      return .resetShot(to: time)
    },
    .timer(
      "SetTimer", "milliseconds: int", text: "A running timer continues from the new time."
    ) { timer, p throws(VarlinkError) in
      .setTimer(timer, to: try p.time("milliseconds"))
    },
    .timer("AddTimer", "milliseconds: int") { timer, p throws(VarlinkError) in
      .addTimer(timer, by: try p.time("milliseconds"))
    },
    .match(
      "AddPenalty", "team: string, milliseconds: ?int, number: ?int",
      text: """
        Penalties run while the game clock runs, or always in a game without one. The rules may limit how many of a team
        run at the same time; the others wait. The default length is the first of the rules; number is the player's.
        EndPenalty ends the oldest penalty of a team, or of a player.
        """
    ) { p throws(VarlinkError) in
      .addPenalty(
        team: try p.string("team"), length: try p.optionalTime("milliseconds"),
        number: try p.optionalInteger("number"))
    },
    .match("EndPenalty", "team: string, number: ?int") { p throws(VarlinkError) in
      .endPenalty(team: try p.string("team"), number: try p.optionalInteger("number"))
    },
    .match(
      "ClearPenalties", "team: string"
    ) { p throws(VarlinkError) in .clearPenalties(team: try p.string("team")) },
    .match(
      "StartBreak", "kind: string, team: ?string, milliseconds: ?int, anyway: ?bool",
      text: """
        Begins a break: interval, half-time, warm-up, or time-out of a team, which is also counted. Its clock counts down
        in the place of the game clock, which is stopped (a stopwatch in a game of sets runs on). The default length is
        that of the rules, which also let intervals begin by themselves after a period. A break ends ten seconds after its
        clock has run out, when the game clock is started, and with the next period. EndBreak ends it at once. A
        time-out replaces that of another team. After the end of the match, no break begins; no time-out begins while a set
        is over, while another kind of break runs, or while a time-out of the same team runs. With anyway it begins
        nevertheless.
        """
    ) { p throws(VarlinkError) in
      let name = try p.string("kind")
      guard let kind = GameBreak.Kind(name: name, team: try p.optionalString("team")) else {
        throw .invalidParameter(GameBreak.Kind.names.contains(name) ? "team" : "kind")
      }
      return .startBreak(
        kind, length: try p.optionalTime("milliseconds"), anyway: try p.optionalBoolean("anyway"))
    },
    .match("EndBreak") { _ in .endBreak },
    .match("SwapSides", text: "The teams change sides.") { _ in .swapSides },
    .match(
      "EndMatch",
      text: """
        Ends the match as it stands: the team that leads has won, or it is a draw. Points are then refused as after the end
        by the rules, and the clocks stand still; it can be undone.
        """
    ) { _ in .endMatch },
    .match(
      "NewGame", text: "Begins a new game with the same names and colours; it can be undone."
    ) { _ in .newGame },
    .match(
      "Reset", text: "Begins a new game with the names and colours of the config; it can be undone."
    ) { _ in .reset },
    .method(
      "GetMatches", reply: "matches: []AsideMatch, finished: ?[]FinishedMatch",
      text: """
        The matches that were set aside because another replaced them, and the finished ones, the newest first.
        RestoreMatch brings one back that was set aside, by its id or the beginning of it; its clocks are paused, and Undo
        restores the present match.
        """
    ) { _ in .matches },
    .change(
      "RestoreMatch", "id: string", reply: "what: ?string, state: MatchState"
    ) { p throws(VarlinkError) in .restore(match: try p.string("id")) },
    .match(
      "SetMatch", "match: object",
      text:
        "For a wall that follows: the leader replaces its match by one that this wall has set aside."
    ) { p throws(VarlinkError) in
      guard let match = try? p.value("match").decoded(as: Scoreboard.self) else {
        throw .invalidParameter("match")
      }
      return .restore(match)
    },
    .match(
      "Undo", "count: ?int",
      text: """
        Undoes the last change, or redoes the change that was undone last, or several; the reply says which. Undo
        restores only what the change had changed. Undoing a score leaves a running clock alone. Undoing a pause gives
        the time that the clock would show if it had not been paused. Redo has the effect that the change would have
        now: a clock whose start is redone starts now. Up to 1000 changes are kept, up to 200 of them over a restart.
        """
    ) { p throws(VarlinkError) in try p.optionalInteger("count").map { .undoSteps($0) } ?? .undo },
    .match(
      "Redo", "count: ?int"
    ) { p throws(VarlinkError) in try p.optionalInteger("count").map { .redoSteps($0) } ?? .redo },
    .method(
      "GetHistory", "limit: ?int", reply: "past: []Step, future: []Step",
      text: """
        The changes that can be undone and redone, the next one first; at most limit of each, 50 by default.
        """
    ) { p throws(VarlinkError) in
      let limit = try p.optionalInteger("limit")
      guard limit ?? 0 >= 0 else { throw .invalidParameter("limit") }
      return .history(limit: limit)
    },
    .change(
      "Show", "page: string, milliseconds: ?int", reply: "page: string",
      text: """
        Shows a page of the config. The reply comes when the change would survive a power cut; without a display, the
        next display shows the page. It stays for so many milliseconds, from 1000 to 2678400000; by default until the
        schedule changes the page. The methods below for blanking and brightness have the same parameter.
        """
    ) { p throws(VarlinkError) in
      try p.held(.show(page: try p.string("page")))
    },
    .change(
      "ShowMessage", "text: string, milliseconds: ?int, full: ?bool",
      reply: "text: string, milliseconds: int, waits: ?bool",
      text: """
        Shows a text of up to 120 characters below the page, in place of the previous one, for so many milliseconds,
        10000 by default; with 0 until it is cleared. A restart removes it too. It does not cover the scores and the
        clocks of a scoreboard; with full it fills the display. While the code for a phone is shown, the text waits, and
        its time begins when the code is closed. The reply has the text, how long it is shown, and whether it waits.
        """
    ) { p throws(VarlinkError) in
      .message(
        try p.string("text"), milliseconds: try p.optionalInteger("milliseconds"),
        isFull: p.isGiven("full") ? try p.boolean("full") : false)
    },
    .change(
      "ClearMessage", reply: "text: ?string", text: "Removes the text below the page; the reply has the text."
    ) { _ in .clearMessage },
    .change(
      "SetBoard",
      """
      board: string, text: string, milliseconds: ?int, staleMilliseconds: ?int, from: ?string, show: ?bool, \
      plain: ?bool, wave: ?CardWave
      """,
      reply: "board: string, page: ?string, leftOut: []string, cut: []string, missing: []string",
      text: """
        Shows a text on a board, in place of the config's: a widget of type board or text. Lines are separated by a line
        feed. It is shown for so many milliseconds, from 1000 to 2678400000, or until another text or ClearBoard; after
        staleMilliseconds it is stale. A restart keeps it, but the last texts of a minute may be lost in a power cut. With
        show, the board's page is shown for the same time. A text has up to 4000 characters; a board accepts ten texts a
        second, and more for a short time. {red} gives the letters after it a colour, up to {/}; with plain, the text has
        no such markup. The reply has the lines for which there is no place, the lines and cells of tables that are cut
        off at the end, and the letters that the board cannot show.
        """
    ) { p throws(VarlinkError) in
      var pushed = PushedText(
        try p.string("text"), milliseconds: try p.optionalInteger("milliseconds"),
        staleMilliseconds: try p.optionalInteger("staleMilliseconds"),
        source: try p.optionalString("from"), showsPage: try p.optionalBoolean("show") ?? false,
        isPlain: try p.optionalBoolean("plain") ?? false)
      if p.isGiven("wave") {
        guard let wave = try? p.value("wave").decoded(as: CardWave.self) else {
          throw .invalidParameter("wave")
        }
        pushed.wave = wave
      }
      return .setBoard(try p.string("board"), pushed)
    },
    .change(
      "ClearBoard", "board: string", reply: "text: ?string",
      text: "Shows the config's text on a board again; the reply has the text that was removed."
    ) { p throws(VarlinkError) in .clearBoard(try p.string("board")) },
    .change(
      "ReportBoardProblem", "board: string, problem: string", reply: "",
      text: """
        Notes why the program that sets the text of a board has no new one, in up to 120 characters. The board stays as
        it is. GetStatus and GetBoards return the problem until the next SetBoard or ClearBoard, or a restart.
        """
    ) { p throws(VarlinkError) in
      .reportProblem(board: try p.string("board"), try p.string("problem"))
    },
    .method(
      "GetBoards", reply: "boards: []Board",
      text: "The boards in the order of the config. SubscribeDisplay reports them after each change."
    ) { _ in .boards },
    .change(
      "SetCountdown",
      """
      countdown: string, milliseconds: ?int, until: ?string, label: ?string, from: ?string, show: ?bool
      """,
      reply: "countdown: Countdown, page: ?string",
      text: """
        Sets a countdown and starts it, in place of one of the same name: for so many milliseconds, up to 359999000, or
        until the next time at which the wall's clock shows a time of day, such as 19:30 or 19:30:15. Timers of the
        config that have its name show it, with label above it, up to 40 characters. A name is 1 to 32 letters, digits,
        hyphens and underscores; there can be 16 countdowns. With show, the page that has it is shown. A restart keeps
        it and lets it go on, but the changes of the last minute may be lost in a power cut. The reply has the page that
        shows the countdown.
        """
    ) { p throws(VarlinkError) in
      let end: CountdownSetting.End
      switch (try p.optionalInteger("milliseconds"), try p.optionalString("until")) {
      case (let milliseconds?, nil): end = .after(milliseconds)
      case (nil, let time?):
        guard let second = TimeOfDay.second(time) else { throw .invalidParameter("until") }
        end = .timeOfDay(second)
      case (nil, nil): throw .invalidParameter("milliseconds")
      case (_?, _?): throw .invalidParameter("until")
      }
      return .setCountdown(
        try p.string("countdown"),
        CountdownSetting(
          end, label: try p.optionalString("label"), source: try p.optionalString("from"),
          showsPage: try p.optionalBoolean("show") ?? false))
    },
    .change(
      "ControlCountdown", "countdown: string, control: ?CountdownControl, addMilliseconds: ?int",
      reply: "countdown: Countdown, page: ?string",
      text: """
        Pauses or resumes a countdown, or adds to what is left; subtracting more than that ends it now. Either control or
        addMilliseconds must be given.
        """
    ) { p throws(VarlinkError) in
      let name = try p.string("countdown")
      switch (try p.optionalString("control"), try p.optionalInteger("addMilliseconds")) {
      case (let word?, nil):
        guard let control = CountdownControl.words[word] else { throw .invalidParameter("control") }
        return .controlCountdown(name, control)
      case (nil, let time?): return .controlCountdown(name, .add(time))
      case (nil, nil): throw .invalidParameter("control")
      case (_?, _?): throw .invalidParameter("addMilliseconds")
      }
    },
    .change(
      "ClearCountdown", "countdown: string", reply: "changed: bool",
      text: "Removes a countdown; the reply says whether it was set."
    ) { p throws(VarlinkError) in .clearCountdown(try p.string("countdown")) },
    .method(
      "GetCountdowns", reply: "countdowns: []Countdown",
      text: """
        The countdowns of the config's timers, whether or not they are set, then the others. SubscribeDisplay reports
        them after each change and when one ends; a countdown that runs is not a change.
        """
    ) { _ in .countdowns },
    .change(
      "Blank", "output: ?string, milliseconds: ?int", reply: "changed: bool",
      text: """
        In the following methods output names one display: its connector, or its table [outputs.NAME] in the config. By
        default Screenshot takes the first display that is not dark, or the first one if all are dark; the other methods
        apply to all displays.

        Switches the display off, if the hardware can, and draws nothing. The match continues, and Unblank shows it. A
        restart switches the display on, unless the schedule has it off. The reply says whether the call changed anything.
        """
    ) { p throws(VarlinkError) in
      try p.held(.blank(output: try p.optionalString("output")))
    },
    .change("Unblank", "output: ?string, milliseconds: ?int", reply: "changed: bool") {
      p throws(VarlinkError) in
      try p.held(.unblank(output: try p.optionalString("output")))
    },
    .change(
      "ToggleBlank", "output: ?string, milliseconds: ?int", reply: "blanked: bool",
      text: """
        Switches the display on if it is off, and off if it is on, for a remote control with a single key; the reply
        says which.
        """
    ) { p throws(VarlinkError) in
      try p.held(.toggleBlank(output: try p.optionalString("output")))
    },
    .change(
      "SetBrightness", "percent: ?int, output: ?string, milliseconds: ?int", reply: "percent: int",
      text: """
        Sets the brightness of the picture in percent, from 1 to 100; without percent, to that of the schedule or the
        config. The reply comes when the change would survive a power cut.
        """
    ) { p throws(VarlinkError) in
      try p.held(
        .setBrightness(
          percent: try p.optionalInteger("percent"), output: try p.optionalString("output")))
    },
    .change(
      "AddBrightness", "percent: int, output: ?string, milliseconds: ?int", reply: "percent: int",
      text: "Adds to the brightness or subtracts from it, within its range."
    ) { p throws(VarlinkError) in
      try p.held(
        .addBrightness(percent: try p.integer("percent"), output: try p.optionalString("output")))
    },
    .change(
      "ShowPairing", "role: ?string, milliseconds: ?int",
      reply: "address: string, code: string, milliseconds: int, codes: ?[]string",
      text: """
        Shows an invitation below the page, with a QR code and codes to type. It is removed when one of them has
        paired a phone with flipclock-web, as scorer, the default, viewer or owner. The reply has the address to open,
        the six digits, how long the invitation is shown, and all codes that people can type. By default it is shown
        for two minutes; milliseconds may be at most an hour. HidePairing removes it.
        """
    ) { p throws(VarlinkError) in
      let word = try p.optionalString("role") ?? RemoteRole.scorer.rawValue
      guard let role = RemoteRole(rawValue: word) else { throw .invalidParameter("role") }
      return try p.held(.invite(role))
    },
    .change("HidePairing", reply: "changed: bool") { _ in .endInvitation },
    .method(
      "RedeemPairing", "secret: string", reply: "role: string",
      text: """
        For flipclock-web: uses the secret of the QR code, or a code that was typed. The reply has the role for
        which the invitation was shown. After five wrong codes within a minute, all codes but the secret are
        refused.
        """
    ) { p throws(VarlinkError) in .redeem(secret: try p.string("secret")) },
    .method(
      "ReportOwners", "count: int", reply: "",
      text: """
        For flipclock-web: how many phones are paired as owners. While there are none, and the config has set-up in
        [remote], the display always shows a code with which the first phone becomes one. While the access point of
        ReportNetwork is open, it shows one for a further owner, too.
        """
    ) { p throws(VarlinkError) in
      let count = try p.integer("count")
      guard count >= 0 else { throw .invalidParameter("count") }
      return .reportOwners(count)
    },
    .method(
      "ReportNetwork", "network: ?NetworkNotice", reply: "",
      text: """
        For flipclock-host: what the display shows about the machine's network, in place of what was reported before;
        without network, nothing. It is removed too when the connection of the caller ends, and 15 seconds after a network
        was joined. Nothing of it is stored, logged or returned by other methods.
        """
    ) { p throws(VarlinkError) in
      guard p.isGiven("network") else { return .reportNetwork(nil) }
      guard let notice = try? p.value("network").decoded(as: NetworkNotice.self), notice.isSound else {
        throw .invalidParameter("network")
      }
      return .reportNetwork(notice)
    },
    .method(
      "ReportHorn", "problem: ?string", reply: "",
      text: """
        For flipclock-horn: that it runs, until the connection of the caller ends, and why the sound device could not be
        used last, at most 500 bytes; without problem, it could.
        """
    ) { p throws(VarlinkError) in
      let problem = try p.optionalString("problem")
      guard problem.map({ $0.utf8.count <= 500 }) ?? true else { throw .invalidParameter("problem") }
      return .reportHorn(problem: problem)
    },
    .change(
      "Lead", "anyway: ?bool", reply: "changed: bool",
      text: """
        Makes this wall the leader of the match that it follows, with the leader's last state; the reply comes when that
        would survive a power cut. If the leader does not answer, points may be missing: with anyway this wall then leads
        with what it has; otherwise TakeoverUnconfirmed is returned.
        """
    ) { p throws(VarlinkError) in .lead(anyway: try p.optionalBoolean("anyway") ?? false) },
    .method(
      "JoinWalls", reply: "event: WallEvent",
      text: """
        The following three methods are for flipclock-mqtt. What this wall sends from now on to the walls with
        which it shares a match; the first event comes at once. Must be called with 'more'. A second caller
        replaces the first one, whose stream ends with an error.
        """
    ) { _ in .joinWalls },
    .method(
      "TakeWallMessage", "message: string, live: bool", reply: "",
      text: "A message of another wall, or this wall's own; live is false for one that the broker had kept."
    ) { p throws(VarlinkError) in
      .takeWallMessage(try p.string("message"), isLive: try p.boolean("live"))
    },
    .method(
      "ReportWalls", "reachable: bool", reply: "",
      text:
        "Whether the broker is connected. Called when that changes; after a connection, when the walls' topics have been "
        + "subscribed to."
    ) { p throws(VarlinkError) in .reportWalls(isReachable: try p.boolean("reachable")) },
    .method(
      "GetSettings", reply: "settings: []Setting, text: string, revision: int",
      text: """
        The keys of the config that people set without a file, and the file in which flipclockd stores what they have set.
        The revision is another number after each change of them, by whatever means.
        """
    ) { _ in .settings },
    .settings(
      "SetSettings", "settings: []SettingChange",
      text: """
        Sets such keys, or removes them: all of them, or none if one is refused. The config is read again with them. The
        reply has these keys, warnings, what became of the match, and the revision after it; it comes when the change would
        survive a power cut. In terms, revision is that of GetSettings: if the settings have another one, SettingsChanged is
        returned.
        """
    ) { p throws(VarlinkError) in
      let values = try p.array("settings")
      let changes = values.compactMap { try? $0.decoded(as: SettingChange.self) }
      guard changes.count == values.count else { throw .invalidParameter("settings") }
      return .setSettings(changes)
    },
    .settings(
      "ImportSettings", "text: string",
      text:
        "Replaces all settings by those of a text that GetSettings has returned; the reply has the keys that are set or "
        + "were removed."
    ) { p throws(VarlinkError) in .importSettings(try p.string("text")) },
    .method(
      "Reload", reply: "ok: bool, errors: []string, warnings: []string",
      text: "Reads the config again. If it has errors, the present configuration stays in force."
    ) { _ in .reload },
    .method(
      "Examine", reply: "version: string, started: string, findings: []Finding",
      text: """
        Examines the daemon and the machine, as 'flipclockctl doctor' does, but only what the daemon sees from its sandbox.
        The reply has the daemon's release, when it was started (RFC 3339), and what was found.
        """
    ) { _ in .examine },
    .method(
      "Restart", reply: "",
      text: """
        Ends the daemon, so that systemd starts it again; the display is dark for some seconds. Scores, clocks that run and
        settings stay. Refused if systemd does not run it (NotAService), and if the last changes cannot be saved
        (StateNotSaved).
        """
    ) { _ in .restart },
    .method(
      "Screenshot", "output: ?string", reply: "png: string, width: int, height: int",
      text: "What is on the display now, black while it is off: a PNG file in base64, and its size in pixels."
    ) { p throws(VarlinkError) in .screenshot(output: try p.optionalString("output")) },
  ]
}

// MARK: Commands as calls

extension VarlinkCall {
  package init(_ command: Command) {
    let (member, parameters) = Self.parts(command)
    self.init(
      method: "\(ControlInterface.name).\(member)", parameters: parameters.compactMapValues { $0?.json },
      more: [.watch, .watchDisplay, .joinWalls].contains(command))
  }

  private typealias Parts = (member: String, parameters: [String: (any CallParameter)?])

  private static func parts(_ command: Command) -> Parts {
    if case .change(.held(let change, let milliseconds)) = command {
      var parts = parts(.change(change))
      parts.parameters["milliseconds"] = milliseconds
      return parts
    }
    return plainParts(command)
  }

  private static func plainParts(_ command: Command) -> Parts {
    switch command {
    case .change(.match(let action)): parts(action)
    case .change(.held(let change, _)): parts(.change(change))
    case .change(.show(let page)): ("Show", ["page": page])
    case .change(.message(let text, let milliseconds, let isFull)):
      ("ShowMessage", ["text": text, "milliseconds": milliseconds, "full": isFull ? true : nil])
    case .change(.clearMessage): ("ClearMessage", [:])
    case .change(.setBoard(let board, let pushed)):
      (
        "SetBoard",
        [
          "board": board, "text": pushed.text, "milliseconds": pushed.milliseconds,
          "staleMilliseconds": pushed.staleMilliseconds, "from": pushed.source,
          "show": pushed.showsPage ? true : nil, "plain": pushed.isPlain ? true : nil,
          "wave": pushed.wave.flatMap { try? JSONValue(encoding: $0) },
        ]
      )
    case .change(.clearBoard(let board)): ("ClearBoard", ["board": board])
    case .change(.reportProblem(let board, let problem)):
      ("ReportBoardProblem", ["board": board, "problem": problem])
    case .boards: ("GetBoards", [:])
    case .change(.setCountdown(let name, let setting)):
      (
        "SetCountdown",
        [
          "countdown": name, "milliseconds": setting.end.milliseconds, "until": setting.end.timeOfDay,
          "label": setting.label, "from": setting.source, "show": setting.showsPage ? true : nil,
        ]
      )
    case .change(.controlCountdown(let name, let control)):
      ("ControlCountdown", ["countdown": name, "control": control.word, "addMilliseconds": control.added])
    case .change(.clearCountdown(let name)): ("ClearCountdown", ["countdown": name])
    case .countdowns: ("GetCountdowns", [:])
    case .change(.blank(let output)): ("Blank", ["output": output])
    case .change(.unblank(let output)): ("Unblank", ["output": output])
    case .change(.toggleBlank(let output)): ("ToggleBlank", ["output": output])
    case .change(.setBrightness(let percent, let output)):
      ("SetBrightness", ["percent": percent, "output": output])
    case .change(.addBrightness(let percent, let output)):
      ("AddBrightness", ["percent": percent, "output": output])
    case .change(.invite(let role)): ("ShowPairing", ["role": role.rawValue])
    case .change(.endInvitation): ("HidePairing", [:])
    case .change(.lead(let anyway)): ("Lead", anyway ? ["anyway": true] : [:])
    case .change(.restore(let id)): ("RestoreMatch", ["id": id])
    case .joinWalls: ("JoinWalls", [:])
    case .takeWallMessage(let message, let isLive):
      ("TakeWallMessage", ["message": message, "live": isLive])
    case .reportWalls(let isReachable): ("ReportWalls", ["reachable": isReachable])
    case .reportOwners(let count): ("ReportOwners", ["count": count])
    case .reportNetwork(let notice):
      ("ReportNetwork", ["network": notice.flatMap { try? JSONValue(encoding: $0) }])
    case .reportHorn(let problem): ("ReportHorn", ["problem": problem])
    case .redeem(let secret): ("RedeemPairing", ["secret": secret])
    case .status: ("GetStatus", [:])
    case .state: ("GetState", [:])
    case .history(let limit): ("GetHistory", ["limit": limit])
    case .matches: ("GetMatches", [:])
    case .watch: ("Subscribe", [:])
    case .watchDisplay: ("SubscribeDisplay", [:])
    case .settings: ("GetSettings", [:])
    case .setSettings(let changes):
      ("SetSettings", ["settings": try? JSONValue(encoding: changes)])
    case .importSettings(let text): ("ImportSettings", ["text": text])
    case .reload: ("Reload", [:])
    case .examine: ("Examine", [:])
    case .restart: ("Restart", [:])
    case .screenshot(let output): ("Screenshot", ["output": output])
    }
  }

  private static func parts(_ action: Scoreboard.Action) -> Parts {
    switch action {
    case .setScore(let team, let score, let anyway):
      ("SetScore", ["team": team, "score": score, "anyway": anyway])
    case .addScore(let team, let points): ("AddScore", ["team": team, "points": points])
    case .setPeriodScore(let team, let period, let score, let anyway):
      ("SetPeriodScore", ["team": team, "period": period, "score": score, "anyway": anyway])
    case .setPeriod(let period, let anyway): ("SetPeriod", ["period": period, "anyway": anyway])
    case .addPeriod(let periods, let anyway): ("AddPeriod", ["periods": periods, "anyway": anyway])
    case .setTeam(let team, let name, let shortName, let color):
      ("SetTeam", ["team": team, "name": name, "shortName": shortName, "color": color.map(ColorText.hex)])
    case .setServing(let team): ("SetServing", ["team": team])
    case .setCounter(let team, let counter, let value):
      ("SetCounter", ["team": team, "counter": counter, "value": value])
    case .addCounter(let team, let counter, let value, let anyway):
      ("AddCounter", ["team": team, "counter": counter, "value": value, "anyway": anyway])
    case .startBreak(let kind, let length, let anyway):
      (
        "StartBreak",
        ["kind": kind.name, "team": kind.team, "milliseconds": length.map(milliseconds), "anyway": anyway]
      )
    case .endBreak: ("EndBreak", [:])
    case .startTimer(let timer): ("StartTimer", ["timer": timer.rawValue])
    case .pauseTimer(let timer): ("PauseTimer", ["timer": timer.rawValue])
    case .toggleTimer(let timer): ("ToggleTimer", ["timer": timer.rawValue])
    case .resetTimer(let timer): ("ResetTimer", ["timer": timer.rawValue])
    case .resetShot(let time):
      ("ResetTimer", ["timer": GameTimer.ID.shot.rawValue, "milliseconds": milliseconds(time)])
    case .setTimer(let timer, let time):
      ("SetTimer", ["timer": timer.rawValue, "milliseconds": milliseconds(time)])
    case .addTimer(let timer, let time):
      ("AddTimer", ["timer": timer.rawValue, "milliseconds": milliseconds(time)])
    case .addPenalty(let team, let length, let number):
      ("AddPenalty", ["team": team, "milliseconds": length.map(milliseconds), "number": number])
    case .endPenalty(let team, let number): ("EndPenalty", ["team": team, "number": number])
    case .clearPenalties(let team): ("ClearPenalties", ["team": team])
    case .swapSides: ("SwapSides", [:])
    case .endMatch: ("EndMatch", [:])
    case .newGame: ("NewGame", [:])
    case .reset: ("Reset", [:])
    case .restore(let match): ("SetMatch", ["match": try? JSONValue(encoding: match)])
    case .undo: ("Undo", [:])
    case .redo: ("Redo", [:])
    case .undoSteps(let count): ("Undo", ["count": count])
    case .redoSteps(let count): ("Redo", ["count": count])
    }
  }

  private static func milliseconds(_ nanoseconds: Int64) -> Int64 { nanoseconds / 1_000_000 }
}

extension CountdownSetting.End {
  fileprivate var milliseconds: Int? { if case .after(let milliseconds) = self { milliseconds } else { nil } }
  fileprivate var timeOfDay: String? {
    if case .timeOfDay(let second) = self { TimeOfDay.text(second) } else { nil }
  }
}

extension CountdownControl {
  fileprivate var word: String? { Self.words.first { $0.value == self }?.key }
  fileprivate var added: Int? { if case .add(let milliseconds) = self { milliseconds } else { nil } }
}

/// A value of a parameter.
private protocol CallParameter {
  var json: JSONValue { get }
}

extension JSONValue: CallParameter {
  fileprivate var json: JSONValue { self }
}

extension String: CallParameter {
  fileprivate var json: JSONValue { .string(self) }
}

extension Bool: CallParameter {
  fileprivate var json: JSONValue { .bool(self) }
}

extension Int: CallParameter {
  fileprivate var json: JSONValue { .integer(Int64(self)) }
}

extension Int64: CallParameter {
  fileprivate var json: JSONValue { .integer(self) }
}

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calls every method of a running flipclockd with the PyPI `varlink` client.

    varlink-client.py [--every-error] SOCKET

Introspects the daemon, then calls each method that it found and provokes errors. Changes the match and the
display, and restores them. Fails unless it has called every method of the interface. With --every-error, the
daemon must run a game with two timers, and each error that is not in ELSEWHERE must also occur. To provoke
NothingToUndo, the client then undoes and redoes all changes. Needs `varlink`, which scripts/varlink-python
provides. The exit status is 0 if the daemon conforms to the interface.
"""

import base64
import contextlib
import sys

import varlink

CONTROL = "org.flipclock.Control"

# Errors that this client cannot provoke, why, and the tests that cover them.
ELSEWHERE = {
    "NoDisplay": "needs a daemon without a display: ControlServerTests",
    "StateNotSaved": "needs a failing disk: ControlServerTests",
    "SettingInConfig": "needs a config that sets such a key: EndToEnd/test_settings.py",
    "BadConfig": "needs a config with a mistake: EndToEnd/test_settings.py",
    "Failed": "needs a failing daemon: SharingTests of WallStateTests",
    "ProtocolViolation": "the reply to an invalid call: ControlServerHostilityTests",
    "TooManyClients": "needs many busy clients: ControlServerHostilityTests",
    "TooManyPoints": "in games of sets only: PlayTests of ScoreboardTests",
    "PeriodOver": "in games of sets only: RulesTests of ControlServerTests",
    "MatchOver": "in games of sets only: RulesTests of ControlServerTests",
    "Bust": "in darts only: RulesTests of ControlServerTests",
    "NotTennisPoints": "in tennis only: RulesTests of ControlServerTests",
    "ScoreAboveStart": "in darts only: RulesTests of ControlServerTests",
    "TurnOutOfRange": "in darts only: RulesTests of ControlServerTests",
    "ImpossibleTurn": "in darts only: RulesTests of ControlServerTests",
    "ImpossibleFinish": "in darts only: RulesTests of ControlServerTests",
    "PenaltyOutOfRange": "in games with penalty clocks only: RulesTests of ControlServerTests",
    "TooManyPenalties": "in games with penalty clocks only: RulesTests of ControlServerTests",
    "PeriodNotNow": "in games of sets, and after a match: RuleRefusalTests of ScoreboardTests",
    "ScoreLimited": "in games of sets only: RuleRefusalTests of ScoreboardTests",
    "CounterLimited": "at the end of a match only: BreakTests of ScoreboardTests",
    "NoSuchBreak": "in games without the length of a break only: BreakTests of ScoreboardTests",
    "OtherGame": "needs a match that was set aside: test_match.py",
    "NoAddress": "needs a machine without a network: NetworkAddressTests",
    "LeaderUnreachable": "needs several walls: test_walls.py",
    "LeaderSilent": "needs several walls: test_walls.py",
    "WallUndecided": "needs several walls: test_walls.py",
    "TakeoverUnconfirmed": "needs several walls: test_walls.py",
    "NeverReceived": "needs several walls: test_walls.py",
    "MayCount": "needs several walls: CommandGateTests of ControlServerTests",
}

occurred = set()


def expect(condition, what):
    if not condition:
        sys.exit(f"varlink-client: failed: {what}")
    print(f"ok: {what}")


def error_of(call):
    """Returns the name and the parameters of the error that `call` raises, or (None, None)."""
    try:
        call()
    except varlink.VarlinkError as error:
        occurred.add(error.error())
        return error.error(), error.parameters()
    return None, None


def main():
    arguments = sys.argv[1:]
    every_error = arguments[:1] == ["--every-error"]
    if len(arguments) != 1 + every_error:
        sys.exit("usage: varlink-client.py [--every-error] SOCKET")
    with varlink.Client(address=f"unix:{arguments[-1]}") as client:
        names = client.get_interfaces()
        expect(set(names) >= {"org.varlink.service", CONTROL}, "GetInfo names both interfaces")
        interface = client.get_interface(CONTROL)
        methods = {n for n, m in interface.members.items() if type(m).__name__ == "_Method"}
        errors = {n for n, m in interface.members.items() if type(m).__name__ == "_Error"}
        expect(len(methods) >= 26 and len(errors) >= 18, "the description parses")
        with client.open("org.varlink.service") as service, client.open(CONTROL) as control:
            called = exercise(service, control, arguments[-1])
            if every_error:
                exercise_the_beginning(control)
    missed = methods - called
    expect(not missed, f"every method was called: {', '.join(sorted(missed or methods))}")
    missed = {f"{CONTROL}.{name}" for name in errors - set(ELSEWHERE)} - occurred
    if every_error:
        expect(not missed, f"every error occurred: {', '.join(sorted(missed or occurred))}")


def exercise(service, control, address):
    called = set()

    def call(method, *arguments, **named):
        called.add(method)
        return getattr(control, method)(*arguments, **named)

    about = service.GetInfo()
    expect(about["product"] == "flipclockd" and about["version"], "GetInfo returns product and version")
    name, _ = error_of(lambda: service.GetInterfaceDescription("org.example.none"))
    expect(name == "org.varlink.service.InterfaceNotFound", "an unknown interface is not found")

    status = call("GetStatus")["status"]
    teams = status["scoreboard"]["teams"]
    expect(teams and all(isinstance(team["score"], int) for team in teams.values()), "GetStatus has the scores")
    expect(isinstance(status["uptimeSeconds"], int), "GetStatus has whole numbers")
    team = sorted(teams)[0]
    before = teams[team]["score"]

    expect(call("SetScore", team, 41)["team"]["score"] == 41, "SetScore sets")
    expect(call("AddScore", team, 2)["team"]["score"] == 43, "AddScore adds")
    expect(call("AddScore", team=team, points=-3)["team"]["score"] == 40, "AddScore subtracts")
    expect(call("GetStatus")["status"]["scoreboard"]["teams"][team]["score"] in (40, before), "GetStatus again")

    name, details = error_of(lambda: call("SetScore", "nobody", 1))
    expect(name == f"{CONTROL}.UnknownTeam" and team in details["known"], "UnknownTeam lists the known teams")
    name, details = error_of(lambda: call("SetScore", team, 1000))
    expect(name == f"{CONTROL}.ScoreOutOfRange" and details["maximum"] == 999, "ScoreOutOfRange returns the range")
    name, details = error_of(lambda: call("AddScore", team, -1000))
    expect(name == f"{CONTROL}.ScoreOutOfRange" and details["minimum"] == 0, "ScoreOutOfRange below zero")

    expect(control.AddScore(team, 1, _oneway=True) is None, "oneway gets no reply")
    expect(call("AddScore", team, 0)["team"]["score"] == 41, "the oneway call was processed, in order")
    replies = list(control.SetScore(team, before, _more=True))
    expect(len(replies) == 1 and replies[0]["team"]["score"] == before, "more on a method with one reply")

    exercise_match(call, team, before, address)

    name, details = error_of(lambda: call("Show", "no such page"))
    expect(name == f"{CONTROL}.UnknownPage" and details["known"], "UnknownPage lists the known pages")
    page = status["page"] if status["page"] in details["known"] else details["known"][0]
    expect(call("Show", page)["page"] == page, "Show shows a page")

    exercise_display(call)

    outcome = call("Reload")
    expect(outcome["ok"] == (not outcome["errors"]), "Reload returns its outcome")
    report = call("Examine")
    expect(report["version"] == status["version"] and report["started"], "Examine returns the release and the start")
    expect(all(finding["area"] and finding["text"] and finding["level"] in ("ok", "note", "problem")
               for finding in report["findings"]) and report["findings"], "Examine finds something")
    name, _ = error_of(lambda: call("Restart"))
    expect(name == f"{CONTROL}.NotAService", "Restart is refused without systemd")
    try:
        shot = call("Screenshot")
        png = base64.b64decode(shot["png"], validate=True)
        expect(png.startswith(b"\x89PNG\r\n\x1a\n") and shot["width"] > 0 < shot["height"], "Screenshot is a PNG")
    except varlink.VarlinkError as error:
        expect(error.error() == f"{CONTROL}.NoDisplay", "Screenshot without a display")
    return called


def exercise_boards(call):
    """Calls the methods for boards, and restores the texts of the config."""
    boards = {board["name"]: board for board in call("GetBoards")["boards"]}
    expect({"hall", "unseen"} <= set(boards) and boards["hall"].get("since") is None, "GetBoards")
    reply = call("SetBoard", "hall", "DOORS OPEN\nAT 7\nA\nB", 60000, 30000, "varlink", True)
    expect(reply["page"] and reply["leftOut"] == ["B"] and reply["missing"] == [], "SetBoard says what does not fit")
    expect(reply["cut"] == [], "SetBoard says what is cut off")
    hall = next(board for board in call("GetStatus")["status"]["boards"] if board["name"] == "hall")
    expect(hall["text"].startswith("DOORS") and hall["from"] == "varlink" and not hall["stale"] and hall["until"],
           "GetStatus has the boards")
    call("SetBoard", board="hall", text="{red}A{/}", plain=True)
    expect(call("GetBoards")["boards"][0].get("plain") is True, "a board has no markup")
    wave = {"order": "edges_to_center", "milliseconds": 50}
    expect(call("SetBoard", board="hall", text="DOORS SHUT", wave=wave)["missing"] == [], "SetBoard with a wave")
    name, details = error_of(lambda: call("SetBoard", "hal", "X"))
    expect(name == f"{CONTROL}.UnknownBoard" and "hall" in details["known"], "UnknownBoard lists the boards")
    name, _ = error_of(lambda: call("SetBoard", board="unseen", text="X", show=True))
    expect(name == f"{CONTROL}.BoardNotShown", "BoardNotShown")
    name, details = None, None
    for number in range(200):
        name, details = error_of(lambda text=str(number): call("SetBoard", "unseen", text))
        if name:
            break
    expect(name == f"{CONTROL}.TooManyTexts" and details["milliseconds"] > 0, "TooManyTexts")
    expect(call("ReportBoardProblem", "hall", "no connection") == {}, "ReportBoardProblem")
    hall = call("GetBoards")["boards"][0]
    expect(hall["problem"] == "no connection" and hall["problemSince"] >= hall["since"], "GetBoards has the problem")
    expect({len(line) for line in hall["lines"]} == {hall["columns"]} and len(hall["lines"]) == hall["rows"]
           and "DOORS SHUT" in "".join(hall["lines"]), "GetBoards has the lines")
    expect(call("ClearBoard", "hall")["text"].startswith("DOORS"), "ClearBoard returns the text")
    expect(call("ClearBoard", "hall").get("text") is None, "ClearBoard again")


def exercise_countdowns(call):
    """Calls the methods for countdowns, and removes them again."""
    reply = call("SetCountdown", countdown="doors", milliseconds=900000, label="DOORS OPEN", **{"from": "varlink"})
    doors = reply["countdown"]
    expect(doors["running"] and 0 < doors["milliseconds"] <= 900000 and doors.get("until") is None, "SetCountdown")
    doors = call("ControlCountdown", countdown="doors", control="pause")["countdown"]
    expect(not doors["running"] and doors["label"] == "DOORS OPEN", "ControlCountdown pauses")
    later = call("ControlCountdown", countdown="doors", addMilliseconds=60000)["countdown"]
    expect(later["milliseconds"] == doors["milliseconds"] + 60000, "ControlCountdown adds")
    until = call("SetCountdown", countdown="talk", until="19:30")["countdown"]
    expect(until["until"] and 0 < until["milliseconds"] <= 86400000, "SetCountdown until a time of day")
    names = [countdown["name"] for countdown in call("GetCountdowns")["countdowns"]]
    expect(names == ["doors", "talk"], "GetCountdowns")
    listed = {countdown["name"]: countdown for countdown in call("GetStatus")["status"]["countdowns"]}
    expect(listed["doors"]["from"] == "varlink", "GetStatus has the countdowns")
    name, details = error_of(lambda: call("ControlCountdown", countdown="dors", control="resume"))
    expect(name == f"{CONTROL}.UnknownCountdown" and "doors" in details["known"], "UnknownCountdown")
    name, _ = error_of(lambda: call("SetCountdown", countdown="a b", milliseconds=60000))
    expect(name == f"{CONTROL}.BadCountdownName", "BadCountdownName")
    name, details = error_of(lambda: call("SetCountdown", countdown="doors", milliseconds=1))
    expect(name == f"{CONTROL}.CountdownOutOfRange" and details["minimum"] == 1000, "CountdownOutOfRange")
    name, _ = error_of(lambda: call("SetCountdown", countdown="doors", milliseconds=60000, show=True))
    expect(name == f"{CONTROL}.CountdownNotShown", "CountdownNotShown")
    for number in range(14):
        call("SetCountdown", countdown=f"c{number}", milliseconds=60000)
    name, details = error_of(lambda: call("SetCountdown", countdown="more", milliseconds=60000))
    expect(name == f"{CONTROL}.TooManyCountdowns" and details["limit"] == 16, "TooManyCountdowns")
    for number in range(200):
        name, details = error_of(lambda: call("ControlCountdown", countdown="doors", control="toggle"))
        if name:
            break
    expect(name == f"{CONTROL}.TooManyChanges" and details["milliseconds"] > 0, "TooManyChanges")
    for number in range(14):
        call("ClearCountdown", countdown=f"c{number}")
    expect(call("ClearCountdown", countdown="doors")["changed"], "ClearCountdown")
    call("ClearCountdown", countdown="talk")
    expect(call("GetCountdowns")["countdowns"] == [], "no countdown is left")


def exercise_display(call):
    """Calls the methods for messages, blanking and brightness, and restores the brightness."""
    shown = call("ShowMessage", "TIME OUT", 30000)
    expect(shown == {"text": "TIME OUT", "milliseconds": 30000}, "ShowMessage")
    expect(call("ShowMessage", text="PAUSE")["milliseconds"] == 10000, "ShowMessage for a while")
    expect(call("GetStatus")["status"]["message"] == "PAUSE", "GetStatus has the message")
    name, details = error_of(lambda: call("ShowMessage", "A", -1))
    expect(name == f"{CONTROL}.DurationOutOfRange" and details["minimum"] == 0, "DurationOutOfRange")
    name, details = error_of(lambda: call("ShowMessage", "x" * 10000))
    expect(name == f"{CONTROL}.BadText" and details["maximum"] == 120, "BadText of a message")
    expect(call("ClearMessage")["text"] == "PAUSE", "ClearMessage returns the message")
    expect(call("ClearMessage").get("text") is None, "ClearMessage again")
    exercise_boards(call)
    exercise_countdowns(call)
    if call("GetStatus")["status"]["blanked"]:
        call("Unblank")
    expect(call("Blank") == {"changed": True} and not call("Blank")["changed"], "Blank")
    expect(call("GetStatus")["status"]["blanked"], "GetStatus reports that the display is dark")
    expect(not call("ToggleBlank")["blanked"] and call("ToggleBlank")["blanked"], "ToggleBlank")
    bright = call("GetStatus")["status"]["brightness"]
    expect(call("SetBrightness", 50) == {"percent": 50}, "SetBrightness")
    expect(call("AddBrightness", -20)["percent"] == 30 and call("AddBrightness", 1000)["percent"] == 100, "AddBrightness")
    name, details = error_of(lambda: call("SetBrightness", 0))
    expect(name == f"{CONTROL}.BrightnessOutOfRange" and details["minimum"] == 1, "BrightnessOutOfRange")
    expect(1 <= call("SetBrightness")["percent"] <= 100, "SetBrightness to the config's value")
    call("SetBrightness", bright)
    expect(call("Unblank")["changed"] and not call("Unblank")["changed"], "Unblank")
    name, details = error_of(lambda: call("Unblank", None, 1))
    expect(name == f"{CONTROL}.HoldOutOfRange" and details["minimum"] == 1000, "HoldOutOfRange")
    name, details = error_of(lambda: call("Blank", "no such display"))
    expect(name == f"{CONTROL}.NoSuchOutput" and details["output"] == "no such display", "NoSuchOutput")
    for method in ("SubscribeDisplay", "JoinWalls"):
        name, _ = error_of(lambda method=method: call(method))
        expect(name == "org.varlink.service.ExpectedMore", f"{method} without 'more'")
    # Succeeds if this daemon's config has an address, which need not exist, or if something listens for
    # phones.
    name, _ = error_of(lambda: call("ShowPairing"))
    expect(name in (None, f"{CONTROL}.NoRemote"), "ShowPairing")
    name, details = error_of(lambda: call("RedeemPairing", "not the secret"))
    expect(name == f"{CONTROL}.PairingRefused" and details["problem"] in ("no_invitation", "wrong_code"), "RedeemPairing")
    expect(call("HidePairing")["changed"] in (True, False), "HidePairing")
    name, _ = error_of(lambda: call("Lead"))
    expect(name == f"{CONTROL}.NoSharedBoard", "Lead without a shared board")
    name, _ = error_of(lambda: call("TakeWallMessage", "{}", True))
    expect(name == f"{CONTROL}.NoSharedBoard", "TakeWallMessage without a shared board")
    expect(call("ReportWalls", True) == {}, "ReportWalls")
    # flipclock-web, if it runs, reports again at its next connection.
    expect(call("ReportOwners", 0) == {}, "ReportOwners")
    expect(call("ReportNetwork", {"phase": "joining", "network": "Home"}) == {} and call("ReportNetwork") == {},
           "ReportNetwork")
    # flipclock-horn, if it runs, reports again at its next connection.
    expect(call("ReportHorn") == {} and call("ReportHorn", "busy") == {}, "ReportHorn")
    for output in call("GetStatus")["status"]["outputs"][:1]:
        expect(not call("Unblank", output=output["connector"])["changed"], "Unblank of one display")


def exercise_match(call, team, score, address):
    """Calls the methods of the match, and undoes each change."""
    state = call("GetState")["state"]
    revision = state["revision"]
    newest = [step["number"] for step in call("GetHistory", 1)["past"]]
    expect(team in [t["id"] for t in state["teams"]] and state["period"] >= 1, "GetState has the match")

    def done(what, reply, check=True):
        expect(reply["state"]["revision"] > revision and reply["what"] and check, f"{what}: {reply['what']}")
        return call("Undo")

    done("SetPeriod", call("SetPeriod", state["period"] + 1))
    done("AddPeriod", call("AddPeriod", 1))
    done("SetPeriodScore", call("SetPeriodScore", team, state["period"], score + 1))
    done("SetTeam", call("SetTeam", team=team, name="Löwen"))
    done("SetTeam with all parameters", call("SetTeam", team, "A", "B", "#123"))
    done("SetServing", call("SetServing", team if state.get("serving") != team else None))
    done("SwapSides", call("SwapSides"))
    done("StartBreak", call("StartBreak", "interval", None, 60_000))
    call("StartBreak", "interval", None, 60_000)
    name, details = error_of(lambda: call("StartBreak", "time-out", team, 60_000))
    expect(name == f"{CONTROL}.BreakNotNow" and details["problem"] == "other_break", "BreakNotNow")
    done("EndBreak", call("EndBreak"))
    call("Undo")
    name, _ = error_of(lambda: call("EndBreak"))
    expect(name == f"{CONTROL}.NoBreak", "EndBreak without a break")
    name, details = error_of(lambda: call("StartBreak", "interval", None, 0))
    expect(name == f"{CONTROL}.BreakOutOfRange" and details["minimum"] == 1, "BreakOutOfRange")
    call("AddScore", team, 1 if score < 999 else -1)
    done("EndMatch", call("EndMatch"))
    done("NewGame", call("NewGame"))
    call("Undo")
    call("SetTeam", team, "somebody else", "X", "#123456")
    done("Reset", call("Reset"))
    call("Undo")

    before = call("GetState")["state"]["revision"]
    name, details = error_of(lambda: call("SwapSides", terms={"revision": before + 1}))
    expect(name == f"{CONTROL}.MatchChanged" and details["revision"] == before, "MatchChanged")
    name, details = error_of(lambda: call("SwapSides", terms={"time": 0}))
    expect(name == f"{CONTROL}.TooLate" and details["milliseconds"] > 0, "TooLate")
    for _ in range(2):
        call("SwapSides", terms={"id": "varlink-client", "revision": before})
    expect(call("GetState")["state"]["revision"] == before + 1, "an id is performed once")
    call("Undo")

    counters = state["counters"]
    name, details = error_of(lambda: call("SetCounter", team, "none-such", 1))
    expect(name == f"{CONTROL}.UnknownCounter" and details["known"] == [c["id"] for c in counters], "UnknownCounter")
    name, _ = error_of(lambda: call("AddCounter", team, "none-such", 1))
    expect(name == f"{CONTROL}.UnknownCounter", "UnknownCounter to add to")
    for counter in counters:
        done("SetCounter", call("SetCounter", team, counter["id"], counter["limit"]))
        name, details = error_of(lambda c=counter: call("SetCounter", team, c["id"], c["limit"] + 1))
        expect(name == f"{CONTROL}.CounterOutOfRange" and details["maximum"] == counter["limit"], "CounterOutOfRange")

    expect("game" in state["timers"], "there is a game clock")
    call("PauseTimer")
    done("SetTimer", call("SetTimer", "game", 54321))
    done("AddTimer", call("AddTimer", "game", 1500))
    call("SetTimer", timer="game", milliseconds=30000)
    started = call("StartTimer", "game")
    expect(started["state"]["timers"]["game"]["running"], "StartTimer starts")
    expect(not call("PauseTimer", "game")["state"]["timers"]["game"]["running"], "PauseTimer pauses")
    for running in (True, False):
        toggled = call("ToggleTimer", "game")
        expect(toggled["state"]["timers"]["game"]["running"] == running, "ToggleTimer starts and pauses")
    call("ResetTimer", "game")
    name, details = error_of(lambda: call("SetTimer", "game", -360000000))
    expect(name == f"{CONTROL}.TimerOutOfRange" and details["milliseconds"] == -360000000, "TimerOutOfRange")
    name, details = error_of(lambda: call("StartTimer", "jam"))
    expect(name == f"{CONTROL}.UnknownTimer" and details["known"] == sorted(state["timers"]), "UnknownTimer")
    if {"game", "shot"} <= set(state["timers"]):
        exercise_shot_clock(call)
    name, _ = error_of(lambda: call("SetPeriod", 0))
    expect(name == f"{CONTROL}.PeriodOutOfRange", "PeriodOutOfRange")
    for text, problem in [("", "empty"), ("x" * 10000, "too_long"), ("a\nb", "control_character"),
                          ("a\u202eb", "direction_control"), ("Z" + "\u0301" * 5000, "too_many_marks")]:
        name, details = error_of(lambda t=text: call("SetTeam", team=team, name=t))
        expect(name == f"{CONTROL}.BadText" and details["problem"] == problem, f"BadText: {problem}")

    name, _ = error_of(lambda: call("AddPenalty", team))
    expect(name == f"{CONTROL}.NoPenalties", "NoPenalties")
    name, details = error_of(lambda: call("EndPenalty", team))
    expect(name == f"{CONTROL}.NoPenalty" and details["team"] == team, "NoPenalty")
    name, _ = error_of(lambda: call("ClearPenalties", team))
    expect(name == f"{CONTROL}.NoPenalty", "NoPenalty to clear")

    expect(call("GetMatches")["matches"] == [], "GetMatches")
    settings = call("GetSettings")
    expect({"key": "game.preset", "kind": "choice"}.items() <= {
        item["key"]: item for item in settings["settings"]}["game.preset"].items(), "GetSettings")
    name, details = error_of(lambda: call("SetSettings", [{"key": "game.colour", "value": "red"}]))
    expect(name == f"{CONTROL}.UnknownSetting" and details["key"] == "game.colour", "UnknownSetting")
    name, details = error_of(lambda: call("SetSettings", [{"key": "theme.name", "value": "glass"}]))
    expect(name == f"{CONTROL}.SettingRefused" and details["key"] == "theme.name", "SettingRefused")
    [changed] = call("SetSettings", [{"key": "remote.name", "value": "Hall 1"}])["settings"]
    expect(changed["value"] == "Hall 1" and changed["source"] == "settings", "SetSettings")
    old = {"revision": settings["revision"]}
    name, _ = error_of(lambda: call("ImportSettings", text=settings["text"], terms=old))
    expect(name == f"{CONTROL}.SettingsChanged", "SettingsChanged")
    call("ImportSettings", settings["text"])
    name, _ = error_of(lambda: call("ImportSettings", "[input]\nx = 1"))
    expect(name == f"{CONTROL}.UnknownSetting", "ImportSettings refuses other keys")
    name, _ = error_of(lambda: call("ImportSettings", ""))
    expect(name == f"{CONTROL}.BadSettings", "ImportSettings refuses an empty text")
    name, details = error_of(lambda: call("RestoreMatch", "4f3a"))
    expect(name == f"{CONTROL}.UnknownMatch" and details["match"] == "4f3a", "UnknownMatch")
    other = {
        "teams": [{"id": team, "name": "OTHER", "score": 3}], "period": 1, "sidesSwapped": False, "parked": [],
        "gameTimer": {}, "shotTimer": {}, "startScore": 0}
    name, details = error_of(lambda: call("SetMatch", other))
    expect(name == f"{CONTROL}.OtherTeams" and details["teams"] == [team], "OtherTeams")

    history = call("GetHistory", 3)
    name, details = error_of(lambda: call("Undo", 1000000))
    expect(name == f"{CONTROL}.TooManySteps" and details["known"] >= len(history["past"]), "TooManySteps")
    expect(0 < len(history["past"]) <= 3 and history["past"][0]["what"], "GetHistory")
    undone = call("Undo")
    expect(call("Redo")["what"] == undone["what"], "Redo does what was undone")
    name, _ = error_of(lambda: call("Redo"))
    expect(name == f"{CONTROL}.NothingToRedo", "NothingToRedo")
    # Undo only the changes of this test, because the daemon may show a real match.
    for _ in range(1000):
        if [step["number"] for step in call("GetHistory", 1)["past"]] == newest:
            break
        call("Undo")
    else:
        expect(False, "everything was undone")
    if not newest:
        name, _ = error_of(lambda: call("Undo"))
        expect(name == f"{CONTROL}.NothingToUndo", "NothingToUndo")
    call("SetScore", team, score)

    name, _ = error_of(lambda: call("Subscribe"))
    expect(name == "org.varlink.service.ExpectedMore", "Subscribe requires 'more'")
    exercise_watchers(call, address)


def exercise_shot_clock(call):
    """Provokes errors of a shot clock that runs with the game clock and counts down."""
    call("PauseTimer", "game")
    call("ResetTimer", "shot")
    name, _ = error_of(lambda: call("StartTimer", "shot"))
    expect(name == f"{CONTROL}.GameTimerPaused", "GameTimerPaused")
    call("SetTimer", "shot", 0)
    name, details = error_of(lambda: call("StartTimer", "shot"))
    expect(name == f"{CONTROL}.TimerAtEnd" and details["timer"] == "shot", "TimerAtEnd")
    call("ResetTimer", "shot")


def exercise_the_beginning(control):
    """Undoes all changes of the match, and redoes them."""
    undone = 0
    while error_of(control.Undo)[0] is None:
        undone += 1
    expect(f"{CONTROL}.NothingToUndo" in occurred, f"NothingToUndo, after {undone} changes")
    for _ in range(undone):
        control.Redo()


def exercise_watchers(call, address):
    with varlink.Client(address=f"unix:{address}") as client, client.open(CONTROL) as watcher:
        states = watcher.Subscribe(_more=True)
        first = next(states)["state"]
        expect(first["teams"] == call("GetState")["state"]["teams"], "Subscribe begins with the state")
        call("SwapSides")
        expect(next(states)["state"]["revision"] == first["revision"] + 1, "and sends every change")
        call("Undo")
        expect(next(states)["state"]["revision"] == first["revision"] + 2, "in order")
    with varlink.Client(address=f"unix:{address}") as client, client.open(CONTROL) as watcher:
        expect("page" in next(watcher.SubscribeDisplay(_more=True))["display"], "SubscribeDisplay")
    with varlink.Client(address=f"unix:{address}") as client, client.open(CONTROL) as walls:
        expect(next(walls.JoinWalls(_more=True))["event"].get("board") is None, "JoinWalls without a shared board")
    with contextlib.ExitStack() as crowd:
        def watch():
            client = crowd.enter_context(varlink.Client(address=f"unix:{address}"))
            next(crowd.enter_context(client.open(CONTROL)).Subscribe(_more=True))

        for watchers in range(1000):
            name, details = error_of(watch)
            if name:
                break
        expect(name == f"{CONTROL}.TooManySubscribers" and details["limit"] == watchers, "TooManySubscribers")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calls every method of a running flipclockd with the PyPI `varlink` client.

    varlink-client.py SOCKET

Introspects the daemon, then calls each method that it found, errors included; changes the scores of the
first team and puts them back. Needs `varlink` (pip install varlink==31.0.0). Exit status 0: all as the
interface promises.
"""

import base64
import sys

import varlink

CONTROL = "org.flipclock.Control"


def expect(condition, what):
    if not condition:
        sys.exit(f"varlink-client: not as promised: {what}")
    print(f"ok: {what}")


def error_of(call):
    """The name and the parameters of the error that `call` raises; None if it raises none."""
    try:
        call()
    except varlink.VarlinkError as error:
        return error.error(), error.parameters()
    return None


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: varlink-client.py SOCKET")
    with varlink.Client(address=f"unix:{sys.argv[1]}") as client:
        names = client.get_interfaces()
        expect(set(names) >= {"org.varlink.service", CONTROL}, "GetInfo names both interfaces")
        interface = client.get_interface(CONTROL)
        methods = {n for n, m in interface.members.items() if type(m).__name__ == "_Method"}
        errors = {n for n, m in interface.members.items() if type(m).__name__ == "_Error"}
        expect(len(methods) >= 5 and len(errors) >= 7, "the description parses")
        with client.open("org.varlink.service") as service, client.open(CONTROL) as control:
            called = exercise(service, control)
        expect(called == methods, f"every method was called: {', '.join(sorted(methods))}")


def exercise(service, control):
    called = set()

    def call(method, *arguments, **named):
        called.add(method)
        return getattr(control, method)(*arguments, **named)

    about = service.GetInfo()
    expect(about["product"] == "flipclockd" and about["version"], "GetInfo tells product and version")
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
    expect(call("AddScore", team=team, points=-3)["team"]["score"] == 40, "AddScore takes away")
    expect(call("GetStatus")["status"]["scoreboard"]["teams"][team]["score"] in (40, before), "GetStatus again")

    name, details = error_of(lambda: call("SetScore", "nobody", 1))
    expect(name == f"{CONTROL}.UnknownTeam" and team in details["known"], "UnknownTeam tells the known ones")
    name, details = error_of(lambda: call("SetScore", team, 1000))
    expect(name == f"{CONTROL}.ScoreOutOfRange" and details["maximum"] == 999, "ScoreOutOfRange tells the range")
    name, details = error_of(lambda: call("AddScore", team, -1000))
    expect(name == f"{CONTROL}.ScoreOutOfRange" and details["minimum"] == 0, "ScoreOutOfRange below zero")

    expect(control.AddScore(team, 1, _oneway=True) is None, "oneway gets no reply")
    expect(call("AddScore", team, 0)["team"]["score"] == 41, "oneway was done, and in order")
    replies = list(control.SetScore(team, before, _more=True))
    expect(len(replies) == 1 and replies[0]["team"]["score"] == before, "more on a method with one reply")

    outcome = call("Reload")
    expect(outcome["ok"] == (not outcome["errors"]), "Reload tells its outcome")
    try:
        shot = call("Screenshot")
        png = base64.b64decode(shot["png"], validate=True)
        expect(png.startswith(b"\x89PNG\r\n\x1a\n") and shot["width"] > 0 < shot["height"], "Screenshot is a PNG")
    except varlink.VarlinkError as error:
        expect(error.error() == f"{CONTROL}.NoDisplay", "Screenshot without a display")
    return called


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""A match by hand: periods, counters, clocks and undo, over restarts and with several clients."""

import contextlib
import csv
import datetime
import io
import json
import os
import random
import shlex
import subprocess
import threading
import time

from EndToEnd.daemon import CONFIG, CONTROL, DaemonTestCase, environment
from EndToEnd.preload import SLOW_DISK, preload

BASKETBALL = CONFIG + '\n[game]\npreset = "basketball"\n'


# Words without an example in `test_every_verb_does_what_it_says_and_is_undone`, because other tests cover
# them.
ELSEWHERE = set("""network undo redo history penalty new-game reset match matches watch show message blank unblank brightness
                   remote lead status reload restart screenshot score check doctor""".split())


class MatchTestCase(DaemonTestCase):
    """Tests that also call methods over connections to the control socket, without flipclockctl."""

    def call(self, client, method, **parameters):
        """Calls a method, and returns the reply's parameters or the name of its error."""
        message = {"method": f"org.flipclock.Control.{method}", "parameters": parameters}
        client.sendall(json.dumps(message).encode() + b"\0")
        return self.reply(client)

    def reply(self, client):
        data = b""
        while not data.endswith(b"\0"):
            chunk = client.recv(65536)
            if not chunk:
                raise ConnectionError("the daemon closed the connection")
            data += chunk
        reply = json.loads(data[:-1])
        return reply.get("error") or reply.get("parameters", {})

    def match(self):
        return self.call(self.connect(), "GetState")["state"]


class Match(MatchTestCase):
    """The commands of a match, and what the daemon reports and saves."""

    def test_every_verb_does_what_it_says_and_is_undone(self):
        self.config.write_text(BASKETBALL)
        self.start()
        before = self.match()
        verbs = [
            (("set", "home", "name", "LÖWEN"), "home: named LÖWEN"),
            (("set", "home", "short-name", "LÖ"), "home: short name LÖ"),
            (("set", "home", "color", "#f80"), "home: colour #ff8800"),
            (("set", "home", "fouls", "+2"), "fouls of home: 0 → 2"),
            (("set", "home", "fouls", "-1"), "fouls of home: 2 → 1"),
            (("set", "guest", "timeouts", "2"), "timeouts of guest: 0 → 2"),
            (("set", "serve", "guest"), "ball: guest"),
            (("set", "home", "score", "20"), "LÖWEN 20"), (("add-score", "guest", "3"), "GUEST 3"),
            (("set-score", "guest", "4"), "GUEST 4"),
            (("set", "period", "+1"), "period: 1 → 2, fouls of home: 1 → 0; 'flipclockctl undo' brings it back"),
            (("set", "home", "period-score", "1", "22"), "score of home in period 1: 22"),
            (("timer", "start"), "game timer started"), (("timer", "pause"), "game timer paused"),
            (("timer", "set", "5:00"), "game timer set to 5:00"),
            (("timer", "add", "-0:30"), "game timer -0:30"),
            (("timer", "set", "14", "--shot"), "shot timer set to 0:14"),
            (("timer", "toggle"), "game timer started"),
            (("timer", "stop"), "game timer paused"),
            (("timer", "reset"), "game timer reset"),
            (("swap",), "sides swapped"),
        ]
        # The list is complete: a new word of these has an example here or is in ELSEWHERE. A new verb is tried below
        # with the examples of its help.
        untried = {}
        for words in ((), ("set",), ("set", "home"), ("timer",)):
            offered = self.control("complete", "words", "--", *words).stdout.splitlines()
            alike = (words, ("set", "guest")) if words == ("set", "home") else (words,)
            tried = {example[len(words)] for example, _ in verbs if example[:len(words)] in alike}
            untried[words] = {line.split("\t")[0] for line in offered} - tried - ELSEWHERE
        new = untried.pop(())
        self.assertFalse(any(untried.values()), untried)
        for words, said in verbs:
            with self.subTest(words):
                self.assertEqual(self.control(*words).stdout.strip(), said)
        state = self.match()
        self.assertEqual([team["id"] for team in state["teams"]], ["guest", "home"])
        self.assertEqual(state["teams"][1]["periodScores"], [22, 0])
        self.assertEqual(state["teams"][1]["counters"], {"fouls": 0, "timeouts": 0})
        self.assertEqual(state["timers"]["game"]["milliseconds"], 600000)
        self.assertIn("sides swapped", self.control("history").stdout)
        for _ in verbs:
            self.control("undo")
        after = self.match()
        no_redo = {"revision": 0, "redo": None, "redoFacts": None}
        self.assertEqual({**after, **no_redo}, {**before, **no_redo})
        refused = self.control("undo", check=False)
        self.assertEqual((refused.returncode, refused.stderr.strip()), (2, "flipclockctl: there is nothing to undo"))
        for _ in verbs:
            self.control("redo")
        self.assertEqual(self.match()["teams"], state["teams"])
        self.control("new-game")
        self.assertEqual(self.match()["teams"][1]["name"], "HOME" if self.match()["sidesSwapped"] else "GUEST")
        self.control("undo")
        self.assertEqual(self.control("--json", "reset").returncode, 0)
        self.assertEqual([team["score"] for team in self.match()["teams"]], [0, 0])
        for verb in sorted(new):
            for example in self.control("help", verb).stdout.split("EXAMPLES:")[1].strip().splitlines():
                tried = self.control(*shlex.split(example)[1:], check=False)
                self.assertIn(tried.returncode, (0, 2), example + tried.stderr)

    def test_refusals_name_the_remedy(self):
        self.config.write_text(BASKETBALL)
        self.start()
        before = self.match()
        for words, code, said in [
            (("set", "home", "foul", "1"), 2, "did you mean 'fouls'"),
            (("set", "home", "fouls", "6"), 2, "not a number of FOULS: it must be between 0 and 5"),
            (("set", "hme", "name", "X"), 2, "did you mean 'home'"),
            (("set", "home", "nmae", "X"), 64, "did you mean 'name'"),
            (("set", "home", "name", "x" * 10000), 2, "at most 40 characters"),
            (("set", "home", "name", "a\u202eb"), 2, "direction"),
            (("set", "home", "name", "a\nb"), 2, "one line"),
            (("set", "home", "color", "red"), 64, "#ff8800"),
            (("set", "period", "0"), 2, "between 1 and 99"),
            (("timer", "start", "--shot"), 2, "timer start"),
            (("timer", "strat"), 64, "did you mean 'start'"),
            (("timer", "set", "10:60"), 64, "10:00"),
            (("timer", "add", "-11:00"), 2, "0:00 to 5999:59"),
            (("undo",), 2, "nothing to undo"), (("redo",), 2, "nothing to redo"),
            (("undu",), 64, "did you mean 'undo'"),
        ]:
            with self.subTest(words[:3]):
                result = self.control(*words, check=False)
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn(said, result.stderr)
        self.assertEqual(self.match(), before)

    def test_a_match_in_sets_ends_by_its_rules(self):
        self.config.write_text('[game]\npreset = "volleyball"\n')
        self.start()
        self.control("set", "serve", "guest")
        for number in (1, 2, 3):
            self.control("set-score", "home", "24")
            won = self.control("add-score", "home", "+1").stdout.strip()
            self.assertIn(f"home wins SET {number}, 25 : 0", won)
            self.assertEqual(self.match()["serving"], "home")
            refused = self.control("add-score", "guest", "+1", check=False)
            self.assertEqual(refused.returncode, 2)
            if number < 3:
                self.assertIn(f"SET {number} is over, 25 : 0", refused.stderr)
                self.control("set", "period", "+1")
        self.assertIn("home wins the match, 3 : 0", won)
        self.assertIn("the match is over, 3 : 0", refused.stderr)
        self.assertEqual(self.control("set", "period", "+1", check=False).returncode, 2)
        state = self.match()
        self.assertEqual((state["matchOver"], state["winner"], state["periodText"]), (True, "home", "SET 3"))
        self.assertIn("match over, 3 : 0", self.control("status").stdout)
        self.assertIn("undone: ", self.control("undo", "2").stdout)
        self.assertEqual([team["score"] for team in self.match()["teams"]], [0, 0])
        self.assertIn("only", self.control("undo", "99", check=False).stderr)

    def test_penalties_run_with_the_game_clock_and_survive_a_restart(self):
        self.config.write_text('[game]\npreset = "ice-hockey"\n')
        self.start()
        self.assertEqual(self.control("penalty", "home", "2:00", "--number", "17").stdout.strip(),
                         "penalty of home, number 17: 2:00")
        self.control("timer", "start")
        time.sleep(1.1)
        self.control("timer", "pause")
        [penalty] = self.match()["teams"][0]["penalties"]
        self.assertEqual((penalty["number"], penalty["running"]), (17, False))
        self.assertTrue(100000 < penalty["milliseconds"] < 119000, penalty)
        self.kill()
        self.start()
        self.assertEqual(self.match()["teams"][0]["penalties"], [penalty])
        self.control("penalty", "home", "--end", "--number", "17")
        self.assertEqual(self.match()["teams"][0]["penalties"], [])
        refused = self.control("penalty", "home", "--clear", check=False)
        self.assertEqual((refused.returncode, refused.stderr.strip()), (2, "flipclockctl: home has no penalty"))

    def test_a_time_out_stops_the_clock_and_is_limited_by_the_rules(self):
        self.config.write_text(BASKETBALL + 'resume = "running"\n')
        self.start()
        self.control("set", "period", "4")
        self.control("timer", "set", "1:00")
        self.control("timer", "start")
        self.assertEqual(self.control("time-out", "home").stdout.strip(), "timeouts of home: 0 → 1, time-out of home")
        state = self.match()
        self.assertEqual((state["gameBreak"]["kind"], state["gameBreak"]["team"]), ("time-out", "home"))
        self.assertFalse(state["timers"]["game"]["running"])
        self.assertTrue(50_000 < state["timers"]["break"]["milliseconds"] <= 60_000)
        # A key that is pressed twice counts once.
        for twice in (["time-out", "home"], ["set", "home", "timeouts", "+1"]):
            refused = self.control(*twice, check=False)
            self.assertEqual((refused.returncode, "a time-out of home is running" in refused.stderr), (2, True))
        self.control("set", "home", "timeouts", "+1", "--anyway")
        refused = self.control("time-out", "home", check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("the rules limit the TIME-OUTS of home to 2 in the last 2:00; --anyway counts one more", refused.stderr)
        self.control("time-out", "home", "--anyway")
        before = self.match()["timers"]["break"]["milliseconds"]
        self.kill()
        time.sleep(1.2)
        self.start()
        state = self.match()
        self.assertEqual(state["teams"][0]["counters"]["timeouts"], 3)
        self.assertTrue(state["timers"]["break"]["running"])
        self.assertLess(state["timers"]["break"]["milliseconds"], before - 1200)
        self.control("break", "end")
        self.assertNotIn("break", self.match()["timers"])
        self.control("undo")
        self.assertEqual(self.match()["gameBreak"]["kind"], "time-out")
        self.control("timer", "start")
        self.assertNotIn("gameBreak", self.match())

    def test_redoing_a_start_starts_the_clock_now(self):
        self.config.write_text(BASKETBALL)
        self.start()
        self.control("timer", "start")
        self.control("undo")
        time.sleep(1.5)
        self.assert_redo_starts_the_clock()
        self.control("undo")
        self.stop()
        time.sleep(1.5)
        self.start()
        self.assert_redo_starts_the_clock()

    def assert_redo_starts_the_clock(self):
        begin = time.monotonic()
        self.control("redo")
        passed = 600_000 - self.match()["timers"]["game"]["milliseconds"]
        self.assertLessEqual(passed, 1000 * (time.monotonic() - begin))

    def test_another_game_begins_a_new_match(self):
        volleyball = BASKETBALL.replace("basketball", "volleyball")
        self.config.write_text(BASKETBALL)
        self.start()
        self.control("set-score", "home", "40")
        self.control("set", "period", "4")
        self.replace_config(volleyball)
        self.wait_for("a new match", lambda: self.scores() == {"home": 0, "guest": 0})
        self.assertEqual(self.status()["scoreboard"]["period"], "SET 1")
        self.assertIn("a match of basketball was set aside; 'flipclockctl match list'", self.control("status").stdout)
        self.assertIn("[game] is volleyball now and was basketball before", self.log.read_text())
        self.assertIn("nothing to undo", self.control("undo", check=False).stderr)
        [match] = json.loads(self.control("--json", "match", "list").stdout)["matches"]
        self.assertRegex(match["text"], "^basketball: HOME 40 : 0 GUEST  QUARTER 4")
        refused = self.control("match", "restore", match["id"], check=False)
        self.assertIn('with preset = "basketball" in [game] it can be restored', refused.stderr)
        listed = lambda: len(json.loads(self.control("--json", "match", "list").stdout)["matches"])
        # While nothing has happened in the new match, the old one comes back with its game, also after a kill.
        self.kill()
        self.start()
        self.replace_config(BASKETBALL)
        self.wait_for("the old match", lambda: self.status()["scoreboard"]["period"] == "QUARTER 4")
        self.assertEqual(self.scores(), {"home": 40, "guest": 0})
        self.wait_for("the end of the save", lambda: not list(self.state.glob("match-*.json")))
        self.assertEqual(listed(), 0)
        self.assertIn("undone", self.control("undo").stdout)
        self.control("redo")
        self.replace_config(volleyball)
        self.wait_for("volleyball", lambda: self.status()["scoreboard"]["period"] == "SET 1")
        [match] = json.loads(self.control("--json", "match", "list").stdout)["matches"]
        # Something has happened.
        self.control("add-score", "home", "1")
        self.control("set-score", "home", "0")
        # A match without content is not set aside, and neither is one whose game does not change.
        self.replace_config(BASKETBALL)
        self.wait_for("basketball", lambda: self.status()["scoreboard"]["period"] == "QUARTER 1")
        self.control("match", "restore", match["id"])
        # It is set aside again when it is no longer the present match.
        self.assertEqual(listed(), 0)
        self.control("undo")
        self.assertEqual(listed(), 1)
        self.control("redo")
        self.replace_config(BASKETBALL + "periods = 6\n")
        self.control("reload")
        self.assertEqual(self.scores(), {"home": 40, "guest": 0})
        self.assertEqual(listed(), 0)
        # The config may change while the daemon is off.
        self.control("set-score", "guest", "38")
        self.kill()
        self.config.write_text(volleyball)
        for _ in range(2):
            self.start()
            self.assertEqual(self.scores(), {"home": 0, "guest": 0})
            matches = json.loads(self.control("--json", "match", "list").stdout)["matches"]
            self.assertRegex(matches[0]["text"], "^basketball: HOME 40 : 38 GUEST  QUARTER 4")
            self.assertEqual(len(matches), 2)
            self.kill()

    def test_undo_works_after_a_kill(self):
        self.start()
        self.control("set-score", "home", "5")
        self.control("add-score", "home", "+3")
        self.control("set", "home", "name", "نمور")
        self.kill()
        self.start()
        self.assertEqual(self.match()["teams"][0]["name"], "نمور")
        self.assertEqual(self.control("undo").stdout.strip(), "undone: home: named نمور")
        self.control("undo")
        self.assertEqual(self.scores()["home"], 5)
        self.control("redo")
        self.assertEqual(self.scores()["home"], 8)

    def finished(self):
        """Returns the home team's scores of the finished matches, the oldest first."""
        reply = json.loads(self.control("--json", "matches").stdout)
        return [match["teams"][0]["score"] for match in reversed(reply["finished"])]

    def test_finished_matches_are_listed_and_exported(self):
        self.config.write_text(BASKETBALL)
        self.start()
        self.assertIn("no match is finished", self.control("matches").stdout)
        self.control("set", "guest", "name", "=1+1, B")
        self.control("set-score", "home", "40")
        self.control("set", "period", "2")
        self.control("set-score", "guest", "38")
        self.control("new-game")
        self.assertRegex(self.control("matches").stdout, r"(?s)^finished:\n  .*basketball  HOME 40 : 38 =1\+1, B  40:0 0:38  abandoned\n$")
        [match] = json.loads(self.control("--json", "matches").stdout)["finished"]
        self.assertTrue(not match["over"] and match["abandoned"] and "winner" not in match, match)
        times = [datetime.datetime.fromisoformat(match[name].replace("Z", "+00:00")) for name in ("started", "ended")]
        self.assertEqual((times[1] - times[0]).total_seconds(), match["seconds"])
        with io.StringIO(self.control("matches", "--csv").stdout, newline="") as file:
            [row] = csv.DictReader(file)
        self.assertEqual((row["name_2"], row["score_1"], row["periods_1"], row["periods_2"]),
                         ("'=1+1, B", "40", "40 0", "0 38"))
        self.assertEqual(row["ended"], match["ended"])
        self.control("undo")
        self.assertEqual(self.finished(), [])
        self.control("redo")
        self.kill()
        # A damaged file is set aside; the match is not affected.
        (self.state / "matches.json").write_text("{")
        self.start()
        self.assertEqual(self.finished(), [])
        self.assertIn("matches.json was set aside", self.log.read_text())
        self.assertEqual(self.control("undo").stdout.strip(), "undone: new game")
        self.assertEqual(self.scores()["home"], 40)

    def test_a_kill_while_a_finished_match_is_written(self):
        slow = self.directory / "slow"
        variables = {"LD_PRELOAD": preload(self.directory, SLOW_DISK), "SLOW_DISK": str(slow)}
        self.start(**variables)
        for command, scores, finished in (("new-game", 7, []), ("undo", 0, [7])):
            if command == "new-game":
                self.control("set-score", "home", "7")
            else:
                self.control("new-game")
            slow.touch()
            caller = threading.Thread(target=lambda command=command: self.control(command, check=False))
            caller.start()
            self.wait_for("a write", lambda: list(self.state.glob(".flipclock-*.tmp")))
            self.kill()
            caller.join()
            slow.unlink()
            self.start(**variables)
            self.assertEqual((self.scores()["home"], self.finished()), (scores, finished))

    def test_kills_lose_no_finished_match(self):
        generator = random.Random(7)
        acknowledged, score = [], 0
        for _ in range(100 if "FLIPCLOCK_LONG" in os.environ else 8):
            self.start()
            finished = self.finished()
            self.assertEqual([value for value in finished if value in acknowledged], acknowledged[-200:])
            self.assertEqual(len(set(finished)), len(finished))
            self.assertLessEqual(len(set(finished) - set(acknowledged)), 1)
            self.assertNotIn(self.scores()["home"], finished)
            acknowledged = finished
            killer = threading.Timer(0.3 * generator.random(), self.process.kill)
            killer.start()
            while True:
                score += 1
                if self.control("set-score", "home", str(score), check=False).returncode:
                    break
                if self.control("new-game", check=False).returncode:
                    break
                acknowledged.append(score)
            killer.join()
            self.kill()

    def test_the_game_clock_is_paused_or_continues_after_a_restart(self):
        self.config.write_text(BASKETBALL)
        self.start()
        self.control("timer", "start")
        self.stop()
        time.sleep(1.2)
        self.start()
        timer = self.match()["timers"]["game"]
        self.assertFalse(timer["running"])
        self.assertTrue(590000 < timer["milliseconds"] <= 600000, timer)
        self.config.write_text(BASKETBALL + 'resume = "running"\n')
        self.control("reload")
        self.control("timer", "start")
        before = self.match()["timers"]["game"]["milliseconds"]
        self.kill()
        time.sleep(1.2)
        self.start()
        timer = self.match()["timers"]["game"]
        self.assertTrue(timer["running"])
        self.assertLess(timer["milliseconds"], before - 1200)

    def test_a_period_that_runs_out_is_reported_and_ends(self):
        self.config.write_text(BASKETBALL + 'clock-end = "next-period"\n')
        self.start()
        self.control("timer", "set", "0.5")
        watcher = self.connect()
        watcher.sendall(b'{"method":"org.flipclock.Control.Subscribe","more":true}\0')
        self.assertEqual(self.reply(watcher)["state"]["period"], 1)
        self.control("timer", "start")
        self.assertTrue(self.reply(watcher)["state"]["timers"]["game"]["running"])
        state = self.reply(watcher)["state"]
        self.assertEqual(state["period"], 2)
        self.assertEqual(state["timers"]["game"]["milliseconds"], 600000)

    def test_watch_prints_one_line_for_every_change(self):
        self.start()
        with subprocess.Popen([CONTROL, "--socket", self.socket, "--json", "watch"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, env=environment()) as watch:
            self.addCleanup(watch.kill)
            self.assertEqual(json.loads(watch.stdout.readline())["revision"], 0)
            for score in (1, 2, 3):
                self.control("set-score", "home", str(score))
                self.assertEqual(json.loads(watch.stdout.readline())["teams"][0]["score"], score)
            self.control("set-score", "home", "3")
            self.control("undo")
            self.assertEqual(json.loads(watch.stdout.readline())["redo"], "score of home: 2 → 3")
            self.stop()
            self.assertEqual(watch.wait(10), 1)
            said = watch.stderr.read()
            self.assertEqual(said.count("\n"), 1, said)
            self.assertIn("flipclockd has stopped", said)

    def test_watch_reports_a_config_that_changes_the_match(self):
        self.config.write_text(BASKETBALL)
        self.start()
        watcher = self.connect()
        watcher.settimeout(15)
        watcher.sendall(b'{"method":"org.flipclock.Control.Subscribe","more":true}\0')
        self.assertEqual(self.reply(watcher)["state"]["teams"][0]["name"], "HOME")
        # A config that does not change the match is not reported.
        self.replace_config(BASKETBALL + '[flip]\nduration = "700ms"\n')
        self.control("reload")
        self.replace_config(BASKETBALL + '[teams.home]\nname = "LIONS"\n[teams.guest]\n')
        self.assertEqual(self.reply(watcher)["state"]["teams"][0]["name"], "LIONS")
        self.replace_config(CONFIG + '[game]\npreset = "ice-hockey"\n[teams.home]\nname = "LIONS"\n[teams.guest]\n')
        self.assertEqual(self.reply(watcher)["state"]["preset"], "ice-hockey")
        self.assertEqual(self.match()["revision"], 0)

    def test_watch_distinguishes_changes_and_history_has_local_times(self):
        self.config.write_text(BASKETBALL)
        self.start()
        with subprocess.Popen([CONTROL, "--socket", self.socket, "watch"], stdout=subprocess.PIPE, text=True,
                              env=environment()) as watch, contextlib.ExitStack() as end:
            end.callback(watch.kill)
            last = watch.stdout.readline()
            for words in (["home", "fouls", "1"], ["home", "fouls", "2"], ["guest", "timeouts", "+1"],
                          ["home", "short-name", "LIO"], ["home", "color", "#ff8800"], ["home", "color", "#ff8801"]):
                with self.subTest(words):
                    self.control("set", *words)
                    line = watch.stdout.readline()
                    self.assertNotEqual(line, last)
                    last = line
            self.assertIn("fouls 2 : 0", last)
            self.stop()
        self.start()
        text = self.control("history", TZ="Asia/Tokyo").stdout
        now = datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=9)))
        self.assertRegex(text, rf"(?m)^ +{now:%Y-%m}-\d\d \d\d:\d\d:\d\d JST  fouls of home: 1 → 2$")
        step = json.loads(self.control("--json", "history", TZ="Asia/Tokyo").stdout)["past"][0]
        self.assertTrue(step["time"].endswith("Z"))

    def test_writers_and_watchers_see_the_same_order(self):
        self.start()
        watchers = [self.connect() for _ in range(10)]
        for watcher in watchers:
            watcher.sendall(b'{"method":"org.flipclock.Control.Subscribe","more":true}\0')
            self.assertEqual(self.reply(watcher)["state"]["revision"], 0)

        def write(team):
            client = self.connect()
            for _ in range(25):
                self.call(client, "AddScore", team=team, points=1)

        writers = [threading.Thread(target=write, args=(team,)) for team in ("home", "guest")]
        for writer in writers:
            writer.start()
        orders = []
        for watcher in watchers:
            seen, data = [], b""
            while len(seen) < 50:
                data += watcher.recv(65536)
                *whole, data = data.split(b"\0")
                states = [json.loads(message)["parameters"]["state"] for message in whole]
                seen += [(state["revision"], [team["score"] for team in state["teams"]]) for state in states]
            orders.append(seen)
        for writer in writers:
            writer.join()
        self.assertEqual([revision for revision, _ in orders[0]], list(range(1, 51)))
        self.assertTrue(all(order == orders[0] for order in orders))
        self.assertEqual(orders[0][-1][1], [25, 25])


class Storm(MatchTestCase):
    """Continuous changes, interrupted by kills of the daemon."""

    KILLS = 500
    SECONDS = 3600 if "FLIPCLOCK_LONG" in os.environ else 60

    def test_after_any_kill_every_acknowledged_change_is_there_exactly_once(self):
        dice = random.Random(4)
        end = time.monotonic() + self.SECONDS
        revision, scores, kills = 0, {"home": 0, "guest": 0}, 0
        while kills < self.KILLS and time.monotonic() < end:
            self.start(check=False)
            client = self.wait_for("a socket", self.try_connect)
            state = self.call(client, "GetState")["state"]
            # Besides the acknowledged changes, only the one in progress at the kill may be there.
            self.assertIn(state["revision"] - revision, (0, 1), f"after {kills} kills")
            found = {team["id"]: team["score"] for team in state["teams"]}
            if state["revision"] == revision:
                self.assertEqual(found, scores, f"after {kills} kills")
            revision, scores = state["revision"], found
            process = self.process
            # Most kills are during the first write after the start, the others during later, queued writes.
            killer = threading.Timer(dice.uniform(0, 0.5 if kills % 10 == 0 else 0.03), process.kill)
            killer.start()
            try:
                while True:
                    if dice.random() < 0.3:
                        reply = self.call(client, "Undo")
                        if isinstance(reply, dict):
                            scores = {team["id"]: team["score"] for team in reply["state"]["teams"]}
                    else:
                        team = dice.choice(("home", "guest"))
                        # A fast machine would exceed the largest score, 999.
                        points = -1 if scores[team] > 900 else 1
                        reply = self.call(client, "AddScore", team=team, points=points)
                        self.assertIsInstance(reply, dict, reply)
                        scores[team] = reply["team"]["score"]
                    if isinstance(reply, dict):
                        revision += 1
            except ConnectionError:
                pass
            client.close()
            killer.join()
            process.wait(10)
            kills += 1
        self.assertGreater(kills, 50)
        self.assertGreater(revision, kills / 3)

    def try_connect(self):
        try:
            return self.connect()
        except OSError:
            return None

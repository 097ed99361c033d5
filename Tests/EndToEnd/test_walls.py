# SPDX-License-Identifier: Apache-2.0
"""Several walls that show one match."""

import json
import os
import random
import selectors
import shutil
import signal
import socket
import time
import unittest

from EndToEnd.process import memory, processor_time
from EndToEnd.walls import Wall, WallsTestCase

LONG = "FLIPCLOCK_LONG" in os.environ
# How many followers one leader has in the measurement.
FOLLOWERS = int(os.environ.get("FLIPCLOCK_FOLLOWERS", "200" if LONG else "0"))


class WallsTests(WallsTestCase):
    def test_followers_show_the_leader_s_match_and_command_it(self):
        # The followers have other games of their own.
        self.start_broker()
        leader = Wall(self, "wall-0", "lead", "volleyball")
        first = Wall(self, "wall-1", "follow", "basketball")
        second = Wall(self, "wall-2", "follow", "free")
        self.walls = [leader, first, second]
        for wall in self.walls:
            wall.start()
        self.wait_connected()
        self.assertEqual([wall.wall()["role"] for wall in self.walls], ["leader", "follower", "follower"])
        leader.run("add-score", "home", "1")
        leader.run("set", "home", "name", "LÖWEN 🦁")
        state = self.wait_equal()
        self.assertEqual((state["preset"], state["teams"][0]["score"]), ("volleyball", 1))
        with self.subTest("a follower's commands change the match of all"):
            self.assertEqual(first.run("add-score", "guest", "1"), "GUEST 1")
            self.assertIn("undone", second.run("undo"))
            self.assertEqual(self.wait_equal()["teams"][1]["score"], 0)
        with self.subTest("the leader's refusals arrive"):
            result = second.control("add-score", "nobody", "1")
            self.assertEqual(result.returncode, 2)
            self.assertIn("nobody", result.stderr)
            self.assertIn("home", result.stderr)
        with self.subTest("undo says the same everywhere"):
            self.assertEqual({wall.state()["undo"] for wall in self.walls}, {leader.state()["undo"]})
        with self.subTest("the display is each wall's own"):
            first.run("message", "HELLO")
            self.assertNotIn("message", leader.status())

    def test_running_clocks_agree(self):
        leader, first, second = self.begin("lead", "follow", "follow")
        first.run("timer", "start")
        time.sleep(1)
        self.assert_equal_clocks()
        self.assertLess(leader.milliseconds(), 600_000)
        with self.subTest("they run on without the leader and the broker"):
            before = second.clock()
            leader.kill()
            self.stop_process(self.broker, signal.SIGKILL)
            time.sleep(1.5)
            after = second.clock()
            self.assertLess(max(before[0], after[0]) - min(before[1], after[1]), 0.1)

    def test_clocks_agree_however_old_the_leader_s_state_is(self):
        leader, first, second = self.begin("lead", "follow", "follow")
        with self.subTest("it was made while the broker was gone"):
            self.stop_process(self.broker, signal.SIGKILL)
            self.wait_for("the loss", lambda: not leader.wall()["reachable"])
            leader.run("timer", "start")
            time.sleep(4)
            self.start_broker()
            self.wait_connected()
            self.wait_equal()
            self.assert_equal_clocks()
        with self.subTest("it was made before a wall joined"):
            time.sleep(3)
            second.kill()
            shutil.rmtree(second.directory / "state")
            second.start()
            self.wait_connected()
            self.wait_equal()
            self.assert_equal_clocks()
        with self.subTest("it was made before the leader's flipclock-mqtt started again"):
            leader.stop_remote()
            first.kill()
            time.sleep(3)
            leader.start_remote()
            first.start()
            self.wait_connected()
            self.wait_equal()
            self.assert_equal_clocks()

    def test_a_wall_without_its_leader_keeps_showing_and_refuses_commands(self):
        leader, first, second = self.begin("lead", "follow", "follow")
        first.run("add-score", "home", "2")
        self.wait_equal()
        with self.subTest("all walls know the changes"):
            self.assertIn("score of home: 0 → 2", leader.run("history"))
            self.assertEqual(first.run("history"), leader.run("history"))
        connected = first.picture()
        leader.kill()
        self.wait_for("the loss", lambda: not first.wall()["reachable"])
        with self.subTest("a mark is shown"):
            self.assertNotEqual(first.picture(), connected)
        result = first.control("add-score", "home", "2")
        self.assertEqual(result.returncode, 2)
        self.assertIn("nothing was changed", result.stderr)
        self.assertEqual(first.score()["home"], 2)
        with self.subTest("a restart of the follower keeps the match"):
            second.kill()
            second.start()
            self.assertEqual(second.score()["home"], 2)
        leader.start()
        self.wait_connected()
        self.wait_equal()
        self.assertEqual(first.picture(), connected)
        first.run("add-score", "home", "3")
        self.assertEqual(self.wait_equal()["teams"][0]["score"], 5)

    def test_a_broker_that_forgets_everything(self):
        leader, first, _ = self.begin("lead", "follow", "follow")
        first.run("add-score", "home", "2")
        self.wait_equal()
        connected = leader.picture()
        self.stop_process(self.broker, signal.SIGKILL)
        for path in self.directory.glob("mosquitto.db*"):
            path.unlink()
        for wall in self.walls:
            self.wait_for("the loss", lambda wall=wall: not wall.wall()["reachable"])
        with self.subTest("the leader has the mark, too"):
            self.assertNotEqual(leader.picture(), connected)
        # The leader's wall still accepts commands.
        leader.run("add-score", "guest", "3")
        self.start_broker()
        self.wait_connected()
        self.assertEqual([team["score"] for team in self.wait_equal()["teams"]], [2, 3])
        leader.run("undo")
        self.assertEqual(leader.picture(), connected)

    def test_a_follower_that_was_cut_off_catches_up(self):
        leader, first, second = self.begin("lead", "follow", "follow")
        seconds = 600 if LONG else 5
        # A stopped process is like a network that loses everything.
        second.remote.send_signal(signal.SIGSTOP)
        end = time.monotonic() + seconds
        count = 0
        while time.monotonic() < end:
            (leader if count % 2 else first).run("add-score", "home", "1")
            count += 1
            time.sleep(0.2 if seconds < 60 else 5)
        result = second.control("add-score", "guest", "1")
        self.assertEqual(result.returncode, 2)
        self.assertIn("nothing was changed", result.stderr)
        second.remote.send_signal(signal.SIGCONT)
        self.wait_connected()
        state = self.wait_equal()
        self.assertEqual([team["score"] for team in state["teams"]], [count, 0])

    def test_a_takeover_and_the_return_of_the_old_leader(self):
        leader, first, second = self.begin("lead", "follow", "follow")
        leader.run("add-score", "home", "2")
        self.wait_equal()
        leader.kill()
        result = first.control("lead")
        self.assertEqual(result.returncode, 2)
        self.assertIn("lead --anyway", result.stderr)
        self.assertEqual(first.run("lead", "--anyway"), "this wall leads now")
        self.assertEqual(first.run("lead"), "this wall leads already")
        self.wait_for("the new leader", lambda: second.wall()["reachable"])
        second.run("add-score", "guest", "3")
        leader.start()
        self.wait_for("the old leader follows", lambda: leader.wall().get("role") == "follower")
        self.wait_connected()
        self.assertEqual([team["score"] for team in self.wait_equal()["teams"]], [2, 3])
        leader.run("add-score", "home", "1")
        self.assertEqual(self.wait_equal()["teams"][0]["score"], 3)
        with self.subTest("the takeover lasts over restarts"):
            for wall in self.walls:
                wall.kill()
            for wall in reversed(self.walls):
                wall.start()
            self.wait_connected()
            self.assertEqual([wall.wall()["role"] for wall in self.walls], ["follower", "leader", "follower"])
            self.assertEqual(self.wait_equal()["teams"][0]["score"], 3)

    def test_two_leaders(self):
        self.start_broker()
        self.walls = [Wall(self, f"wall-{index}", role) for index, role in enumerate(["lead", "lead", "follow"])]
        for wall in self.walls[:2]:
            wall.start_daemon()
        for wall, score in zip(self.walls, ("10", "20")):
            result = wall.control("set-score", "home", score)
            self.assertEqual(result.returncode, 2)
            self.assertIn("never reached", result.stderr)
            wall.run("lead", "--anyway")
            wall.run("set-score", "home", score)
        for wall in self.walls[:2]:
            wall.start_remote()
        self.walls[2].start()
        self.wait_for("one leader", lambda: sorted(wall.wall()["role"] for wall in self.walls) == [
            "follower", "follower", "leader"])
        self.wait_connected()
        score = self.wait_equal()["teams"][0]["score"]
        self.assertIn(score, (10, 20))
        loser = self.walls[1 if score == 10 else 0]
        self.assertEqual(loser.wall()["role"], "follower")
        self.assertIn("another wall leads", loser.log.read_text())
        with self.subTest("the match of the wall that gave up is kept"):
            self.assertEqual(loser.wall()["setAside"], 1)
            kept, = (loser.directory / "state").glob("match-*.json")
            self.assertEqual(json.loads(kept.read_text())["scoreboard"]["teams"][0]["score"], 30 - score)

    def test_the_own_match_returns(self):
        _, first, _ = self.begin("lead", "follow", "follow")
        first.configure(None)
        first.run("reload")
        self.assertNotIn("wall", first.status())
        first.run("set-score", "home", "7")
        self.walls[0].run("set-score", "home", "40")
        first.configure("follow")
        first.run("reload")
        self.wait_connected()
        self.wait_equal()
        first.kill()
        first.start()
        self.wait_connected()
        self.assertEqual(self.wait_equal()["teams"][0]["score"], 40)
        first.configure(None)
        first.run("reload")
        self.assertEqual(first.score()["home"], 7)

    def test_garbage_and_old_messages_change_nothing(self):
        leader, first, _ = self.begin("lead", "follow", "follow")
        first.run("set-score", "home", "5")
        state = self.wait_equal()
        message = json.loads(self.retained("flipclock/hall/walls/state")["flipclock/hall/walls/state"])
        old = json.dumps(message)
        first.run("set-score", "home", "6")
        state = self.wait_equal()
        topics = ["state", "all", f"to/{message['from']}"]
        run = message["history"]["stamp"]["run"]
        request = {**message, "from": "0123456789abcdef", "to": message["from"], "kind": "request", "id": "z"}
        garbage = [
            json.dumps({**message, "version": 1}).encode(), b"", b"{", b"null", b"[]", b"\xff\xfe", b"{}" * 20_000,
            b"x" * 100_000, json.dumps({"version": 1}).encode(), old.encode(),
            json.dumps({**message, "history": {**message["history"], "stamp": {
                "number": 1, "run": {**run, "reign": -1}}}}).encode(),
            *(json.dumps({**request, "request": {
                "method": method, "parameters": parameters, "time": message["sent"]}}).encode()
              for method, parameters in (("Reload", "{}"), ("SetScore", "[["))),
        ]
        for topic in topics:
            for payload in garbage:
                self.publish(f"flipclock/hall/walls/{topic}", payload)
                self.publish(f"flipclock/hall/walls/{topic}", payload, retain=True)
        with self.subTest("an old command is refused, and its sender gets the reason"):
            # Answers to the garbage are sent to another name.
            answers = self.subscribe("flipclock/hall/walls/to/fedcba9876543210")
            old_request = {
                "method": "SetScore", "parameters": json.dumps({"team": "home", "score": 99}),
                "time": message["sent"] - 60_000_000_000}
            self.publish(
                f"flipclock/hall/walls/to/{message['from']}",
                json.dumps({**request, "from": "fedcba9876543210", "id": "old-1", "request": old_request}))
            self.assertIn("TooLate", answers.take(1)[0])
        self.assertIn("install the same release on all walls", self.logs())
        first.run("add-score", "home", "1")
        after = self.wait_equal()
        self.assertEqual(after["teams"][0]["score"], 7)
        self.assertEqual(after["teams"][1], state["teams"][1])
        self.assertEqual(leader.wall()["role"], "leader")
        self.assertLess(self.logs().count("dropped a message"), 60)

    def test_random_failures_lose_and_double_nothing(self):
        """Scores from any wall, while daemons, connections and the broker fail in any order."""
        seeds = range(20 if LONG else 1)
        performed = 0
        for seed in seeds:
            with self.subTest(seed=seed):
                performed += self.fail_at_random(random.Random(seed), f"{seed}-")
        # Many commands are refused while something has failed. If all were refused, the test would prove
        # nothing.
        self.assertGreater(performed, 3 * len(seeds))

    def fail_at_random(self, choices, prefix):
        if not self.broker or self.broker.poll() is not None:
            self.start_broker()
        self.walls = [Wall(self, f"{prefix}{index}", role) for index, role in enumerate(["lead", "follow", "follow"])]
        for wall in self.walls:
            wall.start()
        self.wait_connected()
        leader = self.walls[0]
        # The new leader continues the match that the broker has retained.
        before = self.wait_equal()["teams"][0]["score"]
        done, unknown = 0, 0
        for _ in range(40):
            wall = choices.choice(self.walls)
            event = choices.randrange(12)
            if event == 0 and wall.daemon.poll() is None:
                wall.kill_daemon()
            elif event == 1 and wall.remote.poll() is None:
                wall.stop_remote(choices.choice([signal.SIGKILL, signal.SIGTERM]))
            elif event == 2 and self.broker.poll() is None:
                self.stop_process(self.broker, signal.SIGKILL)
                if choices.randrange(2):
                    for path in self.directory.glob("mosquitto.db*"):
                        path.unlink()
            elif event in (3, 4):
                if wall.daemon.poll() is not None:
                    wall.start_daemon()
                if wall.remote.poll() is not None:
                    wall.start_remote()
            elif event == 5 and self.broker.poll() is not None:
                self.start_broker()
            elif event == 6 and wall.daemon.poll() is None:
                wall.control("timer", choices.choice(["start", "pause"]))
            elif wall.daemon.poll() is None:
                result = wall.control("add-score", "home", "1")
                if result.returncode == 0:
                    done += 1
                elif "nothing was changed" not in result.stderr:
                    unknown += 1
            time.sleep(choices.random() / 10)
        if self.broker.poll() is not None:
            self.start_broker()
        for wall in self.walls:
            if wall.daemon.poll() is not None:
                wall.start_daemon()
            if wall.remote.poll() is not None:
                wall.start_remote()
        self.wait_connected()
        score = self.wait_equal(seconds=40)["teams"][0]["score"] - before
        self.assert_equal_clocks()
        self.assertGreaterEqual(score, done)
        self.assertLessEqual(score, done + unknown)
        self.assertEqual(leader.wall()["role"], "leader")
        for wall in self.walls:
            wall.kill()
        return done


@unittest.skipUnless(FOLLOWERS, "only with FLIPCLOCK_LONG or FLIPCLOCK_FOLLOWERS=200")
class ManyFollowers(WallsTestCase):
    """One leader and hundreds of followers, each with two processes."""

    rate = 20
    seconds = 20

    def connect_to(self, wall):
        client = socket.socket(socket.AF_UNIX)
        client.connect(str(wall.socket))
        self.addCleanup(client.close)
        return client

    def watch(self, wall):
        """Returns a socket on which the match arrives."""
        client = self.connect_to(wall)
        client.sendall(b'{"method":"org.flipclock.Control.Subscribe","more":true}\0')
        return client

    def test_every_follower_shows_every_change(self):
        self.start_broker()
        leader = Wall(self, "leader", "lead", "free")
        leader.start()
        followers = [Wall(self, f"follower-{index}", "follow", "free") for index in range(FOLLOWERS)]
        for wall in followers:
            wall.start()
        self.walls = [leader, *followers]
        self.wait_connected(seconds=120)
        selector = selectors.DefaultSelector()
        for wall in followers:
            selector.register(self.watch(wall), selectors.EVENT_READ, [wall, b"", 0])
        before = {process: processor_time(process) for process in (leader.remote, self.broker)}
        # The calls of one connection wait for each other until they are on the disk.
        callers = [self.connect_to(leader) for _ in range(4 * self.rate)]
        sent, latencies, start = {}, [], time.monotonic()
        count = self.rate * self.seconds
        while len(latencies) < count * FOLLOWERS and time.monotonic() < start + self.seconds + 60:
            due = min(int((time.monotonic() - start) * self.rate), count)
            while len(sent) < due:
                number = len(sent) + 1
                sent[number] = time.monotonic()
                callers[number % len(callers)].sendall(json.dumps({
                    "method": "org.flipclock.Control.SetScore",
                    "parameters": {"team": "home", "score": number}}).encode() + b"\0")
            for key, _ in selector.select(0.01):
                data = key.fileobj.recv(1 << 20)
                now = time.monotonic()
                *messages, rest = (key.data[1] + data).split(b"\0")
                key.data[1] = rest
                for message in messages:
                    score = json.loads(message)["parameters"]["state"]["teams"][0]["score"]
                    # A follower may skip a state that a later one has replaced; the later one contains its
                    # change.
                    for number in range(key.data[2] + 1, score + 1):
                        latencies.append(now - sent[number])
                    key.data[2] = max(key.data[2], score)
        self.assertEqual(len(latencies), count * FOLLOWERS)
        latencies.sort()
        used = time.monotonic() - start
        costs = [
            f"{memory(process, 'VmRSS')} KiB and {100 * (processor_time(process) - earlier) / used:.0f} % of a core"
            for process, earlier in before.items()]
        print(f"\n{FOLLOWERS} followers, {self.rate} changes/s for {self.seconds} s: from the command to a follower's daemon "
              f"p50 {latencies[len(latencies) // 2] * 1e3:.0f} ms, p99 {latencies[len(latencies) * 99 // 100] * 1e3:.0f} ms; "
              f"leader's flipclock-mqtt {costs[0]}, mosquitto {costs[1]}")
        states = {json.dumps(wall.state(), sort_keys=True) for wall in (leader, followers[0], followers[-1])}
        self.assertEqual(len(states), 1)

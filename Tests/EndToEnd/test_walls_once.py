# SPDX-License-Identifier: Apache-2.0
"""A point counts once on several walls, whatever the network, the memory cards and the clocks do."""

import concurrent.futures
import http.client
import itertools
import json
import shutil
import statistics
import subprocess
import time
import unittest

from EndToEnd.daemon import DAEMON, PATIENCE, environment, free_port
from EndToEnd.network import HERE, Network
from EndToEnd.pace import Pace
from EndToEnd.preload import WRONG_CLOCK, preload
from EndToEnd.walls import Wall, WallsTestCase

WEB = DAEMON.with_name("flipclock-web")


class CutOff(WallsTestCase):
    """The packets between a follower and the broker are lost."""

    broker_address = "0.0.0.0"

    def setUp(self):
        super().setUp()
        self.network = Network(self, ["wall-2"])
        self.start_broker()
        self.walls = [Wall(self, f"wall-{index}", role) for index, role in enumerate(["lead", "follow", "follow"])]
        self.walls[2].wrapper, self.walls[2].broker = self.network.inside("wall-2"), self.network.addresses[HERE]
        for wall in self.walls:
            wall.start()
        self.wait_connected()

    def cut(self):
        self.network.cut((HERE, "wall-2"), ("wall-2", HERE))
        self.wait_for("the loss", lambda: not self.walls[2].wall()["reachable"])

    def restore(self, home, guest):
        """Waits until all walls are connected again and show these scores, and one of them leads."""
        self.network.restore()
        self.wait_connected()
        self.wait_for("the scores", lambda: all(
            wall.score() == {"home": home, "guest": guest} for wall in self.walls))
        self.wait_for("one leader", lambda: sorted(wall.wall()["role"] for wall in self.walls) == [
            "follower", "follower", "leader"], 10)
        self.wait_equal()

    @staticmethod
    def kept(wall):
        """The scores of the matches that a wall has set aside."""
        return [tuple(json.loads(path.read_text())["scoreboard"]["teams"][index]["score"] for index in (0, 1))
                for path in (wall.directory / "state").glob("match-*.json")]

    def test_a_wall_that_was_cut_off_erases_nothing(self):
        leader, near, far = self.walls
        leader.run("set-score", "home", "10")
        leader.run("set-score", "guest", "8")
        self.wait_equal()
        self.cut()
        for index in range(30):
            (leader, near)[index % 2].run("add-score", "home", "1")
        with self.subTest("without a confirmation"):
            result = far.control("add-score", "home", "1")
            self.assertIn("nothing was changed", result.stderr)
            result = far.control("lead")
            self.assertEqual(result.returncode, 2)
            self.assertIn("lead --anyway", result.stderr)
            self.restore(40, 8)
            self.assertEqual((leader.wall()["role"], [wall.wall()["setAside"] for wall in self.walls]),
                             ("leader", [0, 0, 0]))
        with self.subTest("with a confirmation, while its match is a part of the leader's"):
            self.cut()
            leader.run("set-score", "guest", "30")
            self.assertEqual(far.run("lead", "--anyway"), "this wall leads now")
            self.restore(40, 30)
            self.assertEqual([wall.wall()["setAside"] for wall in self.walls], [0, 0, 0])
        with self.subTest("with a confirmation, when both go on alone"):
            if leader.wall()["role"] != "leader":
                self.assertIn("this wall leads", leader.run("lead"))
                self.wait_connected()
            self.cut()
            leader.run("set-score", "guest", "50")
            far.run("lead", "--anyway")
            # The wall continues alone after it has noticed that it does not reach the broker and a person has
            # confirmed it.
            self.wait_for("the refusal", lambda: "makes it go on alone" in far.control("set-score", "home", "60").stderr)
            far.run("lead", "--anyway")
            self.assertEqual(far.run("set-score", "home", "70"), "HOME 70")
            self.restore(70, 30)
            self.assertIn((40, 50), self.kept(leader))
        with self.subTest("and when the first leader leads again"):
            if leader.wall()["role"] != "leader":
                self.assertIn("this wall leads", leader.run("lead"))
                self.wait_connected()
            self.assertEqual(leader.run("add-score", "home", "1"), "HOME 71")
            self.wait_equal()
            self.assertIn((40, 50), self.kept(leader))

    def test_a_wall_that_never_received_the_match_empties_none(self):
        leader, near, far = self.walls
        self.cut()
        far.kill()
        shutil.rmtree(far.directory / "state")
        leader.run("set-score", "home", "50")
        far.start()
        result = far.control("lead", "--anyway")
        self.assertEqual(result.returncode, 2)
        self.assertIn("has never received the match", result.stderr)
        self.restore(50, 0)
        self.assertEqual(near.run("add-score", "home", "1"), "HOME 51")

    def test_what_the_network_has_kept_is_not_counted(self):
        """Both taps are made while packets are lost in one direction, and no clock is synchronized."""
        leader, _, far = self.walls
        far.run("add-score", "home", "1")
        self.network.cut(("wall-2", HERE))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda team: far.control("add-score", team, "1"), ("home", "guest")))
        self.assertEqual([result.returncode for result in results], [2, 2])
        time.sleep(5)
        self.restore(1, 0)
        # TCP sends lost data again, each time after a longer delay.
        time.sleep(15)
        self.assertEqual(leader.score(), {"home": 1, "guest": 0})


class Cards(WallsTestCase):
    """Memory cards are replaced."""

    def test_a_new_card_that_starts_without_the_broker(self):
        leader, first = self.begin("lead", "follow")
        leader.run("set-score", "home", "40")
        self.wait_equal()
        for wall in self.walls:
            wall.kill()
        self.forget_broker()
        shutil.rmtree(leader.directory / "state")
        leader.start_daemon()
        leader.kill_daemon()
        self.start_broker()
        self.start_after_a_new_card(leader, first)


class Phones(WallsTestCase):
    """A phone at each of two walls."""

    def start_web(self, wall):
        """Returns a function that gives a command as a paired phone, and returns the status."""
        port = free_port()
        wall.config.write_text(wall.config.read_text() + f'[remote]\naddress = "127.0.0.1"\nport = {port}\n')
        wall.run("reload")
        with open(wall.log, "ab") as log:
            web = subprocess.Popen(
                [WEB, "--listen", f"127.0.0.1:{port}", "--socket", wall.socket, "--state-dir", wall.directory / "web"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment())
        self.addCleanup(self.stop_process, web)
        self.wait_for("the page", lambda: "connected to the daemon" in wall.log.read_text(errors="replace"))
        ids = itertools.count()

        def post(path, body, cookie="", **headers):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30 * PATIENCE)
            connection.request("POST", path, body, {
                "Origin": f"http://127.0.0.1:{port}", "Content-Type": "text/plain", "Cookie": cookie,
                "Idempotency-Key": f'"{wall.name}-{next(ids)}"',
                "Flipclock-Time": str(round(time.clock_gettime(time.CLOCK_BOOTTIME) * 1000)), **headers})
            response = connection.getresponse()
            response.read()
            connection.close()
            return response
        paired = post("/pair", json.loads(wall.run("--json", "remote"))["code"])
        self.assertEqual(paired.status, 200)
        cookie = paired.headers["Set-Cookie"].split(";")[0]
        return lambda command, **headers: post("/commands", command, cookie, **headers).status

    def test_of_simultaneous_undos_at_two_walls_one_is_performed(self):
        leader, first = self.begin("lead", "follow")
        phones = [self.start_web(wall) for wall in self.walls]
        leader.run("set-score", "home", "100")
        for number in range(20):
            self.assertEqual(phones[number % 2]("add-score home 1"), 200)
            state = self.wait_equal()
            condition = {"If-Match": f'"{state["revision"]}"'}
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                statuses = list(pool.map(lambda phone, c=condition: phone("undo", **c), phones))
            self.assertEqual(sorted(statuses), [200, 412])
            self.assertEqual(self.wait_equal()["teams"][0]["score"], 100)
        self.assertEqual(first.score(), leader.score())


class Clocks(WallsTestCase):
    """The walls' clocks differ, although they are reported as synchronized."""

    # By how much the time of day, in milliseconds, and the time since the boot, in seconds, are ahead on each
    # wall.
    differences = ((0, 0), (-1500, 4000), (700, -900))

    def setUp(self):
        super().setUp()
        library = preload(self.directory, WRONG_CLOCK)
        self.start_broker()
        self.walls = [Wall(self, f"wall-{index}", role) for index, role in enumerate(["lead", "follow", "follow"])]
        for wall, (realtime, boot) in zip(self.walls, self.differences):
            wall.variables = {"LD_PRELOAD": library, "WRONG_CLOCK": str(realtime)}
            wrapper = ("unshare", "--time", "--monotonic", str(boot), "--boottime", str(boot))
            # Time namespaces need root, and Linux 6.1 for a program that is executed in them.
            if subprocess.run([*wrapper, "true"], capture_output=True, check=False).returncode == 0:
                wall.wrapper = wrapper
            wall.start()
        self.wait_connected()

    def frames(self, client):
        client.sendall(b'{"method":"org.flipclock.Control.GetStatus"}\0')
        data = b""
        while not data.endswith(b"\0"):
            data += client.recv(65536)
        return json.loads(data[:-1])["parameters"]["status"]["outputs"][0]["framesPresented"]

    def connect_to(self, wall):
        self.socket = wall.socket
        return self.connect()

    def test_game_clocks_agree(self):
        leader, first, second = self.walls
        for wall, action in ((first, "start"), (leader, "pause"), (second, "start")):
            wall.run("timer", action)
            time.sleep(1)
            self.wait_equal()
            self.assert_equal_clocks()
        # The difference includes the time for which the leader's last message waited for a busy machine.
        for wall, difference in ((first, 1500), (second, -700)):
            self.wait_for(f"a difference of {difference} ms", lambda wall=wall, difference=difference: abs(
                wall.wall()["clockDifference"] - difference) <= 200)

    def test_a_wall_that_starts_while_a_game_clock_runs_shows_it(self):
        leader, *others = self.walls
        leader.run("timer", "start")
        for wall in 2 * others:
            # The retained state arrives before the leader is heard, so its age is known only by the time of
            # day.
            wall.kill()
            shutil.rmtree(wall.directory / "state")
            wall.start()
            self.wait_connected()
            self.assert_equal_clocks()

    def test_flips_begin_together(self):
        clients = [self.connect_to(wall) for wall in self.walls]
        spreads = []
        with Pace() as pace:
            for number in range(12):
                for wall in self.walls:
                    wall.picture()
                before = [self.frames(client) for client in clients]
                self.walls[number % 3].run("add-score", "home", "1")
                begin, shown = time.monotonic(), [None] * 3
                while None in shown:
                    for index, client in enumerate(clients):
                        if shown[index] is None and self.frames(client) != before[index]:
                            shown[index] = time.monotonic()
                    self.assertLess(time.monotonic() - begin, 10 * PATIENCE)
                spreads.append(max(shown) - min(shown))
            print(f"\nfirst frames of {len(self.walls)} walls apart: median {statistics.median(spreads) * 1e3:.0f} ms, at most "
                  f"{max(spreads) * 1e3:.0f} ms")
            # A frame at 60 Hz, and the time for the calls.
            self.assertLess(statistics.median(spreads), 0.04 + pace.allowance(6))


if __name__ == "__main__":
    unittest.main()

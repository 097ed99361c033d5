# SPDX-License-Identifier: Apache-2.0
"""Home Assistant with flipclock-mqtt: its entities appear, and they work in both directions. Home Assistant with
flipclock-web: the recipe of docs/http.md.

Home Assistant comes from PyPI (`scripts/home-assistant`, which `scripts/setup home-assistant` runs). It is
started with an empty config, set up as a person would do it, over its HTTP interface.
"""

import json
import re
import signal
import subprocess
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

from EndToEnd.broker import CONFIG, BrokerTestCase
from EndToEnd.daemon import PROJECT, environment, free_port
from EndToEnd.test_http import ProgramTestCase


class Home:
    """Home Assistant for a test, which is skipped without it."""

    def __init__(self, test, lines=""):
        found = subprocess.run(
            [PROJECT / "scripts/home-assistant", "--installed"], capture_output=True, text=True, check=False)
        if found.returncode != 0:
            raise unittest.SkipTest(f"no Home Assistant; run: scripts/setup home-assistant ({found.stderr.strip()})")
        self.test = test
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.token = None
        self.log = test.directory / "home-assistant.log"
        config = test.directory / "home"
        config.mkdir()
        (config / "configuration.yaml").write_text(
            f"http:\n  server_host: 127.0.0.1\n  server_port: {port}\nlogger:\n  default: warning\n{lines}")
        with open(self.log, "ab") as log:
            process = subprocess.Popen(
                [found.stdout.strip(), "-m", "homeassistant", "--config", config, "--skip-pip"], stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, env=environment(PATH="/usr/bin:/bin", HOME=str(test.directory)))
        test.addCleanup(self.stop, process)
        test.wait_for("Home Assistant", lambda: self.request("GET", "/manifest.json"), 180)
        client = self.url + "/"
        user = {"name": "Owner", "username": "owner", "password": "a-password", "client_id": client, "language": "en"}
        code = self.request("POST", "/api/onboarding/users", user)["auth_code"]
        tokens = self.request(
            "POST", "/auth/token", form={"grant_type": "authorization_code", "code": code, "client_id": client})
        self.token = tokens["access_token"]

    @staticmethod
    def stop(process):
        process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(60)

    def add_broker(self, port):
        """Adds the MQTT integration."""
        flow = self.request("POST", "/api/config/config_entries/flow", {"handler": "mqtt"})
        result = self.request(
            "POST", f"/api/config/config_entries/flow/{flow['flow_id']}", {"broker": "127.0.0.1", "port": port})
        self.test.assertEqual(result["type"], "create_entry", result)

    def request(self, method, path, data=None, form=None):
        """Returns the reply as JSON; None if there is no connection."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        body = None
        if form is not None:
            body = urllib.parse.urlencode(form).encode()
        elif data is not None:
            body = json.dumps(data).encode()
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(self.url + path, data=body, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as reply:
                return json.loads(reply.read())
        except urllib.error.HTTPError as error:
            with error:
                text = error.read().decode(errors="replace")
            raise AssertionError(f"{method} {path}: {error.code} {text}\n{self.text()}") from None
        except OSError:
            return None

    def text(self):
        return self.log.read_text(errors="replace")[-6000:]

    def states(self):
        return {state["entity_id"]: state for state in self.request("GET", "/api/states") or []}

    def state(self, entity):
        state = self.states().get(entity)
        return state and state["state"]

    def call(self, domain, service, **data):
        self.request("POST", f"/api/services/{domain}/{service}", data)

    def becomes(self, entity, value, seconds=20):
        self.test.wait_for(f"{entity} that is {value} (it is {self.state(entity)})", lambda: self.state(entity) == value,
                           seconds)


class RestTests(ProgramTestCase):
    def test_the_recipe(self):
        recipe = self.code(self.recipes()["Home Assistant"])
        home = Home(self, recipe.replace("scan_interval: 5", "scan_interval: 1"))
        home.becomes("sensor.hall_score", "0 : 0", 60)
        for text in ("DOORS OPEN", "{red}LATE{/}\nnow", "Grüße 🟥"):
            home.call("rest_command", "hall_board", text=text)
            self.wait_for("the text", lambda: self.boards()["hall"]["text"] == text)
        self.control("add-score", "guest", "3")
        home.becomes("sensor.hall_score", "0 : 3")
        attributes = home.states()["sensor.hall_score"]["attributes"]
        state = json.loads(self.request("GET", "/state.json")[2])
        for member in ("period_text", "game_clock", "winner"):
            self.assertEqual(attributes[member], state[member])
        self.assertEqual([line for line in home.text().splitlines() if "ERROR" in line], [])


class EntityTests(BrokerTestCase):
    def board(self):
        return json.loads(self.control("board", "--json").stdout)["boards"][0]

    def countdown(self):
        countdowns = json.loads(self.control("countdown", "--json").stdout)["countdowns"]
        return next((countdown for countdown in countdowns if countdown["name"] == "doors"), {})

    def test_entities_work_in_both_directions(self):
        self.config.write_text(CONFIG.replace('["match"]', '["match", "doors"]') + '''
[widgets.doors]
type = "timer"
source = "countdown"
countdown = "doors"
''')
        self.start()
        self.start_broker()
        # Messages that an earlier wall, or another program, has left behind.
        self.publish("homeassistant/number/flipclock_hall/gone_score/config", '{"name":"gone"', retain=True)
        self.publish("homeassistant/light/flipclock_hall/light/config", b"\xff\xfe garbage", retain=True)
        self.publish("flipclock/hall/entity/home_score/state", "not a number", retain=True)
        self.publish("flipclock/hall/entity/home_score/set", "999", retain=True)
        self.publish("flipclock/hall/command", "set-score home 998", retain=True)
        self.start_remote()
        home = Home(self)
        home.add_broker(self.port)

        home.becomes("number.flipclock_hall_home_score", "0", 60)
        states = home.states()
        entities = {name for name in states if ".flipclock_hall_" in name}
        for name in (
                "number.flipclock_hall_guest_score", "button.flipclock_hall_home_plus_1",
                "button.flipclock_hall_home_minus_1", "button.flipclock_hall_undo", "button.flipclock_hall_redo",
                "switch.flipclock_hall_clock", "sensor.flipclock_hall_clock_time",
                "button.flipclock_hall_shot_clock_reset", "number.flipclock_hall_period",
                "sensor.flipclock_hall_period_name", "text.flipclock_hall_message",
                "button.flipclock_hall_message_clear", "select.flipclock_hall_message_preset",
                "select.flipclock_hall_page", "light.flipclock_hall_light", "sensor.flipclock_hall_version",
                "sensor.flipclock_hall_processor", "sensor.flipclock_hall_memory",
                "sensor.flipclock_hall_missed_flips", "binary_sensor.flipclock_hall_problem"):
            self.assertIn(name, entities)
        self.assertNotIn("number.flipclock_hall_gone_score", entities)
        self.assertEqual(states["number.flipclock_hall_home_score"]["attributes"]["max"], 999)
        self.assertEqual(self.scores(), {"home": 0, "guest": 0})
        unavailable = [name for name in entities if states[name]["state"] == "unavailable"]
        self.assertEqual(unavailable, [])

        with self.subTest("a number"):
            home.call("number", "set_value", entity_id="number.flipclock_hall_home_score", value=25)
            home.becomes("number.flipclock_hall_home_score", "25")
            self.assertEqual(self.scores()["home"], 25)
            self.control("set-score", "guest", "7")
            home.becomes("number.flipclock_hall_guest_score", "7")
        with self.subTest("a button"):
            home.call("button", "press", entity_id="button.flipclock_hall_home_plus_3")
            home.becomes("number.flipclock_hall_home_score", "28")
            home.call("button", "press", entity_id="button.flipclock_hall_undo")
            home.becomes("number.flipclock_hall_home_score", "25")
            self.assertEqual(self.scores()["home"], 25)
        with self.subTest("a press has a time and an id"):
            presses = self.subscribe("flipclock/hall/entity/+/set")
            for _ in range(2):
                home.call("button", "press", entity_id="button.flipclock_hall_undo")
            home.call("text", "set_value", entity_id="text.flipclock_hall_message", value='A "B" \\ {{ 7 * 7 }} ü')
            payloads = [json.loads(text) for text in presses.take(3)]
            self.assertEqual({payload["value"] for payload in payloads}, {"PRESS", 'A "B" \\ {{ 7 * 7 }} ü'})
            self.assertEqual(len({payload["id"] for payload in payloads}), 3)
            for payload in payloads:
                self.assertLess(abs(payload["time"] / 1000 - time.time()), 30)
            home.becomes("text.flipclock_hall_message", 'A "B" \\ {{ 7 * 7 }} ü')
        with self.subTest("presses that waited are refused, and later ones are performed"):
            self.control("set-score", "home", "25")
            home.becomes("number.flipclock_hall_home_score", "25")
            self.broker.send_signal(signal.SIGSTOP)
            for _ in range(3):
                home.call("button", "press", entity_id="button.flipclock_hall_home_plus_3")
            time.sleep(8)
            self.broker.send_signal(signal.SIGCONT)
            self.wait_for("refusals", lambda: self.logged("s old; at most 5 s"))
            home.call("button", "press", entity_id="button.flipclock_hall_home_plus_1")
            home.becomes("number.flipclock_hall_home_score", "26")
            # Payloads without a time, such as the light's, are accepted only some seconds after the
            # connection.
            time.sleep(5.5)
        with self.subTest("the light"):
            home.call("light", "turn_on", entity_id="light.flipclock_hall_light", brightness_pct=40)
            self.wait_for("the brightness", lambda: self.status()["brightness"] == 40)
            home.call("light", "turn_off", entity_id="light.flipclock_hall_light")
            home.becomes("light.flipclock_hall_light", "off")
            self.assertTrue(self.status()["blanked"])
            self.control("unblank")
            home.becomes("light.flipclock_hall_light", "on")
            self.control("brightness", "60%")
            self.wait_for("the light's brightness", lambda: home.states()["light.flipclock_hall_light"][
                "attributes"].get("brightness") == 153)
        with self.subTest("the clock"):
            home.call("switch", "turn_on", entity_id="switch.flipclock_hall_clock")
            home.becomes("switch.flipclock_hall_clock", "on")
            home.becomes("sensor.flipclock_hall_clock_time", "9:58")
            self.control("timer", "pause")
            home.becomes("switch.flipclock_hall_clock", "off")
        with self.subTest("messages and pages"):
            home.call("text", "set_value", entity_id="text.flipclock_hall_message", value="DINNER")
            home.becomes("text.flipclock_hall_message", "DINNER")
            self.assertEqual(self.status()["message"], "DINNER")
            home.call("button", "press", entity_id="button.flipclock_hall_message_clear")
            home.becomes("text.flipclock_hall_message", "")
            home.call("select", "select_option", entity_id="select.flipclock_hall_message_preset", option="BACK SOON")
            home.becomes("select.flipclock_hall_message_preset", "BACK SOON")
            home.call("select", "select_option", entity_id="select.flipclock_hall_page", option="match")
            home.becomes("select.flipclock_hall_page", "match")
            self.assertEqual(self.status()["page"], "match")
        with self.subTest("boards"):
            board = "text.flipclock_hall_board_departures"
            self.assertEqual(home.state(board), "")
            for text in ("ZURICH 12:30", "{red}LATE{/} {{ 7 * 7 }}", 'A "B" \\ ü 🟥', "x" * 255, ""):
                home.call("text", "set_value", entity_id=board, value=text)
                self.wait_for("the text", lambda: self.board()["text"] == text)
                home.becomes(board, text)
            self.assertEqual(self.board()["from"], "mqtt")
            self.control("board", "departures", "BERN\n12:45")
            home.becomes(board, "BERN 12:45")
            self.publish("flipclock/hall/board/departures/set", "KEPT", retain=True)
            home.becomes(board, "KEPT")
            self.control("board", "departures", "--clear")
            home.becomes(board, "")
        with self.subTest("countdowns"):
            doors = "flipclock_hall_countdown_doors"
            self.assertEqual(home.state(f"switch.{doors}_running"), "off")
            home.call("text", "set_value", entity_id=f"text.{doors}", value="15:00 DOORS OPEN")
            home.becomes(f"switch.{doors}_running", "on")
            # 15 minutes less the time since then.
            self.wait_for("the time", lambda: re.match(r"1[0-5]:\d\d\Z", home.state(f"sensor.{doors}_time")))
            self.assertEqual(self.countdown()["label"], "DOORS OPEN")
            home.call("switch", "turn_off", entity_id=f"switch.{doors}_running")
            home.becomes(f"switch.{doors}_running", "off")
            left = self.countdown()["milliseconds"]
            home.call("text", "set_value", entity_id=f"text.{doors}", value="--add 5:00")
            self.wait_for("the longer time", lambda: self.countdown()["milliseconds"] == left + 300_000)
            home.call("button", "press", entity_id=f"button.{doors}_clear")
            self.wait_for("no countdown", lambda: self.countdown().get("milliseconds") is None)
            self.control("countdown", "talk", "5:00")
            home.becomes("switch.flipclock_hall_countdown_talk_running", "on")
            self.control("countdown", "talk", "--clear")
            self.wait_for("the end of its entities", lambda: not [name for name in home.states() if "_talk" in name])
        with self.subTest("a refused change is not shown"):
            home.call("button", "press", entity_id="button.flipclock_hall_redo")
            home.call("number", "set_value", entity_id="number.flipclock_hall_period", value=99)
            home.becomes("number.flipclock_hall_period", "99")
            home.call("button", "press", entity_id="button.flipclock_hall_undo")
            home.becomes("number.flipclock_hall_period", "1")
        with self.subTest("other teams"):
            self.replace_config(self.config.read_text() + '\n[teams.red]\nname = "Red"\n[teams.blue]\nname = "Blue"\n')
            home.becomes("number.flipclock_hall_red_score", "0")
            self.wait_for("the end of the old team", lambda: "number.flipclock_hall_home_score" not in home.states())
        with self.subTest("the daemon and the remote go away"):
            self.stop()
            home.becomes("light.flipclock_hall_light", "unavailable")
            self.start()
            home.becomes("light.flipclock_hall_light", "on")
            self.stop_process(self.remote)
            home.becomes("light.flipclock_hall_light", "unavailable")
        errors = [line for line in home.text().splitlines() if "flipclock" in line and "ERROR" in line]
        # The config that is not JSON, and the value that is not a number, were there before the wall.
        self.assertEqual([line for line in errors if "gone_score" not in line and "light/config" not in line], [])

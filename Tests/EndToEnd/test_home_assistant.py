# SPDX-License-Identifier: Apache-2.0
"""Home Assistant with flipclock-mqtt: its entities appear, and they work in both directions.

Home Assistant comes from PyPI (`scripts/home-assistant`, which `scripts/setup home-assistant` runs). It is
started with an empty config, set up as a person would do it, over its HTTP interface, and connected with a
mosquitto broker.
"""

import json
import signal
import subprocess
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

from EndToEnd.broker import BrokerTestCase
from EndToEnd.daemon import free_port
from EndToEnd.daemon import PROJECT, environment


class HomeAssistantTests(BrokerTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        found = subprocess.run(
            [PROJECT / "scripts/home-assistant", "--installed"], capture_output=True, text=True, check=False)
        if found.returncode != 0:
            raise unittest.SkipTest(f"no Home Assistant; run: scripts/setup home-assistant ({found.stderr.strip()})")
        cls.python = found.stdout.strip()

    def setUp(self):
        super().setUp()
        self.home_port = free_port()
        self.url = f"http://127.0.0.1:{self.home_port}"
        self.token = None
        self.home_log = self.directory / "home-assistant.log"

    # Home Assistant

    def start_home(self):
        config = self.directory / "home"
        config.mkdir(exist_ok=True)
        (config / "configuration.yaml").write_text(
            f"http:\n  server_host: 127.0.0.1\n  server_port: {self.home_port}\nlogger:\n  default: warning\n")
        with open(self.home_log, "ab") as log:
            process = subprocess.Popen(
                [self.python, "-m", "homeassistant", "--config", config, "--skip-pip"], stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, env=environment(PATH="/usr/bin:/bin", HOME=str(self.directory)))
        self.addCleanup(self.stop_process, process)
        self.wait_for("Home Assistant", lambda: self.request("GET", "/manifest.json"), 180)
        return process

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
            raise AssertionError(f"{method} {path}: {error.code} {text}\n{self.home_text()}") from None
        except OSError:
            return None

    def home_text(self):
        return self.home_log.read_text(errors="replace")[-6000:]

    def onboard(self):
        """Creates the owner, and adds the MQTT integration."""
        client = self.url + "/"
        user = {"name": "Owner", "username": "owner", "password": "a-password", "client_id": client, "language": "en"}
        code = self.request("POST", "/api/onboarding/users", user)["auth_code"]
        tokens = self.request(
            "POST", "/auth/token", form={"grant_type": "authorization_code", "code": code, "client_id": client})
        self.token = tokens["access_token"]
        flow = self.request("POST", "/api/config/config_entries/flow", {"handler": "mqtt"})
        result = self.request(
            "POST", f"/api/config/config_entries/flow/{flow['flow_id']}", {"broker": "127.0.0.1", "port": self.port})
        self.assertEqual(result["type"], "create_entry", result)

    def states(self):
        return {state["entity_id"]: state for state in self.request("GET", "/api/states") or []}

    def home_state(self, entity):
        state = self.states().get(entity)
        return state and state["state"]

    def call(self, domain, service, **data):
        self.request("POST", f"/api/services/{domain}/{service}", data)

    def becomes(self, entity, value, seconds=20):
        def equal():
            return self.home_state(entity) == value
        self.wait_for(f"{entity} that is {value} (it is {self.home_state(entity)})", equal, seconds)

    def test_entities_work_in_both_directions(self):
        self.start()
        self.start_broker()
        # Messages that an earlier wall, or another program, has left behind.
        self.publish("homeassistant/number/flipclock_hall/gone_score/config", '{"name":"gone"', "-r")
        self.publish("homeassistant/light/flipclock_hall/light/config", b"\xff\xfe garbage", "-r")
        self.publish("flipclock/hall/entity/home_score/state", "not a number", "-r")
        self.publish("flipclock/hall/entity/home_score/set", "999", "-r")
        self.publish("flipclock/hall/command", "set-score home 998", "-r")
        self.start_remote()
        self.start_home()
        self.onboard()

        self.becomes("number.flipclock_hall_home_score", "0", 60)
        states = self.states()
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
            self.call("number", "set_value", entity_id="number.flipclock_hall_home_score", value=25)
            self.becomes("number.flipclock_hall_home_score", "25")
            self.assertEqual(self.scores()["home"], 25)
            self.control("set-score", "guest", "7")
            self.becomes("number.flipclock_hall_guest_score", "7")
        with self.subTest("a button"):
            self.call("button", "press", entity_id="button.flipclock_hall_home_plus_3")
            self.becomes("number.flipclock_hall_home_score", "28")
            self.call("button", "press", entity_id="button.flipclock_hall_undo")
            self.becomes("number.flipclock_hall_home_score", "25")
            self.assertEqual(self.scores()["home"], 25)
        with self.subTest("a press has a time and an id"):
            presses = self.subscribe("flipclock/hall/entity/+/set", "-R", "-C", "3", "-W", "20")
            time.sleep(0.5)
            for _ in range(2):
                self.call("button", "press", entity_id="button.flipclock_hall_undo")
            self.call("text", "set_value", entity_id="text.flipclock_hall_message", value='A "B" \\ {{ 7 * 7 }} ü')
            payloads = [json.loads(line) for line in presses.communicate(timeout=30)[0].splitlines()]
            self.assertEqual({payload["value"] for payload in payloads}, {"PRESS", 'A "B" \\ {{ 7 * 7 }} ü'})
            self.assertEqual(len({payload["id"] for payload in payloads}), 3)
            for payload in payloads:
                self.assertLess(abs(payload["time"] / 1000 - time.time()), 30)
            self.becomes("text.flipclock_hall_message", 'A "B" \\ {{ 7 * 7 }} ü')
        with self.subTest("presses that waited are refused, and later ones are performed"):
            self.control("set-score", "home", "25")
            self.becomes("number.flipclock_hall_home_score", "25")
            self.broker.send_signal(signal.SIGSTOP)
            for _ in range(3):
                self.call("button", "press", entity_id="button.flipclock_hall_home_plus_3")
            time.sleep(8)
            self.broker.send_signal(signal.SIGCONT)
            self.wait_for("refusals", lambda: self.logged("s old; at most 5 s"))
            self.call("button", "press", entity_id="button.flipclock_hall_home_plus_1")
            self.becomes("number.flipclock_hall_home_score", "26")
            # Payloads without a time, such as the light's, are accepted only some seconds after the
            # connection.
            time.sleep(5.5)
        with self.subTest("the light"):
            self.call("light", "turn_on", entity_id="light.flipclock_hall_light", brightness_pct=40)
            self.wait_for("the brightness", lambda: self.status()["brightness"] == 40)
            self.call("light", "turn_off", entity_id="light.flipclock_hall_light")
            self.becomes("light.flipclock_hall_light", "off")
            self.assertTrue(self.status()["blanked"])
            self.control("unblank")
            self.becomes("light.flipclock_hall_light", "on")
            self.control("brightness", "60%")
            self.wait_for("the light's brightness", lambda: self.states()["light.flipclock_hall_light"][
                "attributes"].get("brightness") == 153)
        with self.subTest("the clock"):
            self.call("switch", "turn_on", entity_id="switch.flipclock_hall_clock")
            self.becomes("switch.flipclock_hall_clock", "on")
            self.becomes("sensor.flipclock_hall_clock_time", "9:58")
            self.control("timer", "pause")
            self.becomes("switch.flipclock_hall_clock", "off")
        with self.subTest("messages and pages"):
            self.call("text", "set_value", entity_id="text.flipclock_hall_message", value="DINNER")
            self.becomes("text.flipclock_hall_message", "DINNER")
            self.assertEqual(self.status()["message"], "DINNER")
            self.call("button", "press", entity_id="button.flipclock_hall_message_clear")
            self.becomes("text.flipclock_hall_message", "")
            self.call("select", "select_option", entity_id="select.flipclock_hall_message_preset", option="BACK SOON")
            self.becomes("select.flipclock_hall_message_preset", "BACK SOON")
            self.call("select", "select_option", entity_id="select.flipclock_hall_page", option="match")
            self.becomes("select.flipclock_hall_page", "match")
            self.assertEqual(self.status()["page"], "match")
        with self.subTest("a refused change is not shown"):
            self.call("button", "press", entity_id="button.flipclock_hall_redo")
            self.call("number", "set_value", entity_id="number.flipclock_hall_period", value=99)
            self.becomes("number.flipclock_hall_period", "99")
            self.call("button", "press", entity_id="button.flipclock_hall_undo")
            self.becomes("number.flipclock_hall_period", "1")
        with self.subTest("other teams"):
            self.replace_config(self.config.read_text() + '\n[teams.red]\nname = "Red"\n[teams.blue]\nname = "Blue"\n')
            self.becomes("number.flipclock_hall_red_score", "0")
            self.wait_for("the end of the old team", lambda: "number.flipclock_hall_home_score" not in self.states())
        with self.subTest("the daemon and the remote go away"):
            self.stop()
            self.becomes("light.flipclock_hall_light", "unavailable")
            self.start()
            self.becomes("light.flipclock_hall_light", "on")
            self.stop_process(self.remote)
            self.becomes("light.flipclock_hall_light", "unavailable")
        errors = [line for line in self.home_text().splitlines() if "flipclock" in line and "ERROR" in line]
        # The config that is not JSON, and the value that is not a number, were there before the wall.
        self.assertEqual([line for line in errors if "gone_score" not in line and "light/config" not in line], [])

# SPDX-License-Identifier: Apache-2.0
"""The broker on the settings page of flipclock-web, with the real programs, a real broker and a real browser."""

import json
import pathlib
import socket
import stat
import subprocess

from EndToEnd.broker import MQTT, find_program
from EndToEnd.daemon import environment, free_port
from EndToEnd.test_web_page import LANGUAGES
from EndToEnd.test_web_page_settings import ALERT, LAYOUT, NOTE, READY, SettingsTestCase

STATE = "document.querySelector('#mqtt-state').textContent"
SECRET = "correct horse \"battery\""


class BrokerSettings(SettingsTestCase):
    def setUp(self):
        super().setUp()
        self.broker_port = free_port()
        self.mqtt_config = self.directory / "mqtt.toml"
        self.mqtt_config.write_text("")
        self.mqtt_log = self.directory / "mqtt.log"
        self.mqtt_socket = self.directory / "mqtt.sock"
        self.mqtt = None

    def run_process(self, *command, **variables):
        with open(self.mqtt_log, "ab") as log:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment(**variables))

        def stop():
            process.terminate()
            process.wait(20)
        self.addCleanup(stop)
        return process

    def start_broker(self):
        passwords = self.directory / "passwords"
        subprocess.run(
            [find_program("mosquitto_passwd"), "-c", "-b", passwords, "wall", SECRET], check=True, capture_output=True)
        config = self.directory / "mosquitto.conf"
        config.write_text(f"listener {self.broker_port} 127.0.0.1\nuser root\nallow_anonymous false\npassword_file {passwords}\n")
        self.run_process(find_program("mosquitto"), "-c", config)

        def listens():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.broker_port)) == 0
        self.wait_for("broker", listens)

    def start_mqtt(self):
        self.mqtt = self.run_process(
            MQTT, "--config", self.mqtt_config, "--socket", self.socket, "--state-dir", self.directory / "mqtt-state",
            FLIPCLOCK_MQTT_SOCKET=str(self.mqtt_socket))
        self.wait_for("flipclock-mqtt", self.mqtt_socket.exists)

    def says(self, phone, text):
        phone.wait_for(f"{STATE}.startsWith({json.dumps(text)})", 30)

    def broker(self, host="127.0.0.1"):
        return f"{host}:{self.broker_port}"

    def set(self, phone, key, value):
        self.enter(phone, key, value)
        phone.wait_for(f"settings.get('{key}')?.value === '{value}' && !document.body.hasAttribute('aria-busy')")

    def set_password(self, phone, text):
        phone.run("const node = document.getElementById('mqtt-password'); node.value = arguments[0];"
                  "node.form.requestSubmit()", text)

    def test_a_wrong_password_then_the_right_one(self):
        self.start_broker()
        self.start_mqtt()
        phone = self.start_owner()
        self.says(phone, "No broker is set.")
        self.assertFalse(phone.run("return document.querySelector('#mqtt-password') !== null"))
        self.set(phone, "broker.port", str(self.broker_port))
        self.set(phone, "broker.host", "127.0.0.1")
        self.says(phone, "The broker does not accept this user name and password.")
        self.set(phone, "broker.username", "wall")
        self.set_password(phone, "SECRET-wrong")
        phone.wait_for("document.querySelector('#mqtt-secret').textContent.includes('A password is set.')")
        self.says(phone, "The broker does not accept this user name and password.")
        self.set_password(phone, SECRET)
        self.says(phone, f"Connected with {self.broker()}")
        self.assertEqual(phone.run("return document.getElementById('mqtt-password').value"), "")

        with self.subTest("it is kept, for this program only"):
            self.mqtt.terminate()
            self.mqtt.wait(20)
            self.says(phone, "The program flipclock-mqtt is not running.")
            self.start_mqtt()
            self.says(phone, f"Connected with {self.broker()}")
        with self.subTest("secrets nowhere"):
            for secret in ("SECRET-wrong", "correct horse"):
                for path in self.directory.rglob("*"):
                    if path.is_file() and secret in path.read_text(errors="replace"):
                        self.assertEqual(path, self.directory / "mqtt-state/password.json")
                        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
                self.assertNotIn(secret, phone.run("return document.documentElement.outerHTML + JSON.stringify(mqtt)"))
                self.assertNotIn(secret, self.control("status", "--json").stdout)
                for process in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
                    try:
                        self.assertNotIn(secret.encode(), process.read_bytes())
                    except OSError:
                        pass
        with self.subTest("another broker does not get it"):
            self.set(phone, "broker.host", "localhost")
            phone.wait_for("document.querySelector('#mqtt-secret').textContent.includes('A password for another broker is stored.')")
            self.says(phone, "The broker does not accept this user name and password.")
            phone.click("#undo")
            self.says(phone, f"Connected with {self.broker()}")
        with self.subTest("removed"):
            # It may be behind the button at the foot.
            phone.run("$['mqtt-password-clear'].scrollIntoView({ block: 'center' })")
            phone.click("#mqtt-password-clear")
            self.says(phone, "The broker does not accept this user name and password.")

    def test_what_is_wrong_is_said_in_words(self):
        phone = self.start_owner(language="de")
        self.says(phone, "Das Programm flipclock-mqtt läuft nicht.")
        self.start_mqtt()
        self.says(phone, "Es ist kein Broker eingetragen.")
        self.set(phone, "broker.port", str(self.broker_port))
        self.set(phone, "broker.host", "127.0.0.1")
        self.says(phone, f"Unter {self.broker()} nimmt nichts Verbindungen an.")
        self.set(phone, "broker.host", "no-such-host.invalid")
        self.says(phone, "Der Name des Brokers ist in diesem Netz unbekannt")
        self.enter(phone, "broker.port", "1884")
        phone.wait_for("settings.get('broker.port')?.value === '1884'")
        self.enter(phone, "board.name", "a/b")
        phone.wait_for(f"{ALERT}.startsWith('Name in MQTT-Topics')")

    def test_what_is_changed_after_the_program_has_ended_does_not_stop_later_changes(self):
        self.start_mqtt()
        phone = self.start_owner()
        self.set(phone, "broker.port", str(self.broker_port))
        self.set(phone, "broker.host", "127.0.0.1")
        phone.run("window.mistakes = []; console.error = (...values) => mistakes.push(values.join(' '));"
                  "addEventListener('unhandledrejection', event => mistakes.push(String(event.reason)));"
                  # The rest of the settings is slow.
                  "window.genuine = fetch; window.fetch = async (path, ...rest) => {"
                  "  if (path === '/settings.json') await new Promise(done => setTimeout(done, 2000));"
                  "  return genuine(path, ...rest); }")
        self.mqtt.terminate()
        self.mqtt.wait(20)
        phone.wait_for("mqtt === null", 30)
        # The state of the display arrives, and a person changes the broker and gives a password.
        phone.run_async("$.form.made = ''; draw(); change({ 'broker.port': '1999' }).then(arguments[0])")
        self.assertEqual(phone.run(f"return {ALERT}"), "The program flipclock-mqtt is not running.")
        phone.run_async("$.undo.click(); turn.then(arguments[0])")
        self.assertEqual(phone.run(f"return {ALERT}"), "The program flipclock-mqtt is not running.")
        self.assertEqual(phone.run("return [made.length, isBusy, mistakes]"), [2, False, []])
        self.choose(phone, "paper")
        self.expect(phone, theme__name="paper")
        self.start_mqtt()
        phone.wait_for("mqtt !== null", 30)
        for count in (2, 1, 0):
            phone.run_async("$.undo.click(); turn.then(arguments[0])")
            self.assertEqual(phone.run("return made.length"), count, phone.run(f"return {ALERT}"))
        self.says(phone, "No broker is set.")

    def test_the_password_waits_for_changes_and_has_their_revision(self):
        self.start_mqtt()
        phone = self.start_owner()
        self.set(phone, "broker.host", "127.0.0.1")
        phone.run("""
            window.sent = [];
            const genuine = fetch;
            window.fetch = async (path, options) => {
              if (options?.method === "POST") sent.push([path, options.headers["If-Match"] === `"${mqtt.revision}"`, isBusy]);
              return genuine(path, options);
            };
            // None has an answer when the next is made.
            change({ "broker.username": "wall" });
            change({ "theme.name": "paper" });
            $["mqtt-password"].value = "SECRET";
            $["mqtt-password"].form.requestSubmit();
        """)
        phone.wait_for("mqtt.state.password === 'settings' && !isBusy")
        self.assertEqual(phone.run("return sent"), [["/mqtt", True, True], ["/settings", False, True], ["/mqtt/password", True, True]])
        self.assertEqual(phone.run(f"return [{NOTE}, $['mqtt-password'].value, made.length]"), ["Saved.", "", 3])
        with self.subTest("what was typed is kept if it is refused"):
            phone.run("window.fetch = (real => async (path, options) => path === '/mqtt/password'"
                      "  ? new Response('{\"name\": \"SettingsChanged\"}', { status: 412, headers: { 'Content-Type': 'application/json' } })"
                      "  : real(path, options))(fetch)")
            self.set_password(phone, "SECRET2")
            phone.wait_for(f"{ALERT} === 'The settings have been changed meanwhile.' && !isBusy")
            self.assertEqual(phone.run("return $['mqtt-password'].value"), "SECRET2")

    def test_a_password_for_another_broker_is_said_and_can_be_removed(self):
        self.start_mqtt()
        phone = self.start_owner()
        self.set(phone, "broker.host", "127.0.0.1")
        phone.run("window.fetch = (real => async (path, options) => {"
                  "  if (path !== '/mqtt.json') return real(path, options);"
                  "  const reply = await (await real(path, options)).json();"
                  "  return Response.json({ ...reply, state: { ...reply.state, password: 'stored' } });"
                  "})(fetch)")
        phone.wait_for("document.querySelector('#mqtt-secret').textContent.includes('A password for another broker is stored.')"
                       " && $['mqtt-password-clear'] !== null")

    def test_the_file_has_precedence(self):
        self.mqtt_config.write_text('[broker]\nhost = "127.0.0.1"\n')
        self.start_mqtt()
        phone = self.start_owner()
        phone.wait_for("document.getElementById('set-broker.host')?.disabled")
        self.assertIn(f"Set in {self.mqtt_config}:2",
                      phone.run("return document.getElementById('set-broker.host').closest('.field').textContent"))

    def test_only_an_owner_may(self):
        self.start_mqtt()
        owner = self.start_owner()
        owner.wait_for("mqtt !== null")
        requests = [("GET", "/mqtt.json", None), ("POST", "/mqtt", '{"settings": [{"key": "board.name", "value": "x"}]}'),
                    ("POST", "/mqtt/password", '{"password": "SECRET"}')]
        ask = ("const [method, path, body, done] = arguments; fetch(path, { method, body: body ?? undefined, headers: "
               "{ 'Content-Type': 'application/json', 'Idempotency-Key': '\"x\"', 'Flipclock-Time': '1000' } })"
               ".then(answer => done(answer.status))")
        for role, status in (("scorer", 403), ("viewer", 403), (None, 401)):
            phone = self.phone(role=role) if role else self.browser()
            phone.open(self.address("/settings" if role else "/board"))
            for request in requests:
                with self.subTest(role=role, request=request):
                    self.assertEqual(phone.run_async(ask, *request), status)

    def test_every_language_and_width_without_problems(self):
        self.start_mqtt()
        phone = self.start_owner()
        self.set(phone, "broker.port", str(self.broker_port))
        self.set(phone, "broker.host", "127.0.0.1")
        self.control("settings", "set", "horn.on", "true")
        for language in LANGUAGES:
            self.reconfigure(language=language, teams="")
            for width in (320, 1280):
                phone.resize(width, 740)
                phone.open(self.address("/settings"))
                phone.wait_for(f"{READY} && document.documentElement.lang === '{language}' && mqtt?.state.problem"
                               " && !document.querySelector('#horn-state').hidden")
                self.assertEqual(phone.run(LAYOUT), [], f"{language} {width}")
            self.assert_no_violation(phone, language)


del SettingsTestCase

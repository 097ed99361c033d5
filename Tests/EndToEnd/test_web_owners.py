# SPDX-License-Identifier: Apache-2.0
"""Owners and settings over HTTP, with the daemon and flipclock-web."""

import json
import random
import socket
import struct
import threading

from EndToEnd.test_web import WebTestCase


class OwnersTestCase(WebTestCase):
    def paired(self, *role, cookie=None):
        """Pairs a device; returns its role and its cookie."""
        headers = {**self.own, **({"Cookie": cookie} if cookie else {})}
        status, headers, body = self.request("POST", "/pair", self.code(*role), headers)
        self.assertEqual(status, 200, body)
        return json.loads(body)["role"], headers["Set-Cookie"].split(";")[0]

    def roles(self):
        return [device["role"] for device in json.loads(self.web_control("remote", "list", "--json").stdout)["devices"]]

    def ask(self, method, path, body=None, cookie=None, **headers):
        kind = "application/json" if path == "/settings" else "application/toml"
        fields = {**self.own, "Content-Type": kind, **({"Cookie": cookie} if cookie else {}), **headers}
        status, answered, body = self.request(method, path, body and body.encode(), fields)
        text = body.decode()
        return status, json.loads(text) if answered["Content-Type"] == "application/json" else text, answered

    def set(self, cookie, revision=None, **settings):
        """Changes settings; the parts of a key are separated by double underscores. None resets a key."""
        changes = [{"key": key.replace("__", "."), "value": value} for key, value in settings.items()]
        condition = {"If-Match": f'"{revision}"'} if revision is not None else {}
        return self.ask("POST", "/settings", json.dumps({"settings": changes}), cookie, **condition)[:2]

    def settings(self, cookie):
        status, reply, headers = self.ask("GET", "/settings.json", cookie=cookie)
        self.assertEqual(status, 200, reply)
        self.assertEqual(headers["ETag"], f'"{reply["revision"]}"')
        return reply["revision"], {setting["key"]: setting for setting in reply["settings"]}


class Owners(OwnersTestCase):
    def test_the_first_scorer_owns_the_display_and_roles_survive_restarts(self):
        self.start_both()
        self.assertEqual(self.paired("viewer")[0], "viewer")
        role, owner = self.paired()
        self.assertEqual(role, "owner")
        scorer_role, scorer = self.paired()
        self.assertEqual(scorer_role, "scorer")
        self.assertEqual(self.paired("owner")[0], "owner")
        expected = ["viewer", "owner", "scorer", "owner"]
        self.assertEqual(self.roles(), expected)
        self.kill_web()
        self.kill()
        self.start_both()
        self.assertEqual(self.roles(), expected)
        self.assertIn("owner", self.web_control("remote", "list").stdout)
        self.assertEqual(self.stream("scorer", owner).role, "owner")
        self.assertEqual(self.command("add-score home 1", owner)[0], 200)
        self.assertEqual(self.command("add-score home 1", scorer)[0], 200)
        # After the last owner was forgotten, the next scorer is the owner.
        for device in json.loads(self.web_control("remote", "list", "--json").stdout)["devices"]:
            if device["role"] == "owner":
                self.web_control("remote", "forget", device["id"])
        self.assertEqual(self.ask("GET", "/settings.json", cookie=owner)[0], 401)
        self.assertEqual(self.paired("viewer")[0], "viewer")
        self.assertEqual(self.paired()[0], "owner")
        self.assertEqual(self.roles(), ["viewer", "scorer", "viewer", "owner"])

    def test_scorers_of_an_earlier_version_stay_scorers(self):
        self.start_both()
        _, first = self.paired()
        self.stop_web()
        file = self.directory / "web" / "devices.json"
        file.write_text(file.read_text().replace('"role":"owner"', '"role":"scorer"'))
        self.start_web()
        self.assertEqual(self.roles(), ["scorer"])
        self.assertEqual(self.ask("GET", "/settings.json", cookie=first)[0], 403)
        self.assertEqual(self.command("add-score home 1", first)[0], 200)
        self.assertEqual(self.paired()[0], "owner")
        self.assertEqual(self.roles(), ["scorer", "owner"])

    def test_no_other_device_reads_or_changes_a_setting(self):
        self.config.write_text(self.config.read_text() + "\n[locale]\nlanguage = \"de\"\n")
        self.start_both()
        _, owner = self.paired()
        self.assertEqual(self.set(owner, teams__home__name="GEHEIM")[0], 200)
        before = self.control("settings", "export").stdout
        _, scorer = self.paired()
        _, viewer = self.paired("viewer")
        requests = (("GET", "/settings.json", None), ("GET", "/settings.toml", None),
                    ("POST", "/settings", '{"settings": [{"key": "theme.name", "value": "paper"}]}'),
                    ("PUT", "/settings.toml", "[theme]\nname = \"paper\"\n"))
        for cookie, status in ((scorer, 403), (viewer, 403), (None, 401), ("flipclock=" + "A" * 43, 401)):
            for method, path, body in requests:
                found, reply, _ = self.ask(method, path, body, cookie)
                self.assertEqual(found, status, (method, path))
                self.assertNotIn("GEHEIM", json.dumps(reply))
                if status == 403:
                    self.assertEqual(reply["name"], "NotOwner")
        # A page of another site, with the owner's cookie.
        for method, path, body in requests[2:]:
            self.assertEqual(self.ask(method, path, body, owner, Origin="http://evil.example")[0], 403)
        self.assertEqual(self.control("settings", "export").stdout, before)
        words = self.stream("scorer", scorer).last("words")
        self.assertEqual(words["words"]["why-NotOwner"], "Dieses Gerät darf die Einstellungen nicht ändern.")


    def test_only_owners_list_and_forget_devices_and_show_codes(self):
        self.start_both()
        _, owner = self.paired()
        _, scorer = self.paired()
        _, viewer = self.paired("viewer")
        token = self.web_control("remote", "token", "deck", "--role", "scorer").stdout.strip()
        ids = [device["id"] for device in json.loads(self.web_control("remote", "list", "--json").stdout)["devices"]]
        requests = [("GET", "/health.json", None), ("POST", "/restart", ""), ("GET", "/devices.json", None),
                    ("DELETE", f"/devices/{ids[0]}", None), ("POST", "/pairing", "owner")]
        plain = {"Content-Type": "text/plain"}
        for method, path, body in requests:
            for cookie, status in ((scorer, 403), (viewer, 403), (None, 401), ("flipclock=" + "A" * 43, 401)):
                found, reply, _ = self.ask(method, path, body, cookie, **plain)
                self.assertEqual((found, "devices" in reply or "findings" in reply), (status, False), (method, path))
            found, _, _ = self.ask(method, path, body, None, Authorization=f"Bearer {token}", **plain)
            self.assertEqual(found, 403, (method, path))
            if method != "GET":
                self.assertEqual(self.ask(method, path, body, owner, Origin="http://evil.example", **plain)[0], 403)
        self.assertEqual(len(self.roles()), 4)
        self.assertFalse(json.loads(self.control("--json", "remote", "close").stdout)["changed"])
        status, reply, _ = self.ask("GET", "/devices.json", cookie=owner)
        self.assertEqual([(device["role"], device["program"], device["own"]) for device in reply["devices"]],
                         [("owner", False, True), ("scorer", False, False), ("viewer", False, False), ("scorer", True, False)])
        self.assertNotIn(token, json.dumps(reply))
        # A program is known as one after a restart.
        self.kill_web()
        self.start_web()
        self.assertEqual(self.ask("GET", "/devices.json", cookie=owner)[1]["devices"][3]["program"], True)
        stream = self.stream("scorer", owner)
        for word in ("scorer", "viewer", "owner"):
            self.assertEqual(self.ask("POST", "/pairing", word, owner, **plain)[0], 200, word)
            self.wait_for("the code", lambda: (stream.last("display") or {}).get("pairing"))
        self.assertEqual(self.ask("POST", "/pairing", "king", owner, **plain)[0], 400)
        health = self.ask("GET", "/health.json", cookie=owner)[1]
        self.assertEqual(health["version"], health["page"])
        self.assertTrue(health["findings"] and health["started"])
        self.assertEqual(self.ask("POST", "/restart", "", owner, **plain)[1]["name"], "NotAService")
        self.assertEqual(self.ask("DELETE", "/devices/zzzzzz", cookie=owner)[0], 404)
        status, _, headers = self.ask("DELETE", f"/devices/{ids[2]}", cookie=owner)
        self.assertEqual((status, headers.get("Set-Cookie")), (200, None))
        self.wait_for("an event", lambda: stream.last("devices") == {"count": 3})
        status, _, headers = self.ask("DELETE", f"/devices/{ids[0]}", cookie=owner)
        self.assertEqual(status, 200)
        self.assertIn("Max-Age=0", headers["Set-Cookie"])
        self.assertEqual(self.roles(), ["scorer", "scorer"])
        self.wait_for("no role", lambda: stream.role == "none")


class HTTPSettings(OwnersTestCase):
    def test_settings_change_the_wall_and_can_be_taken_back(self):
        self.config.write_text(self.config.read_text() + "\n[teams.guest]\nname = \"SHARKS\"\n")
        self.start_both()
        _, owner = self.paired()
        picture = self.picture()
        status, reply = self.set(owner, teams__home__name="LIONS", theme__name="paper", locale__zone="Asia/Tokyo")
        self.assertEqual(status, 200, reply)
        self.assertEqual({setting["key"]: setting["value"] for setting in reply["settings"]},
                         {"teams.home.name": "LIONS", "theme.name": "paper", "locale.zone": "Asia/Tokyo"})
        self.wait_for("another picture", lambda: self.picture() != picture)
        self.assertRegex(self.status()["now"], r"\+09:00$")
        revision, settings = self.settings(owner)
        self.assertEqual(revision, reply["revision"])
        self.assertEqual(settings["teams.home.name"]["source"], "settings")
        self.assertEqual(settings["teams.guest.name"]["source"], "config")
        self.assertRegex(settings["teams.guest.name"]["place"], r"flipclock.*:\d+$")
        self.assertIn("basketball", settings["game.preset"]["choices"])
        # Refusals have names and parameters, and change nothing.
        for name, key, value in (
                ("SettingInConfig", "teams.guest.name", "BEARS"), ("SettingRefused", "game.periods", "100"),
                ("SettingRefused", "locale.zone", "Europe/Zurch"), ("UnknownSetting", "input.enabled", "true")):
            status, refused = self.set(owner, theme__name="night", **{key.replace(".", "__"): value})
            self.assertEqual((status, refused["name"], refused["parameters"]["key"]), (409, name, key))
        self.assertEqual(self.settings(owner)[0], revision)
        # Export, reset, import.
        status, file, headers = self.ask("GET", "/settings.toml", cookie=owner)
        self.assertEqual((status, file), (200, (self.state / "settings.toml").read_text(encoding="utf-8")))
        self.assertIn("attachment", headers["Content-Disposition"])
        status, reply = self.set(owner, teams__home__name=None, theme__name=None, locale__zone=None)
        self.assertEqual(status, 200, reply)
        self.assertEqual(self.status()["match"]["teams"][0]["name"], "HOME")
        self.assertEqual(self.ask("PUT", "/settings.toml", file[:-3], owner)[:2][1]["name"], "BadSettings")
        status, reply, _ = self.ask("PUT", "/settings.toml", file, owner)
        self.assertEqual(status, 200, reply)
        self.assertEqual(self.control("settings", "export").stdout, file)
        self.assertEqual(self.settings(owner)[0], revision)

    def test_two_owners_see_each_others_changes(self):
        self.start_both()
        owners = [self.paired()[1], self.paired("owner")[1]]
        revision, _ = self.settings(owners[0])
        self.assertEqual(self.set(owners[1], revision, theme__name="paper")[0], 200)
        status, refused = self.set(owners[0], revision, theme__name="night")
        self.assertEqual((status, refused["name"]), (412, "SettingsChanged"))
        found, settings = self.settings(owners[0])
        self.assertEqual(refused["parameters"]["revision"], found)
        self.assertEqual(settings["theme.name"]["value"], "paper")
        # A change by a command, and one of a file, count too; a restart of the programs does not.
        self.control("settings", "set", "theme.name", "night")
        self.assertEqual(self.set(owners[0], found, theme__name="paper")[0], 412)
        found, _ = self.settings(owners[0])
        self.config.write_text(self.config.read_text() + "\n[teams.guest]\nname = \"BEARS\"\n")
        self.control("reload")
        self.assertEqual(self.set(owners[0], found, theme__name="paper")[0], 412)
        found, _ = self.settings(owners[0])
        self.kill_web()
        self.kill()
        self.start_both()
        self.assertEqual(self.set(owners[0], found, theme__name="paper")[0], 200)

    def test_only_owners_streams_get_the_revision(self):
        self.start_both()
        owner, scorer = self.paired()[1], self.paired()[1]
        streams = {"owner": self.stream("scorer", owner), "scorer": self.stream("scorer", scorer),
                   "viewer": self.stream("viewer"), "owner as viewer": self.stream("viewer", owner)}
        owners = [stream for name, stream in streams.items() if "owner" in name]

        def revisions():
            return [(stream.last("settings") or {}).get("revision") for stream in owners]
        known = self.settings(owner)[0]
        self.wait_for("the first revision", lambda: revisions() == [known] * 2)
        text = self.config.read_text()
        changes = (lambda: self.set(owner, known, theme__name="paper"),
                   lambda: self.control("settings", "set", "theme.name", "night"),
                   lambda: self.config.write_text(text + "\n[locale]\nzone = \"Asia/Tokyo\"\n"),
                   lambda: self.config.write_text(text))
        for number, change in enumerate(changes):
            change()
            self.wait_for(f"revision {number}", lambda: known not in revisions() and len(set(revisions())) == 1)
            self.assertEqual(revisions()[0], self.settings(owner)[0])
            known = revisions()[0]
        for stream in streams.values():
            self.assertNotIn("settings", stream.last("display"))
        self.assertIsNone(streams["scorer"].last("settings"))
        self.assertIsNone(streams["viewer"].last("settings"))

    def test_a_change_is_made_once_also_over_restarts(self):
        self.start_both()
        _, owner = self.paired()
        terms = self.terms()
        body = '{"settings": [{"key": "teams.home.name", "value": "LIONS"}]}'
        first = self.ask("POST", "/settings", body, owner, **terms)[:2]
        self.assertEqual(first[0], 200)
        self.control("settings", "set", "teams.home.name", "TIGERS")
        # The answer to the same change has the setting as it is by then.
        first[1]["settings"][0]["value"] = "TIGERS"
        self.assertEqual(self.ask("POST", "/settings", body, owner, **terms)[:2], first)
        self.kill_web()
        self.kill()
        self.start_both()
        self.assertEqual(self.ask("POST", "/settings", body, owner, **terms)[:2], first)
        self.assertEqual(self.settings(owner)[1]["teams.home.name"]["value"], "TIGERS")

    def test_a_phone_that_vanishes_within_a_change_leaves_the_old_settings_or_the_new_ones(self):
        """Ends the connection after each number of bytes of a request that sets two keys."""
        self.start_both()
        _, owner = self.paired()
        self.assertEqual(self.set(owner, teams__home__name="OLD", teams__guest__name="OLD")[0], 200)
        body = json.dumps({"settings": [{"key": f"teams.{team}.name", "value": "NEW"} for team in ("home", "guest")]})
        fields = {**self.own, "Host": f"127.0.0.1:{self.port}", "Content-Type": "application/json", "Cookie": owner,
                  "Content-Length": str(len(body)), **self.terms()}
        request = "".join(["POST /settings HTTP/1.1\r\n", *(f"{name}: {value}\r\n" for name, value in fields.items()),
                           "\r\n", body]).encode()
        for size in range(len(request) + 1):
            with socket.create_connection(("127.0.0.1", self.port)) as phone:
                # Without a close of its own, as if the phone were gone.
                phone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                phone.sendall(request[:size])
                if size == len(request):
                    # An answer shows that the whole request has arrived.
                    self.assertTrue(phone.recv(1 << 16).startswith(b"HTTP/1.1 200"))
            if size % 16 == 0 or size >= len(request) - 2:
                settings = json.loads(self.control("settings", "--json").stdout)["settings"]
                names = {item["value"] for item in settings if item["key"] in ("teams.home.name", "teams.guest.name")}
                self.assertEqual(names, {"NEW"} if size == len(request) else {"OLD"}, size)

    def test_kills_leave_an_old_setting_or_the_new_one(self):
        """Kills the daemon at random moments while an owner sets two keys at once, always to the same number."""
        seed = random.randrange(1 << 32)
        rng = random.Random(seed)
        number, acknowledged, owner = 0, 0, None
        for _ in range(6):
            self.start_both()
            owner = owner or self.paired()[1]
            stop = threading.Event()

            def change():
                nonlocal number, acknowledged
                while not stop.is_set():
                    number += 1
                    try:
                        name = f"T{number}"
                        if self.set(owner, teams__home__name=name, teams__guest__name=name)[0] == 200:
                            acknowledged = number
                    except (OSError, ValueError):
                        return
            thread = threading.Thread(target=change)
            thread.start()
            stop.wait(rng.uniform(0.05, 0.6))
            self.kill()
            stop.set()
            thread.join()
            self.kill_web()
            self.web_log.write_text("")
            self.start()
            values = [item.get("value") for item in json.loads(self.control("--json", "settings").stdout)["settings"]
                      if item["key"] in ("teams.home.name", "teams.guest.name")]
            self.assertEqual(values[0], values[1], seed)
            if acknowledged:
                self.assertGreaterEqual(int(values[0][1:]), acknowledged, seed)
            self.kill()

# SPDX-License-Identifier: Apache-2.0
"""The script of the image that applies the files of the boot partition, without the image (Tests/VM/pi.py)."""

import os
import pathlib
import random
import re
import subprocess
import tempfile
import unittest
import unittest.mock

PROJECT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = PROJECT / "image/root/usr/local/sbin/boot-files"
MQTT = PROJECT / ".build/release/flipclock-mqtt"


def unescaped(value):
    """Reads a value as GKeyFile does."""
    escapes = {"\\": "\\", "s": " ", "n": "\n", "t": "\t", "r": "\r"}
    result, rest = "", iter(value)
    for character in rest:
        result += escapes[next(rest)] if character == "\\" else character
    return result


class BootFiles(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.directory / "boot").mkdir()

    def apply(self, **files):
        """Writes files, applies them and returns what the script says."""
        for name, text in files.items():
            (self.directory / "boot" / f"{name}.txt").write_bytes(text if isinstance(text, bytes) else text.encode())
        done = subprocess.run(
            ["sh", SCRIPT, *(self.directory / name for name in ("boot", "run", "data"))], capture_output=True, text=True,
            timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        said = [line.removeprefix("boot-files: ") for line in done.stderr.splitlines()]
        return [line for line in said if "SSH host key" not in line and "ssh-keygen" not in line]

    def written(self, name):
        path = self.directory / "run" / name
        return path.read_text(encoding="utf-8") if path.exists() else None

    def test_files_as_editors_on_windows_write_them(self):
        text = "Name = Caf\u00e9\r\nPASSWORD=M\u00fcller 1234\r\nCountry = de\r\n"
        expected = None
        for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-be-sig", "cp1252", "latin-1"):
            for name in ("wifi", "wifi.txt"):
                with self.subTest(encoding=encoding, name=name):
                    data = b"\xfe\xff" + text.encode("utf-16-be") if encoding == "utf-16-be-sig" else text.encode(encoding)
                    said = self.apply(**{name: data})
                    (self.directory / f"boot/{name}.txt").unlink()
                    written = self.written("wifi.nmconnection")
                    if encoding in ("cp1252", "latin-1"):
                        # Not an open network of that name.
                        self.assertEqual((said, written), (["wifi.txt is not in UTF-8: save it with that encoding"], None))
                        self.assertEqual(self.written("mistakes"), said[0] + "\n")
                        continue
                    expected = expected or written
                    self.assertEqual((said, written), ([], expected))
                    self.assertIn("psk=M\u00fcller\\s1234\n", written)
                    self.assertEqual((self.written("country"), self.written("mistakes")), ("DE\n", None))
        for name, file in (("owner.txt", "owner"), ("config.toml", "config.toml"), ("authorized_keys", "authorized_keys")):
            self.assertEqual([line for line in self.apply(**{name: "[teams.home]\r\n"}) if "chgrp" not in line], [])
            self.assertEqual(self.written(file), "" if file == "owner" else "[teams.home]\n")

    def test_pictures_that_do_not_fit_take_nothing_from_the_other_files(self):
        (self.directory / "small").mkdir()
        pictures = self.directory / "boot/pictures"
        pictures.mkdir()
        (self.directory / "boot/wifi.txt").write_text("name = a\n")
        wrapper = ["unshare", *(["--map-root-user"] if os.geteuid() else []), "--mount", "sh", "-c"]
        if subprocess.run([*wrapper, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("no user namespaces")
        script = 'mount -t tmpfs -o size=4M none "$2" && sh "$0" "$1" "$2/run" "$3"; cd "$2/run" && cat wifi.nmconnection && find .'
        for size, is_used in ((100, True), (3 << 20, False), (9 << 20, False)):
            (pictures / "a.png").write_bytes(bytes(size))
            done = subprocess.run([*wrapper, script, SCRIPT, *(self.directory / name for name in ("boot", "small", "data"))],
                                  capture_output=True, text=True, timeout=60, check=False)
            with self.subTest(size):
                self.assertIn("id=wifi.txt", done.stdout, done.stderr)
                self.assertEqual("./pictures/a.png" in done.stdout, is_used)
                self.assertEqual("the pictures have" in done.stderr, not is_used, done.stderr)

    def test_without_a_file_flipclock_mqtt_has_a_config_without_a_broker(self):
        for text in ('[broker]\nhost = "192.0.2.1"\n', None):
            with self.subTest(text):
                (self.directory / "boot/mqtt.toml").unlink(missing_ok=True)
                if text:
                    (self.directory / "boot/mqtt.toml").write_text(text)
                said = [line for line in self.apply() if "chgrp" not in line]
                self.assertEqual(said, [])
                self.assertEqual(self.written("mqtt.toml"), text or "")
                check = subprocess.run([MQTT, "--check", "--config", self.directory / "run/mqtt.toml"], capture_output=True, text=True,
                                       timeout=60, check=False)
                self.assertEqual(check.returncode, 0, check.stderr)

    def test_the_time_zone(self):
        """Debian 13 has the files of older names only in tzdata-legacy."""
        zoneinfo = self.directory / "zoneinfo"
        (zoneinfo / "Asia").mkdir(parents=True)
        (zoneinfo / "Asia/Kolkata").write_bytes(b"TZif")
        (zoneinfo / "tzdata.zi").write_text("L Asia/Kolkata Asia/Calcutta\n")
        for text, zone, problem in (
                ("Asia/Kolkata", "Asia/Kolkata", False), ("Asia/Calcutta\r\n", "Asia/Kolkata", False),
                ("Mars/Olympus", "UTC", True), ("../zoneinfo/Asia/Kolkata", "UTC", True), ("Asia", "UTC", True)):
            with self.subTest(text), unittest.mock.patch.dict(os.environ, TZDIR=str(zoneinfo)):
                said = [line for line in self.apply(timezone=text) if "time zone" in line]
                self.assertEqual(len(said), problem, said)
                self.assertEqual(os.readlink(self.directory / "run/localtime"), f"{zoneinfo}/{zone}")

    def test_the_image_has_each_directory_on_which_one_of_the_third_partition_is_mounted(self):
        """The root is never written to, so the script cannot make them."""
        places = re.findall(r"^ +writable \S+ (\S+)", SCRIPT.read_text(), re.MULTILINE)
        self.assertGreater(len(places), 5)
        made = re.findall(r'"\$root(/\S+)"', (PROJECT / "scripts/image").read_text())
        # A package of Debian has this one.
        self.assertEqual([place for place in places if place not in made and place != "/var/lib/systemd/timesync"], [])

    def test_any_wireless_network_is_a_connection_of_networkmanager(self):
        generator = random.Random(31)
        letters = "ab Z09;:,\\\"'$`!#=[]é本"
        for number in range(40):
            name = "".join(generator.choices(letters, k=generator.randint(1, 10))).strip() or "x"
            password = "p" + "".join(generator.choices(letters, k=generator.randint(8, 15))).strip() + "p"
            end = generator.choice(["\n", "\r\n"])
            text = f"name = {name}{end}password={password}{end}  country = DE{end}"
            if number % 2:
                text = "\ufeff" + text
            with self.subTest(text):
                self.assertEqual(self.apply(wifi=text), [])
                lines = dict(line.split("=", 1) for line in self.written("wifi.nmconnection").splitlines() if "=" in line)
                self.assertEqual(bytes(int(byte) for byte in lines["ssid"].split(";")[:-1]).decode(), name)
                self.assertEqual(unescaped(lines["psk"]), password)
                self.assertEqual((self.directory / "run/wifi.nmconnection").stat().st_mode & 0o777, 0o600)
                self.assertEqual(self.written("country"), "DE\n")

    def test_an_open_network_and_mistakes(self):
        self.assertEqual(self.apply(wifi="name = guests\n"), [])
        self.assertNotIn("psk", self.written("wifi.nmconnection"))
        self.assertIsNone(self.written("country"))
        for text, said in [
            ("password = 12345678", "wifi.txt has no line `name = …`"),
            *((f"name = a\npassword = {password}", f"the password in wifi.txt has {len(password)} characters; it must have "
               "8 to 63, or be a key of 64 hexadecimal digits")
              for password in ("short", "x" * 64, "0" * 63 + "g", "0" * 65, "a" * 128)),
            ("name = " + "\u00e9" * 17, "the name in wifi.txt has 34 bytes; a network's name has 32 at most"),
        ]:
            self.assertEqual(self.apply(wifi=text), [said])
            self.assertIsNone(self.written("wifi.nmconnection"))
        self.assertEqual(
            self.apply(wifi="name = a\ncountry = Germany"),
            ["the country in wifi.txt is not two letters, such as DE: Germany"])
        self.assertIsNone(self.written("country"))
        self.assertIsNotNone(self.written("wifi.nmconnection"))

    def test_the_lengths_of_passwords_and_a_key(self):
        for password in ("x" * 8, "x" * 63, "0123456789abcdefABCDEF" + "9" * 42, "0" * 64):
            self.assertEqual(self.apply(wifi=f"name = a\npassword = {password}\n"), [])
            self.assertIn(f"psk={password}\n", self.written("wifi.nmconnection"))

    def test_an_empty_file_asks_for_an_owner(self):
        self.apply(owner="")
        self.assertEqual(self.written("owner"), "")
        (self.directory / "boot/owner.txt").unlink()
        self.apply()
        self.assertIsNone(self.written("owner"))

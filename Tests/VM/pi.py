# SPDX-License-Identifier: Apache-2.0
"""The image of `make image BOARD=pi`, set up with files on its boot partition, and reached as a user would reach it: with
SSH, and a key on the boot partition.

    cd Tests && python3 -m unittest -v VM.pi
"""

import pathlib
import random
import shlex
import shutil
import tempfile
import time
import unittest

from VM.card import PICTURES, Card


class PiImage(unittest.TestCase):
    """One card for all tests, in order."""

    @classmethod
    def setUpClass(cls):
        cls.work = pathlib.Path(tempfile.mkdtemp(prefix="flipclock-pi-"))
        cls.addClassCleanup(shutil.rmtree, cls.work, True)
        cls.card = Card(cls.work)
        cls.card.write_boot("authorized_keys", cls.card.public_key)
        # As an editor on Windows writes files.
        cls.card.write_boot("config.toml", '\ufeff[teams.home]\r\nname = "LIONS"\r\n[game]\r\npreset = "basketball"\r\n')
        cls.card.write_boot("timezone.txt", "Europe/Berlin\r\n")
        cls.card.write_boot("hostname.txt", "wall-2\r\n")
        cls.addClassCleanup(cls.card.stop)
        begin = time.monotonic()
        cls.card.start()
        cls.card.wait_for("SSH", "true")
        print(f"\nSSH answers {time.monotonic() - begin:.0f} s after power-on", flush=True)

    def show(self, name):
        """Writes the picture on the display to .build/vm; fails if it is blank."""
        shown = self.card.screendump()
        path = PICTURES / f"pi-{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(shown.png())
        print(f"the picture is in {path}", flush=True)
        self.assertFalse(shown.is_blank())

    def test_1_it_boots_to_the_clock(self):
        self.assertEqual(self.card.wait_until_up(), ("running", ""))
        self.card.wait_for("the daemon", "flipclockctl status", lambda text: "LIONS" in text)
        self.assertEqual(self.card.run("hostname; nmcli general hostname; readlink -f /etc/localtime")[1].split(),
                         ["wall-2", "wall-2", "/usr/share/zoneinfo/Europe/Berlin"])
        time.sleep(5)
        self.show("boot")
        print(self.card.run("systemd-analyze; systemd-analyze critical-chain flipclockd.service; flipclockctl doctor")[1])
        print(self.card.run("systemctl show -P MemoryCurrent flipclockd flipclock-web NetworkManager avahi-daemon; free -m")[1])

    def test_2_only_the_partition_for_scores_is_writable(self):
        mounts = self.card.run("findmnt -rn -o TARGET,OPTIONS -t ext4,vfat")[1]
        writable = [line.split()[0] for line in mounts.splitlines() if "rw" in line.split()[1].split(",")]
        self.assertEqual(set(writable), {
            "/data", "/var/lib/flipclock", "/var/lib/flipclock-web", "/var/lib/systemd/timesync", "/var/lib/NetworkManager",
            "/etc/NetworkManager/system-connections", "/var/lib/flipclock-host", "/var/lib/flipclock-mqtt"}, mounts)
        self.assertNotEqual(self.card.run("touch /etc/x")[0], 0)
        self.assertEqual(self.card.run("cat /proc/swaps | tail -n +2")[1], "")

    def test_3_systemd_feeds_the_watchdog(self):
        device, microseconds = self.card.run("systemctl show -P WatchdogDevice -P RuntimeWatchdogUSec")[1].split()
        self.assertRegex(device, "^/dev/watchdog")
        self.assertNotIn(microseconds, ("0", "infinity"))

    def test_4_the_config_is_edited_over_ssh(self):
        edit = "mount -o remount,rw /boot/firmware && sed -i s/LIONS/BEARS/ /boot/firmware/config.toml && " \
            "mount -o remount,ro /boot/firmware && boot-files"
        self.assertEqual(self.card.run(edit), (0, ""))
        self.card.wait_for("the new name", "flipclockctl status", lambda text: "BEARS" in text, timeout=60)

    def test_5_mistakes_in_the_files_are_named(self):
        cases = [
            ("timezone.txt", "Europe/Berlim", "unknown time zone in timezone.txt: Europe/Berlim"),
            ("timezone.txt", "../../etc/passwd", "unknown time zone in timezone.txt: ../../etc/passwd"),
            ("timezone.txt", "/etc/passwd", "unknown time zone in timezone.txt: /etc/passwd"),
            ("timezone.txt", "\n\n  Asia/Tokyo  \n", ""),
            ("hostname.txt", "wall_2", "the name in hostname.txt may contain only letters, digits and hyphens: wall_2"),
            ("hostname.txt", "x" * 64, "the name in hostname.txt is longer than 63 characters"),
            ("wifi.txt", "password = 12345678", "wifi.txt has no line `name = …`"),
            ("wifi.txt", "name = a\npassword = short", "the password in wifi.txt has 5 characters; it must have 8 to 63, "
             "or be a key of 64 hexadecimal digits"),
            ("wifi.txt", "name = a\ncountry = Germany", "the country in wifi.txt is not two letters, such as DE: Germany"),
            ("wifi.txt", "name = Café \"5\" \\ GHz\npassword = p'a\"s$s` w\\ord\ncountry = DE\n", ""),
        ]
        for name, text, message in cases:
            with self.subTest(name=name, text=text):
                status, output = self.card.run(
                    f"rm -rf /tmp/b /tmp/r; mkdir /tmp/b; cat >/tmp/b/{name} <<'END'\n{text}\nEND\n"
                    "boot-files /tmp/b /tmp/r /tmp/d; readlink /tmp/r/localtime; "
                    "cat /tmp/r/wifi.nmconnection /tmp/r/country 2>/dev/null; "
                    "hostname wall-2")
                self.assertEqual(status, 0)
                said = [line.removeprefix("boot-files: ") for line in output.splitlines() if line.startswith("boot-files: ")]
                self.assertEqual(said, [message] if message else [])
                if "Tokyo" in text:
                    self.assertIn("/usr/share/zoneinfo/Asia/Tokyo", output)
                if "GHz" in text:
                    name = "".join(f"{byte};" for byte in 'Café "5" \\ GHz'.encode())
                    self.assertIn(f"ssid={name}\n", output)
                    self.assertIn("psk=p'a\"s$s`\\sw\\\\ord\n", output)
                    self.assertTrue(output.endswith("\nDE"), output)

    def test_5_mistakes_are_on_the_display(self):
        self.card.write_running("wifi.txt", "name = a\npassword = short")
        said = "the password in wifi.txt has 5 characters; it must have 8 to 63, or be a key of 64 hexadecimal digits"
        self.assertEqual(self.card.run("boot-files"), (0, f"boot-files: {said}"))
        self.card.wait_for("the message", "flipclockctl status", lambda text: said in text, timeout=60)
        self.show("mistake")
        self.assertEqual(self.card.run("mount -o remount,rw /boot/firmware && rm /boot/firmware/wifi.txt && "
                                       "mount -o remount,ro /boot/firmware && boot-files && flipclockctl message --clear >/dev/null"), (0, ""))

    def test_5a_the_page_is_served_and_the_horn_and_mqtt_run(self):
        states = self.card.run("systemctl is-active NetworkManager avahi-daemon flipclock-web.socket flipclock-mqtt flipclock-horn")
        self.assertEqual(states[1].split(), ["active", "active", "active", "active", "active"])
        self.assertEqual(self.card.run("nmcli -g GENERAL.STATE device show eth0")[1], "100 (connected)")
        # The machine has neither curl nor wget.
        page = "exec 3<>/dev/tcp/127.0.0.1/8080; printf 'GET / HTTP/1.0\\r\\nHost: 127.0.0.1:8080\\r\\n\\r\\n' >&3; head -n 1 <&3"
        self.assertIn(" 200 ", self.card.run(f"bash -c {shlex.quote(page)}")[1])
        self.card.write_running("mqtt.toml", '[broker]\nhost = "192.0.2.1"\n')
        self.assertEqual(self.card.run("boot-files")[0], 0)
        self.card.wait_for("the broker of the file", "journalctl -b -o cat -u flipclock-mqtt",
                           lambda text: "broker 192.0.2.1:1883" in text, timeout=60)
        self.assertEqual(self.card.run("mount -o remount,rw /boot/firmware && rm /boot/firmware/mqtt.toml "
                                       "&& mount -o remount,ro /boot/firmware && boot-files")[0], 0)
        self.card.wait_for("no broker", "systemctl status flipclock-mqtt",
                           lambda text: "no broker is set" in text, timeout=60)

    def test_5b_a_code_for_the_first_phone_is_shown_until_there_is_an_owner(self):
        # What the display shows is tested elsewhere; here, that the image's config asks for it and that the code works.
        self.show("set-up")
        self.card.write_running("owner.txt", "")
        self.assertEqual(self.card.run("boot-files")[0], 0)
        self.card.wait_for("the code for an owner", "systemctl show -P Result -P ActiveState flipclock-owner-code",
                           lambda text: sorted(text.split()) == ["inactive", "success"], timeout=120)
        self.card.wait_for("the box", "flipclockctl remote close", lambda text: "no longer valid" in text, timeout=60)
        self.assertEqual(self.card.run("mount -o remount,rw /boot/firmware && rm /boot/firmware/owner.txt && "
                                       "mount -o remount,ro /boot/firmware && boot-files")[0], 0)
        self.assertNotIn("code", self.card.run("journalctl -b -o cat -u flipclock-owner-code | grep -E '[0-9]{3} ?[0-9]{3}'")[1])

    def test_6_the_clock_is_shown_with_a_damaged_partition_for_scores(self):
        start, size = self.card.partitions[2]
        for what, contents in (("no file system", bytes(size)), ("random bytes", random.randbytes(size))):
            with self.subTest(what):
                self.card.stop()
                with open(self.card.disk, "r+b") as disk:
                    disk.seek(start)
                    disk.write(contents)
                self.card.start()
                self.card.wait_for("the daemon", "flipclockctl status", lambda text: "BEARS" in text)
                self.assertEqual(self.card.run("flipclockctl set-score home 3")[0], 0)
                self.assertEqual(self.card.score(), 3)
                print(self.card.run("findmnt -rn /var/lib/flipclock; journalctl -b -o cat -u flipclock-boot-files")[1])
                self.show(what.replace(" ", "-"))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Sources of boards: what becomes of their results, and the sources that are shipped as examples. The units are tested in
VM/test_sources.py."""

import http.server
import json
import os
import pathlib
import subprocess
import tempfile
import threading
import unittest

from EndToEnd.daemon import CONTROL, PROJECT, DaemonTestCase, environment

EXAMPLES = PROJECT / "config/sources"

CONFIG = """
motion = "none"
[widgets.hall]
type = "board"
columns = 20
rows = 4
text = "WELCOME"
"""


class Results(DaemonTestCase):
    def setUp(self):
        super().setUp()
        self.config.write_text(CONFIG)
        self.start()

    def report(self, output, result="success", status="0", options=(), board="hall"):
        """Runs source-result as the units do; returns the process."""
        variables = environment(
            MONITOR_SERVICE_RESULT=result, MONITOR_EXIT_STATUS=status, FLIPCLOCK_SOCKET=str(self.socket),
            PATH=f"{CONTROL.parent}:{os.environ['PATH']}")
        return subprocess.run([PROJECT / "systemd/source-result", board, *options], input=output, env=variables,
                              capture_output=True, timeout=120, check=False)

    def board(self):
        return json.loads(self.control("board", "--json").stdout)["boards"][0]

    def test_the_output_becomes_the_text(self):
        self.assertEqual(self.report(b"12:30\tZURICH\n13:00\tBERN\n", options=("--stale-after", "1h")).returncode, 0)
        board = self.board()
        self.assertEqual((board["text"], board["from"]), ("12:30\tZURICH\n13:00\tBERN", "source"))
        self.assertIn("staleFrom", board)
        self.assertIn("no place for", self.report(b"A\nB\nC\nD\nE\n").stderr.decode())
        # A source that has nothing to show has not failed.
        self.assertEqual(self.report(b"").returncode, 0)
        self.assertEqual((self.board()["text"], self.board().get("problem")), ("", None))
        self.assertEqual(self.report(b"-").returncode, 0)
        self.assertEqual(self.board()["text"], "-")

    def test_a_failure_keeps_the_text_and_is_in_the_status(self):
        self.report(b"12:30 ZURICH\n")
        since = self.board()["since"]
        failures = (
            # The result, the exit status, what was printed, and the problem.
            ("exit-code", "1", b"HALF", "exit status 1"),
            ("exit-code", "203", b"", "/etc/flipclock/sources/hall is missing or not executable"),
            ("timeout", "TERM", b"HALF", "it did not end in time"),
            ("signal", "XFSZ", b"y\n" * 500_000, "it prints too much"),
            ("exit-code", "153", b"y\n" * 500_000, "it prints too much"),
            ("signal", "SEGV", b"", "signal SEGV"),
            ("core-dump", "ABRT", b"", "signal ABRT"),
            ("oom-kill", "KILL", b"", "it needs too much memory"),
            ("resources", "", b"", "resources"),
            ("success", "0", b"y\n" * 500_000, "File too large; the limit is 32768 bytes"),
            ("success", "0", b"x" * 4_001, "4000"),
            ("success", "0", b"caf\xe9\n", "standard input is not UTF-8"),
            ("success", "0", b"\x1b[31mRED\x1b[0m\n", "control character"),
            ("success", "0", b"NULL\0\n", "control character"),
        )
        for result, status, output, problem in failures:
            with self.subTest((result, status, problem)):
                done = self.report(output, result, status)
                self.assertEqual(done.returncode, 0, done.stderr)
                board = self.board()
                self.assertEqual((board["text"], board["since"]), ("12:30 ZURICH", since))
                self.assertIn(problem, board["problem"])
                self.assertIn(board["problem"], done.stderr.decode())
                # Both name the board, since when the text is shown, and since when there is no new one.
                for words in (("status",), ("board",)):
                    said = self.control(*words).stdout
                    self.assertRegex(said, r"hall: .*from source, since .*, its source fails since .*: ")
                    self.assertIn(board["problem"], said)
        first = self.board()["problemSince"]
        self.assertGreaterEqual(first, since)
        self.report(b"13:00 BERN\n")
        self.assertEqual((self.board()["text"], self.board().get("problem")), ("13:00 BERN", None))

    def test_without_a_board_or_a_daemon_the_unit_fails(self):
        done = self.report(b"X\n", board="hal")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("did you mean 'hall'", done.stderr.decode())
        self.stop()
        self.assertNotEqual(self.report(b"X\n").returncode, 0)


class Examples(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="flipclock-"))
        self.addCleanup(subprocess.run, ["rm", "-rf", self.directory], check=True)

    def run_example(self, name, *arguments, settings=(), status=0, **variables):
        """Runs a copy of an example with other values of its settings, as docs/boards.md says; returns its output, or
        what it printed as an error."""
        text = (EXAMPLES / name).read_text(encoding="utf-8")
        lines = text.splitlines()
        for key, value in settings:
            found = [index for index, line in enumerate(lines) if line.startswith(f"{key} = ")]
            self.assertEqual(len(found), 1, key)
            lines[found[0]] = f"{key} = {value!r}"
        copy = self.directory / name
        copy.write_text("\n".join(lines) + "\n", encoding="utf-8")
        copy.chmod(0o755)
        done = subprocess.run([copy, *arguments], env=environment(**variables), capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        self.said = done.stderr.decode()
        return self.said if status else done.stdout.decode()

    # The calendar

    CALENDAR = "\r\n".join((
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN",
        "BEGIN:VEVENT", "UID:1", "DTSTART:20260105T170000Z", "DTEND:20260105T180000Z",
        # A folded line, and escapes.
        "SUMMARY:Board me", " eting\\, room 2\\nbring", "\tcakes", "END:VEVENT",
        # Weekly at 19:00 in Zurich, also when the clocks change; once left out, once moved.
        "BEGIN:VEVENT", "UID:2", "DTSTART;TZID=Europe/Zurich:20251229T190000", "DURATION:PT2H", "RRULE:FREQ=WEEKLY",
        "EXDATE;TZID=Europe/Zurich:20260112T190000", "SUMMARY:Choir", "END:VEVENT",
        "BEGIN:VEVENT", "UID:2", "RECURRENCE-ID;TZID=Europe/Zurich:20260119T190000",
        "DTSTART;TZID=Europe/Zurich:20260120T203000", "DURATION:PT2H", "SUMMARY:Choir (Tuesday)", "END:VEVENT",
        # All day, and over several days.
        "BEGIN:VEVENT", "UID:3", "DTSTART;VALUE=DATE:20260106", "DTEND;VALUE=DATE:20260107", "SUMMARY:Epiphany", "END:VEVENT",
        "BEGIN:VEVENT", "UID:4", "DTSTART;VALUE=DATE:20260104", "DTEND;VALUE=DATE:20260110", "SUMMARY:Holidays", "END:VEVENT",
        # Daily, three times, without a zone.
        "BEGIN:VEVENT", "UID:5", "DTSTART:20260105T080000", "DURATION:PT30M", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Coffee",
        "END:VEVENT",
        "BEGIN:VEVENT", "UID:6", "DTSTART:20260105T190000Z", "DURATION:PT1H", "STATUS:CANCELLED", "SUMMARY:Cancelled",
        "END:VEVENT", "END:VCALENDAR", ""))

    def events(self, now, zone="Europe/Zurich", count=4, calendar=None):
        file = self.directory / "events.ics"
        file.write_bytes(self.CALENDAR.encode() if calendar is None else calendar)
        return self.run_example(
            "calendar", "--now", now, settings=(("CALENDAR", str(file)), ("COUNT", count), ("EVENT_TIMEOUT", 1)), TZ=zone).splitlines()

    def test_the_next_events_of_a_calendar(self):
        self.assertEqual(self.events("2026-01-05T12:00", count=9)[:7], [
            "\t\tHolidays", "\t18:00\tBoard meeting, room 2 bringcakes", "\t19:00\tChoir", "06.01.\t\tEpiphany",
            "06.01.\t08:00\tCoffee", "07.01.\t08:00\tCoffee", "20.01.\t20:30\tChoir (Tuesday)"])
        # One that has begun is shown until its end.
        self.assertEqual(self.events("2026-01-05T18:59")[1:3], ["\t18:00\tBoard meeting, room 2 bringcakes", "\t19:00\tChoir"])
        self.assertEqual(self.events("2026-01-05T19:01")[1], "\t19:00\tChoir")
        # The same hour in Zurich is another one in New York while only one of the two has daylight saving time.
        self.assertEqual(
            [line.split("\t")[:2] for line in self.events("2026-03-01T12:00", "America/New_York")],
            [["02.03.", "13:00"], ["09.03.", "14:00"], ["16.03.", "14:00"], ["23.03.", "14:00"]])
        self.assertEqual(self.events("2026-03-29T12:00", "America/New_York")[0], "30.03.\t13:00\tChoir")

    def of_events(self, *events, zone="Europe/Zurich"):
        """Returns the lines of a calendar with these events, at noon, and what was printed as errors."""
        texts = ["\r\n".join(("BEGIN:VEVENT", *event, "END:VEVENT")) for event in events]
        calendar = "\r\n".join(("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", *texts, "END:VCALENDAR", ""))
        return self.events("2026-01-05T12:00", zone, calendar=calendar.encode("utf-8", "surrogateescape")), self.said

    GOOD = ("UID:good", "DTSTART:20260105T170000Z", "DTEND:20260105T180000Z", "SUMMARY:Good")

    def test_a_damaged_event_does_not_hide_the_others(self):
        start = "DTSTART:20260105T190000Z"
        damaged = (
            (), ("DTSTART:2026-01-05 10:00",), ("DTSTART",), ("DTSTART:",), (start, start), ("DTSTART;TZID=:x",),
            (start, "DTEND:20260105T1"), (start, "DTEND;VALUE=DATE:soon"), (start, "DURATION:2h"),
            (start, "RRULE:FREQ=NEVER"), (start, "RRULE:INTERVAL=2"), (start, "RRULE:FREQ=DAILY;BYMONTH=13"), (start, "RRULE:"),
            (start, "RRULE:FREQ=DAILY;INTERVAL=0"), (start, "RRULE:FREQ=DAILY;UNTIL=x"), (start, "RRULE:FREQ=DAILY;COUNT=x"),
            (start, "EXDATE:x"), (start, "RDATE:x"), (start, "RECURRENCE-ID:x"), (start, "DTEND:20260105T180000Z"),
            ("END:VEVENT", "BEGIN:VEVENT", start), ("BEGIN:VEVENT", start), ("DTSTART:19700101T000000Z", "RRULE:FREQ=SECONDLY"))
        for event in damaged:
            with self.subTest(event):
                event = ("UID:damaged", "SUMMARY:Damaged", *event)
                for events in ((event, self.GOOD), (self.GOOD, event)):
                    shown, said = self.of_events(*events)
                    self.assertIn("\t18:00\tGood", shown)
                    # The versions of the libraries differ in what is an error.
                    self.assertTrue("Damaged" in " ".join(shown) or "events.ics: left out: " in said, (shown, said))
                    self.assertTrue(all(line.startswith(str(self.directory)) for line in said.splitlines()), said)

    def test_errors_that_do_not_matter_are_ignored(self):
        event = ("UID:1", "DTSTART:20260105T190000Z", "SUMMARY:Odd")
        for entries in (
                ("GEO:here",), ("a line without a colon",), ("CREATED:yesterday",), ("PRIORITY:high",), ("X-\x01:1",),
                ("BEGIN:VALARM", "TRIGGER:soon", "DTSTART:x", "END:VALARM"), ("BEGIN:VALARM", "SUMMARY:Bell"),
                ("DESCRIPTION:caf\udce9",), ("SUMMARY:Even",)):
            with self.subTest(entries):
                self.assertEqual(self.of_events((*event, *entries), self.GOOD), (["\t18:00\tGood", "\t20:00\tOdd"], ""))

    def test_a_damaged_change_of_a_recurring_event(self):
        weekly = ("UID:1", "DTSTART:20260105T170000Z", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=2", "SUMMARY:Weekly")
        change = ("UID:1", "RECURRENCE-ID:20260112T170000Z", "DTSTART:x", "SUMMARY:Moved")
        shown, said = self.of_events(change, weekly, self.GOOD)
        self.assertEqual(shown, ["\t18:00\tGood", "\t18:00\tWeekly", "12.01.\t18:00\tWeekly"])
        self.assertIn("Moved", said)

    def test_titles_are_letters_only(self):
        for title, shown in (
                ("\x1b[31mRed\x1b[0m\x07 \x0b\x85x", "[31mRed [0m x"), ("{red}a {/} {#f80}b", "{{/}red}a {{/}/} {{/}#f80}b"),
                ("a\\nb", "a b"), ("caf\udce9", "caf\ufffd"), ("\u0645\u200f 👩\u200d🚀", "\u0645\u200f 👩\u200d🚀"), ("", "")):
            with self.subTest(title):
                event = ("UID:1", "DTSTART:20260105T190000Z", f"SUMMARY:{title}")
                self.assertEqual(self.of_events(event), ([f"\t20:00\t{shown}"], ""))

    def test_an_event_that_began_on_an_earlier_day_has_its_day(self):
        night = ("UID:1", "DTSTART;TZID=Europe/Zurich:20260104T220000", "DTEND;TZID=Europe/Zurich:20260105T130000", "SUMMARY:Night")
        days = ("UID:2", "DTSTART;VALUE=DATE:20260104", "DTEND;VALUE=DATE:20260107", "SUMMARY:Days")
        self.assertEqual(self.of_events(night, days)[0], ["\t\tDays", "04.01.\t22:00\tNight"])

    def test_calendars_that_cannot_be_read(self):
        file = self.directory / "broken.ics"
        settings = [("CALENDAR", str(file))]
        self.assertIn("No such file", self.run_example("calendar", settings=settings, status=1))
        for content in (b"<html>please log in</html>", b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:x\r\n", b"\xff\xfe\0"):
            with self.subTest(content):
                file.write_bytes(content)
                said = self.run_example("calendar", settings=settings, status=1)
                self.assertTrue(said.startswith(str(file)) and len(said.splitlines()) == 1, said)

    # A value of a JSON document

    # The examples of RFC 6901, section 5.
    RFC = {
        "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, 'k"l': 6, " ": 7, "m~n": 8}

    def value(self, pointer, document=None, status=0, **settings):
        file = self.directory / "document.json"
        file.write_text(json.dumps(self.RFC if document is None else document), encoding="utf-8")
        settings = {"DOCUMENT": str(file), "POINTER": pointer, **settings}
        return self.run_example("json-value", settings=settings.items(), status=status)

    def test_a_value_by_its_pointer(self):
        self.assertEqual(json.loads(self.value("")), self.RFC)
        self.assertEqual(self.value("/foo"), "bar\nbaz\n")
        for pointer, value in (("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3), ("/g|h", 4),
                               ("/i\\j", 5), ('/k"l', 6), ("/ ", 7), ("/m~0n", 8)):
            with self.subTest(pointer):
                self.assertEqual(self.value(pointer), f"{value}\n")
        self.assertEqual(self.value("/~01", {"~1": "é"}), "é\n")
        self.assertEqual(self.value("/t", {"t": 21.5}, TEXT="OUTSIDE {}°C"), "OUTSIDE 21.5°C\n")

    def test_pointers_that_point_to_nothing(self):
        for pointer, document in (("/bar", None), ("/foo/2", None), ("/foo/00", None), ("/foo/-", None), ("/foo/-1", None),
                                  ("/foo/x", None), ("/a~1b/c", None), ("foo", None), ("/foo", [1])):
            with self.subTest(pointer):
                self.assertIn("document.json: ", self.value(pointer, document, status=1))

    def test_a_document_of_a_server(self):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):  # pylint: disable=invalid-name
                self.send_response(404 if self.path == "/missing" else 200)
                self.end_headers()
                content = {"/deep": b"[" * 100_000, "/long": b" " * (1 << 21)}
                try:
                    self.wfile.write(content.get(self.path, b'{"a": [1, "B"]}'))
                except OSError:
                    pass  # It reads no more than its limit.

            def log_message(self, *arguments):  # pylint: disable=arguments-differ
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        address = f"http://127.0.0.1:{server.server_port}"
        self.assertEqual(self.value("/a/1", DOCUMENT=address), "B\n")
        for path in ("missing", "long", "deep"):
            with self.subTest(path):
                said = self.value("", DOCUMENT=f"{address}/{path}", status=1)
                self.assertTrue(said.startswith(address) and len(said.splitlines()) == 1, said)
        server.shutdown()
        server.server_close()
        self.assertIn("refused", self.value("", DOCUMENT=address, status=1))

    # The machine

    def test_the_machine(self):
        lines = self.run_example("machine").splitlines()
        self.assertRegex(lines[-2], r"\ALOAD\t\d+\.\d\d\Z")
        self.assertRegex(lines[-1], r"\AMEMORY\t\d+%\Z")
        self.assertLessEqual(len(lines), 3)

# SPDX-License-Identifier: Apache-2.0
"""Man pages and shell completions."""

import json
import os
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

from EndToEnd.daemon import CONTROL, DAEMON, PROJECT, DaemonTestCase, environment

MAN = PROJECT / "man"
COMPLETIONS = PROJECT / "completions"


def help_of(program, *verb):
    """Returns the help text of a program or of one of its commands."""
    return subprocess.run([program, *verb, "--help"], check=True, capture_output=True, text=True).stdout


def options(text):
    """Returns the long options in a help text."""
    return set(re.findall(r"--[a-z][a-z-]+", text.partition("OPTIONS:")[2]))


def verbs(program):
    """Returns the commands in a program's help."""
    table = re.search(r"^[A-Z]*COMMANDS:\n(.*?)\n\n", help_of(program), re.MULTILINE | re.DOTALL)
    return set(re.findall(r"^  ([a-z][a-z-]*)", table.group(1), re.MULTILINE))


class ManPages(unittest.TestCase):
    """The man pages render without warnings, and are complete."""

    PAGES = sorted(page.name for page in MAN.iterdir())

    def test_every_page_renders_without_a_warning(self):
        tools = [("mandoc", "-Tlint", "-Wwarning"), ("groff", "-mandoc", "-ww", "-z", "-Tutf8")]
        there = [tool for tool in tools if shutil.which(tool[0])]
        if not there:
            self.skipTest("neither mandoc nor groff is here")
        for tool in there:
            for page in self.PAGES:
                with self.subTest(tool=tool[0], page=page):
                    done = subprocess.run([*tool, MAN / page], capture_output=True, text=True, check=False)
                    self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    @unittest.skipUnless(shutil.which("mandoc"), "no mandoc")
    def test_quotes_enclose_only_what_they_quote(self):
        macros = {"Ql", "Cm", "Fl", "Ar", "Pa", "Xr", "Ev", "Sx", "Dv", "No", "Pq", "Op"}
        for page in self.PAGES:
            with self.subTest(page):
                text = (MAN / page).read_text()
                for number, line in enumerate(text.splitlines(), 1):
                    words = line.split()
                    # After another macro, Ql quotes the whole rest of the line.
                    if line.startswith(".") and "Ql" in words[1:]:
                        self.assertFalse(macros & set(words[words.index("Ql") + 1:]), f"{page}:{number}: {line}")
                done = subprocess.run(["mandoc", "-Tutf8", "-Owidth=500", MAN / page], capture_output=True, text=True,
                                      check=True)
                for line in re.sub(".\x08", "", done.stdout).splitlines():
                    self.assertNotRegex(line, "‘[^’]*‘|’’|‘’|‘ ")
                    self.assertEqual(line.count("‘"), line.count("’"), line)

    def check_program(self, program, page):
        text = (MAN / page).read_text()
        known = verbs(program)
        self.assertGreater(len(known), 2)
        for verb in known:
            with self.subTest(verb):
                place = "It Cm" if program == CONTROL else "Cm"
                self.assertRegex(text, rf"(?m)^\.{place} {verb}\b")
                for option in options(help_of(program, verb)) | {"--help", "--version"}:
                    if program == DAEMON and option in ("--help", "--version"):
                        continue
                    self.assertIn(f"Fl -{option[2:]}", text)
        statuses = re.search(r"(?ms)^\.Sh EXIT STATUS$(.*?)^\.Sh ", text)[1]
        listed = help_of(program).partition("EXIT STATUS: ")[2].partition("\n\n")[0]
        self.assertEqual(re.findall(r"\d+", listed), re.findall(r"(?m)^\.It (\d+)$", statuses))

    def test_every_command_option_and_exit_status_of_flipclockctl_is_documented(self):
        self.check_program(CONTROL, "flipclockctl.1")

    def test_every_command_option_and_exit_status_of_flipclockd_is_documented(self):
        self.check_program(DAEMON, "flipclockd.8")

    def test_every_key_of_the_schema_is_documented_in_its_place(self):
        schema = json.loads((PROJECT / "config/flipclock.schema.json").read_text())
        sections = {}
        for part in re.split(r"(?m)^\.S[sh] ", (MAN / "flipclock.toml.5").read_text())[1:]:
            title, _, body = part.partition("\n")
            words = " ".join(re.findall(r"(?m)^\.It Cm (.*)$", body))
            sections[title] = set(words.replace(" , ", " ").split())

        def told(place):
            """Returns the keys of all sections whose titles name the place."""
            return set().union(*(keys for title, keys in sections.items() if place in title))

        cards = sections["Widgets with cards"]
        common = sections["[widgets.NAME]"]
        tables = {f"[{name}]": table for name, table in schema["properties"].items() if "properties" in table}
        tables.pop("[widgets]")
        for name, table in tables.items():
            with self.subTest(name):
                self.assertEqual(set(table["properties"]), told(name))
        self.assertEqual(sections["Above all tables"], {"motion"})
        definitions = schema["definitions"]
        self.assertEqual(set(definitions["team"]["properties"]), told("[teams.ID]"))
        self.assertEqual(set(definitions["page"]["properties"]), told("[pages.NAME]"))
        self.assertEqual(set(definitions["output"]["properties"]), told("[outputs.NAME]"))
        for name in definitions["widget"]["properties"]["type"]["enum"]:
            with self.subTest(name):
                keys = set(definitions[name]["properties"])
                known = sections[name] | common | (cards if "transition" in keys else set())
                self.assertEqual(keys, known)


class Completions(DaemonTestCase):
    """Real shells query a real daemon."""

    CONFIG = """
[game]
preset = "basketball"
[widgets.time]
type = "flip-clock"
[widgets.score]
type = "score"
teams = ["lions", "tigers"]
[teams.lions]
[teams.tigers]
[pages.clock]
rows = ["time"]
[pages.match]
rows = ["score"]
"""

    def setUp(self):
        super().setUp()
        self.config.write_text(self.CONFIG)
        self.start()
        self.variables = environment(
            FLIPCLOCK_SOCKET=str(self.socket), PATH=f"{CONTROL.parent}:{os.environ['PATH']}", HOME=str(self.directory),
            TERM="dumb")

    CASES = [
        ("flipclockctl set-score ", {"lions", "tigers"}),
        ("flipclockctl set ti", {"tigers"}),
        ("flipclockctl set lions ", {"name", "short-name", "color", "score", "period-score", "fouls", "timeouts"}),
        ("flipclockctl set lions fo", {"fouls"}),
        ("flipclockctl set serve n", {"none"}),
        ("flipclockctl set serve l", {"lions"}),
        ("flipclockctl brightness de", {"default"}),
        ("flipclockctl brightness 7", {"75%"}),
        ("flipclockctl timer pa", {"pause"}),
        ("flipclockctl timer start --sh", {"--shot"}),
        ("flipclockctl message HELLO --un", {"--until-cleared"}),
        ("flipclockctl message HELLO --for 3", {"30s"}),
        ("flipclockctl history --li", {"--limit"}),
        ("flipclockctl blank --to", {"--toggle"}),
        ("flipclockctl unblank --ou", {"--output"}),
        ("flipclockctl unblank --output H", {"Headless-1"}),
        ("flipclockctl screenshot --output H", {"Headless-1"}),
        ("flipclockctl add-score t", {"tigers"}),
        ("flipclockctl --json show ", {"clock", "match"}),
        ("flipclockctl sc", {"score", "screenshot"}),
        ("flipclockctl set-score lions ", set()),
        ("flipclockctl bl", {"blank"}),
        ("flipclockctl che", {"check"}),
    ]

    def check_shell(self, complete):
        for line, words in self.CASES:
            with self.subTest(line):
                self.repeat(lambda line=line, words=words: self.assertEqual(complete(line), words))

    @staticmethod
    def repeat(check):
        """Makes a check again if it fails: flipclockctl does without the daemon's names if they are not there within a
        second, as can happen on a busy machine."""
        for _ in range(3):
            try:
                return check()
            except AssertionError:
                pass
        return check()

    def run_shell(self, *command):
        """Returns the completions that a shell prints, one per line, without their descriptions."""
        done = subprocess.run(command, capture_output=True, text=True, env=self.variables, timeout=30, check=False,
                              cwd=self.directory)
        self.assertEqual(done.stderr, "")
        return {line.split("\t")[0] for line in done.stdout.splitlines() if line}

    @unittest.skipUnless(shutil.which("bash"), "no bash")
    def test_bash(self):
        def complete(line):
            words = line.split(" ")
            script = (f"source {COMPLETIONS}/flipclockctl.bash; COMP_WORDS=({' '.join(words[:-1])} '{words[-1]}'); "
                      f"COMP_CWORD={len(words) - 1}; _flipclockctl flipclockctl; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
            return self.run_shell("bash", "--norc", "-c", script)

        self.check_shell(complete)

    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_fish(self):
        def complete(line):
            return self.run_shell("fish", "--no-config", "-c",
                                  f"source {COMPLETIONS}/flipclockctl.fish; complete -C '{line}'")

        self.check_shell(complete)

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh(self):
        universe = set().union(*(words for _, words in self.CASES))
        for line, words in self.CASES:
            with self.subTest(line):
                # The terminal echoes the typed text too.
                foreign = universe - words - set(line.split())
                shown = self.repeat(lambda line=line, words=words: self.complete_in_zsh(line, words or {"\a"}))
                candidates = re.sub(r" -- [^\r\n]*", "", shown)
                self.assertEqual(foreign & set(re.findall(r"[a-z-]+", candidates)), set())

    def complete_in_zsh(self, line, words):
        """Completes a line in zsh, which needs a terminal and a Tab, and returns what is shown."""
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(self.directory)
            os.execvpe("zsh", ["zsh", "-f", "-i"], self.variables)
        try:
            os.write(terminal, (f"PS1=; fpath=({COMPLETIONS} $fpath); autoload -U compinit; compinit -u -D\n"
                                "print READY''NOW\n").encode())
            self.read_until(terminal, {"READYNOW"})
            os.write(terminal, line.encode() + b"\t")
            return self.read_until(terminal, words, quiet=0.3)
        finally:
            os.close(terminal)
            os.waitpid(process, 0)

    def read_until(self, terminal, words, quiet=0, seconds=20):
        """Reads from a terminal until all the words have arrived and it is quiet for a while."""
        text, deadline = "", time.monotonic() + seconds
        while True:
            # A bell may arrive in the middle of a completed word.
            complete = all(word in text or word in text.replace("\a", "") for word in words)
            ready, _, _ = select.select([terminal], [], [], quiet if complete else max(0, deadline - time.monotonic()))
            if not ready and complete:
                return text
            if not ready:
                self.fail(f"not all of {words} within {seconds} s; so far: {text!r}")
            text += os.read(terminal, 4096).decode(errors="replace")

    def test_without_a_daemon_there_are_no_words_and_no_errors(self):
        self.kill()
        for what in ("teams", "pages"):
            done = subprocess.run([CONTROL, "complete", what], env=self.variables, capture_output=True, check=False)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))

# SPDX-License-Identifier: Apache-2.0
"""Three walls, two brokers and four phones in a network that fails at random, with programs that are killed,
memory cards that are replaced, and people who take the lead over.

Each point is identified by its team and its value. After each round everything is connected again. Then the
match and the matches that were set aside must agree with the answers that the phones got.
FLIPCLOCK_MINUTES=30 sets how long the test takes. FLIPCLOCK_SEED=7 repeats the choices of a run, but not the
timing, which depends on the machine's scheduler.
"""

import collections
import concurrent.futures
import contextlib
import json
import os
import queue
import random
import re
import shutil
import signal
import subprocess
import threading
import time
import unittest

from EndToEnd.broker import find_program
from EndToEnd.daemon import PATIENCE, environment
from EndToEnd.network import HERE, Network
from EndToEnd.pace import Pace
from EndToEnd.phone import Phone
from EndToEnd.test_web_page import WEB, PageTestCase
from EndToEnd.walls import Wall, WallsTestCase

LONG = "FLIPCLOCK_LONG" in os.environ
MINUTES = float(os.environ.get("FLIPCLOCK_MINUTES", "30"))
SEED = int(os.environ.get("FLIPCLOCK_SEED") or random.randrange(1 << 30))

# In seconds: how late a command may be performed, how soon one leader must be found, and by how much both may
# take longer because programs and this test poll. On a busy machine they may take even longer (`Pace`).
LATE, DECIDED, MARGIN = 5, 10, 1
# The answers after which it is not known whether a command counted: no answer, and 424, which says
# that another wall may have counted it.
NOT_KNOWN = (None, 424)

# The score of a team in base 4 says how often each of these points was counted.
VALUES = (1, 4, 16, 64, 256)
TEAMS = [f"t{number:02}" for number in range(31)]
# The name of this team is that of the round.
ROUND = "round"

CONFIG = """
[game]
preset = "basketball"
increments = [1, 4, 16, 64, 256]

[remote]
address = "{address}"
port = 8080

[widgets.match]
type = "score"

[walls]
{role} = "hall"

""" + "".join(f"[teams.{team}]\nname = \"{team.upper()}\"\n" for team in [*TEAMS, ROUND])

# A broker that saves each change within 0.1 s.
BROKER = """
listener 1883
user root
allow_anonymous true
persistence true
persistence_location {directory}/
persistence_file {name}.db
autosave_interval 1
autosave_on_changes true
"""

BRIDGE = """
connection other
address {address}:1883
topic flipclock/# both 1
restart_timeout 1
keepalive_interval 5
"""

# Records the page's answer to each command.
RECORD = """
window.answers = [];
const before = conclude;
conclude = (tap, status, reply, ...rest) => {
  answers.push([tap.command, status, reply?.what ?? reply?.error, !!tap.isDoubtful, (now() - tap.at) / 1000]);
  before(tap, status, reply, ...rest);
};
"""

# Taps a button, and returns whether the page has accepted the tap.
TAP = """
const count = commandCount;
document.querySelector(`[data-command="${arguments[0]}"]`).click();
return commandCount > count;
"""

# Taps Undo if the last change was a point.
UNDO = """
if (!/score of t\\d\\d/.test(match.undo)) return;
document.querySelector("#undo").click();
"""


class Point:
    """A tap, or a command of flipclockctl, that adds a value to a team's score."""

    def __init__(self, team, value):
        self.team, self.value = team, value
        self.command = f"add-score {team} {value}"
        # The latest time at which it was given, and who gave it; None if it was not given.
        self.at, self.by = None, None
        # done, refused or unknown; None if there is no answer yet.
        self.outcome = None
        self.said = None
        # Whether it may have been performed before the answer.
        self.was_doubtful = False
        # Whether the answer came so soon that the point was not counted late.
        self.is_quick = False
        self.undone = 0
        # Whether a memory card that had it was replaced.
        self.is_gone = False

    def __repr__(self):
        return f"{self.command} of {self.by}: {self.outcome} ({self.said}), undone {self.undone} times"


class NetworkWall(Wall):
    """A wall in a namespace of its own, with flipclock-web."""

    def __init__(self, test, name, role, broker):
        self.address = test.network.addresses[name]
        self.web = None
        super().__init__(test, name, role)
        self.broker, self.wrapper = test.network.addresses[broker], test.network.inside(name)
        self.variables = {"FLIPCLOCK_WEB_SOCKET": str(self.directory / "web.sock")}

    def configure(self, role, game=None):
        self.config.write_text(CONFIG.format(address=self.address, role=role))

    def start_web(self):
        self.web = self.spawn(
            WEB, "--listen", f"{self.address}:8080", "--socket", self.socket, "--state-dir", self.directory / "web")

    def start(self):
        for program in ("daemon", "remote", "web"):
            self.start_program(program)

    def start_program(self, program):
        process = getattr(self, program)
        if process is None or process.poll() is not None:
            getattr(self, f"start_{program}")()

    @property
    def card(self):
        return self.directory / "state"

    def saved(self):
        """The match on the memory card: the scores by team, the round, and the times of the changes that
        added points, in seconds of CLOCK_BOOTTIME; None if there is none."""
        try:
            document = json.loads((self.card / "state.json").read_text())
        except (OSError, ValueError):
            return None
        followed = (document.get("walls") or {}).get("followed")
        ahead = (document["saved"]["wall"] - document["saved"]["clock"]) if followed else 0
        match = {**document, **({"scoreboard": followed["board"], "past": followed["past"]} if followed else {})}
        return Saved(match, ahead)

    def asides(self):
        """The matches that were set aside, by their files."""
        found = {}
        for path in self.card.glob("match-*.json"):
            with contextlib.suppress(OSError, ValueError):
                found[f"{self.name}/{path.name}"] = Saved(json.loads(path.read_text()))
        return found


class Saved:
    """A match in a file."""

    def __init__(self, document, ahead=0):
        teams = {team["id"]: team for team in document["scoreboard"]["teams"]}
        self.scores = {team: teams[team]["score"] if team in teams else 0 for team in TEAMS}
        self.round = teams.get(ROUND, {}).get("name")
        self.times = [
            (action["team"], action["by"], (step["time"] - ahead) / 1e9) for step in document.get("past", [])
            if (action := step["action"].get("addScore"))]

    def count(self, point):
        """How often a point was counted."""
        return self.scores[point.team] // point.value % 4

    def may_have(self, point, count, name):
        """Whether this match may have counted a point `count` times in the round `name`. The match of another
        round may have counted it more often, because earlier rounds have the same points."""
        return self.count(point) == count or self.round != name and self.count(point) >= count


@unittest.skipUnless(LONG, "only with FLIPCLOCK_LONG")
class RandomRuns(WallsTestCase, PageTestCase):
    def setUp(self):
        super().setUp()
        self.port = 1883
        self.choices = random.Random(SEED)
        self.network = Network(self, ["wall-0", "wall-1", "wall-2", "broker-0", "broker-1"])
        self.brokers = {"broker-0": None, "broker-1": None}
        self.counts = collections.Counter()
        self.decisions = []
        # The events that are to end: when, their names, and the functions that end them.
        self.ends = []
        # What is affected by an event now.
        self.busy = set()
        self.is_tapping = threading.Event()
        self.lock = threading.Lock()
        self.is_over = False
        self.threads = []
        self.begin_at = time.monotonic()
        self.events = open(self.directory / "events", "a", buffering=1, encoding="utf-8")
        self.addCleanup(self.events.close)

    # What happens

    def note(self, text):
        """Writes what happens to a file that is kept after a failure, and to the walls' logs."""
        line = f"{time.monotonic() - self.begin_at:8.2f} {text}\n"
        with self.lock:
            self.events.write(line)
            for wall in self.walls:
                with open(wall.log, "a", encoding="utf-8") as log:
                    log.write(f"--- {line}")

    def start_broker(self, name="broker-0"):
        if self.brokers[name] and self.brokers[name].poll() is None:
            return
        config = self.directory / f"{name}.conf"
        bridge = BRIDGE.format(address=self.network.addresses["broker-0"]) if name == "broker-1" else ""
        config.write_text(BROKER.format(directory=self.directory, name=name) + bridge)
        with open(self.broker_log, "ab") as log:
            process = subprocess.Popen(
                [*self.network.inside(name), find_program("mosquitto"), "-c", config], stdout=log, stderr=log,
                env=environment())
        self.addCleanup(self.stop_process, process)
        self.brokers[name] = process

    def start_everything(self):
        for name in self.brokers:
            self.start_broker(name)
        self.walls = [
            NetworkWall(self, f"wall-{index}", "follow" if index else "lead", "broker-1" if index == 2 else "broker-0")
            for index in range(3)]
        for wall in self.walls:
            wall.start()
        self.wait_connected()

    # People who keep the score

    def start_phones(self):
        for index, wall in enumerate((self.walls[1], self.walls[2])):
            self.wait_for("a page", lambda wall=wall: self.can_connect(wall))
            phone = Phone(f"phone-{index}", (wall.address, 8080), self.code(wall))
            self.addCleanup(phone.close)
            self.run_thread(self.use_phone, phone, random.Random(self.choices.random()))
        self.pages = {}
        for index, wall in enumerate(self.walls[:2]):
            self.wait_for("a page", lambda wall=wall: self.can_connect(wall))
            page = self.browser()
            page.open(f"http://{wall.address}:8080/pair#{self.code(wall)}")
            page.wait_for("isLive() && ['owner', 'scorer'].includes(document.body?.dataset.role)", 20)
            page.run(RECORD)
            self.pages[f"page-{index}"] = page
            self.run_thread(self.use_page, f"page-{index}", page, random.Random(self.choices.random()))

    def run_thread(self, function, *arguments):
        """Repeats a function in a thread until the test ends."""
        def run():
            try:
                while not self.is_over:
                    function(*arguments)
            except Exception as error:  # pylint: disable=broad-exception-caught
                if not self.is_over:
                    self.failures.put(error)
        thread = threading.Thread(target=run, daemon=True)
        self.threads.append(thread)
        thread.start()

    @staticmethod
    def code(wall):
        return json.loads(wall.run("--json", "remote"))["code"]

    @staticmethod
    def can_connect(wall):
        return subprocess.run(
            ["curl", "-sfo", "/dev/null", "-m", "5", f"http://{wall.address}:8080/"], check=False).returncode == 0

    def next_point(self, by):
        """Returns a point that was not given yet; None if all were."""
        with self.lock:
            if not self.free:
                return None
            point = self.free.pop()
            point.by, point.at = by, time.clock_gettime(time.CLOCK_BOOTTIME)
            self.points[point.command] = point
            self.counts["taps"] += 1
            return point

    def use_phone(self, phone, choices):
        """Makes the next tap on a phone."""
        time.sleep(choices.uniform(0.1, 1.2))
        with self.at_work(phone.name) as may_tap:
            if not may_tap or not phone.is_live:
                return
            if choices.random() < 0.15:
                match = phone.match
                if (shown := match.get("undo")) and re.match(r"score of t\d\d", shown):
                    status, reply, attempts = phone.perform("undo", match["revision"])
                    self.undone(phone.name, status, reply.get("what") or reply.get("error"), attempts > 1)
                    if status == 200 and not reply["what"].endswith(shown):
                        self.failures.put(AssertionError(f"{reply['what']!r} instead of {shown!r}"))
                return
            if point := self.next_point(phone.name):
                status, reply, attempts = phone.perform(point.command)
                self.conclude(
                    point, status, reply.get("what") or reply.get("error"), attempts > 1,
                    time.clock_gettime(time.CLOCK_BOOTTIME) - point.at)

    def use_page(self, name, page, choices):
        """Makes the next tap on a page, which sends it when it can."""
        time.sleep(choices.uniform(0.1, 1.2))
        with self.at_work(name) as may_tap:
            if not may_tap:
                return
            if choices.random() < 0.1:
                page.run(UNDO)
            elif point := self.next_point(name):
                is_sent = page.run(TAP, point.command)
                point.at = time.clock_gettime(time.CLOCK_BOOTTIME)
                if not is_sent:
                    with self.lock:
                        del self.points[point.command]
                        self.free.append(point)
                        self.counts["taps"] -= 1

    def use_control(self, wall):
        """Gives the next point with flipclockctl at a wall."""
        point = self.next_point(wall.name)
        if not point:
            return
        result = wall.control(*point.command.split())
        text = result.stderr.strip() or result.stdout.strip()
        status = 200 if result.returncode == 0 else 424 if "nothing was changed now" in text \
            else 409 if "nothing was changed" in text else None
        self.conclude(point, status, text)

    @contextlib.contextmanager
    def at_work(self, name):
        """Yields whether taps are allowed now. The round does not end inside this context."""
        with self.lock:
            may_tap = self.is_tapping.is_set()
            if may_tap:
                self.working.add(name)
        try:
            yield may_tap
        finally:
            with self.lock:
                self.working.discard(name)

    def conclude(self, point, status, said, was_doubtful=False, seconds=0):
        point.said = f"{status} {said}{', doubtful' if was_doubtful else ''}"
        point.was_doubtful, point.is_quick = was_doubtful or status is None, seconds < LATE
        point.outcome = "done" if status == 200 else "unknown" if status in NOT_KNOWN else "refused"
        self.counts[point.outcome] += 1
        self.note(f"{point}")

    def undone(self, by, status, said, was_doubtful):
        self.note(f"undo of {by}: {status} {said}{', doubtful' if was_doubtful else ''}")
        if status != 200:
            self.counts["undo refused"] += 1
            with self.lock:
                self.doubtful_undos += was_doubtful or status in NOT_KNOWN
            return
        self.counts["undo done"] += 1
        team, old, new = re.search(r"score of (t\d\d): (\d+) → (\d+)", said).groups()
        # It may be a point of an earlier round, if an old match is shown.
        if point := self.points.get(f"add-score {team} {int(new) - int(old)}"):
            point.undone += 1

    # What fails

    def until(self, seconds, what, end):
        """Has an event end after `seconds`, or earlier when everything is connected again."""
        self.busy.add(what)

        def finish():
            self.busy.discard(what)
            end()
        self.ends.append((time.monotonic() + seconds, what, finish))

    def end_events(self, now=None):
        """Ends the events that are due; all if `now` is None."""
        due = [event for event in self.ends if now is None or event[0] <= now]
        self.ends = [event for event in self.ends if event not in due]
        for _, what, finish in due:
            self.note(f"end of {what}")
            finish()

    def programs(self):
        """The programs that no event affects now."""
        found = [(f"{wall.name} {program}", getattr(wall, program), lambda w=wall, p=program: w.start_program(p))
                 for wall in self.walls for program in ("daemon", "remote", "web")]
        found += [(name, process, lambda n=name: self.start_broker(n)) for name, process in self.brokers.items()]
        return [each for each in found if not any(each[0].startswith(what) for what in self.busy)]

    def kill_one(self):
        what, process, start = self.choices.choice(self.programs() or [(None, None, None)])
        if what:
            self.note(f"kill {what}")
            self.stop_process(process, signal.SIGKILL)
            self.counts["kills"] += 1
            self.until(self.choices.choice((0, 0.5, 3, 8)), what, start)

    def stop_one(self):
        """Stops a program, which later continues and handles what has arrived meanwhile."""
        what, process, _ = self.choices.choice(self.programs() or [(None, None, None)])
        if what:
            self.note(f"stop {what}")
            process.send_signal(signal.SIGSTOP)
            self.counts["stops"] += 1
            self.until(self.choices.choice((0.5, 2, 6, 9)), what, lambda: process.send_signal(signal.SIGCONT))

    def power_failure(self):
        wall = self.choices.choice(self.walls)
        if any(what.startswith(wall.name) for what in self.busy):
            return
        is_replaced = not self.is_strict and self.choices.random() < 0.5
        self.note(f"{wall.name} has no power")
        for program in (wall.daemon, wall.remote, wall.web):
            self.stop_process(program, signal.SIGKILL)
        self.counts["power failures"] += 1
        if is_replaced:
            self.replace_card(wall)
        self.until(self.choices.choice((0, 2, 8)), wall.name, wall.start)

    def replace_card(self, wall):
        """Replaces a memory card by a new one, or by a copy of an earlier time."""
        # Waits until the answers of the killed programs have arrived.
        time.sleep(0.3)
        self.is_card_replaced = True
        self.counts["cards"] += 1
        elsewhere = [saved for other in self.walls if other is not wall for saved in (
            other.saved(), *other.asides().values()) if saved and saved.round == self.round]
        with self.lock:
            for point in self.points.values():
                point.is_gone = point.is_gone or not any(saved.count(point) for saved in elsewhere)
        copies = sorted(self.directory.glob(f"copy-{wall.name}-*"))
        if copies and self.choices.random() < 0.5:
            copy = self.choices.choice(copies)
            self.note(f"{wall.name} gets {copy.name}")
            shutil.rmtree(wall.card)
            shutil.copytree(copy, wall.card)
        else:
            self.note(f"{wall.name} gets a new memory card")
            shutil.rmtree(wall.card)

    def copy_card(self):
        wall = self.choices.choice(self.walls)
        if wall.card.exists():
            with contextlib.suppress(OSError, shutil.Error):
                shutil.copytree(wall.card, self.directory / f"copy-{wall.name}-{time.monotonic():.0f}")

    def cut(self):
        """Loses the packets between two machines, in one direction or in both."""
        pairs = [(HERE, "wall-0"), (HERE, "wall-1"), (HERE, "wall-2"), ("wall-0", "broker-0"), ("wall-1", "broker-0"),
                 ("wall-2", "broker-1"), ("broker-1", "broker-0")]
        one, other = self.choices.choice(pairs)
        what = f"cut {one}|{other}"
        if what in self.busy:
            return
        directions = self.choices.choice((((one, other),), ((other, one),), ((one, other), (other, one))))
        self.note(f"cut {directions}")
        self.counts["cuts"] += 1
        self.network.cut(*directions)
        self.until(self.choices.choice((1, 4, 8, 12)), what, lambda: self.network.restore(*directions))

    def forget(self):
        """Restarts a broker without its saved state."""
        name = self.choices.choice(list(self.brokers))
        if self.is_strict or name in self.busy:
            return
        self.note(f"{name} forgets everything")
        self.counts["forgetful brokers"] += 1
        self.stop_process(self.brokers[name], signal.SIGKILL)
        for path in self.directory.glob(f"{name}.db*"):
            path.unlink()
        self.has_forgotten = True
        self.until(self.choices.choice((0, 3)), name, lambda: self.start_broker(name))

    def lead(self):
        # A wall at the other end of a bridge may lead at the same time as another one.
        wall = self.choices.choice(self.walls[:2] if self.is_strict else self.walls)
        goes_on = not self.is_strict and self.choices.random() < 0.7
        self.jobs.append(self.people.submit(self.take_lead, wall, goes_on))

    def take_lead(self, wall, goes_on):
        result = wall.control("lead")
        self.note(f"lead at {wall.name}: {result.returncode} {result.stdout.strip()} {result.stderr.strip()}")
        self.counts["leads" if result.returncode == 0 else "leads refused"] += 1
        if result.returncode == 0 and wall is self.walls[2]:
            self.is_bridged = True
        if goes_on and "lead --anyway" in result.stderr:
            # The match may change before the answer comes.
            self.is_confirmed = True
            result = wall.control("lead", "--anyway")
            self.note(f"lead --anyway at {wall.name}: {result.stdout.strip()} {result.stderr.strip()}")
            self.counts["leads anyway"] += result.returncode == 0

    def tap(self):
        self.jobs.append(self.people.submit(self.use_control, self.choices.choice(self.walls)))

    # Calm

    def is_connected(self):
        """Whether all connections between daemons, walls and brokers are open at both ends, and nothing waits
        in them."""
        for wall in self.walls:
            log = wall.log.read_text(errors="replace")
            # flipclock-mqtt may have a connection to the broker some seconds before it connects to a
            # restarted daemon.
            started = max(log.rfind("flipclockd: control socket: "), log.rfind("flipclock-mqtt: board '"))
            if log.rfind("flipclock-mqtt: the daemon is connected") < started:
                return False
        pairs = [(wall.name, "broker-1" if wall is self.walls[2] else "broker-0") for wall in self.walls]
        pairs.append(("broker-1", "broker-0"))
        for client, broker in pairs:
            address = self.network.addresses[client]
            ends = [self.network.connections(client, "dport", "=", ":1883"),
                    [line for line in self.network.connections(broker, "sport", "=", ":1883") if f" {address}:" in line]]
            for lines in ends:
                open_lines = [line for line in lines if line.startswith("ESTAB")]
                if len(open_lines) != 1 or "backoff:" in open_lines[0]:
                    return False
        return True

    def state_of_walls(self):
        """The roles, and the scores of each wall; None if a wall is not ready."""
        statuses = [wall.try_status() for wall in self.walls]
        if not all(status and status.get("wall", {}).get("reachable") for status in statuses):
            return None
        teams = [json.dumps(status["scoreboard"]["teams"], sort_keys=True) for status in statuses]
        return [status["wall"]["role"] for status in statuses], teams

    def is_decided(self):
        state = self.state_of_walls()
        return state and sorted(state[0]) == ["follower", "follower", "leader"] and len(set(state[1])) == 1

    def calm(self):
        """Connects everything, and waits until one wall leads and nobody waits for an answer."""
        self.end_events()
        with self.lock:
            self.is_tapping.clear()
        for wall in self.walls:
            for program in ("daemon", "remote", "web"):
                process = getattr(wall, program)
                if process.poll() is not None:
                    self.failures.put(AssertionError(f"{wall.name}'s {program} has ended with {process.returncode}"))
        # The delays between attempts to connect are up to a minute.
        restarts = time.monotonic() + 20
        end = time.monotonic() + 90 * PATIENCE
        while not self.is_connected():
            self.assertLess(time.monotonic(), end, "no connection")
            if time.monotonic() > restarts:
                restarts += 20
                for wall in self.walls:
                    wall.stop_remote()
                    wall.start_remote()
            time.sleep(0.1)
        self.note("everything is connected")
        begin = time.monotonic()
        while not self.is_decided():
            if time.monotonic() > begin + DECIDED + MARGIN + self.pace.allowance(20, 1):
                self.note(f"undecided: {[wall.try_status() for wall in self.walls]}")
                self.fail(f"no leader {DECIDED} s after everything was connected: {self.state_of_walls()}")
            time.sleep(0.1)
        self.decisions.append(time.monotonic() - begin)
        self.note(f"decided after {self.decisions[-1]:.2f} s; a thread waits for up to {self.pace.allowance(1, 1):.2f} s here")
        end = time.monotonic() + 30 * PATIENCE
        while self.is_anybody_waiting():
            self.assertLess(time.monotonic(), end, f"no answer: {self.working}")
            self.raise_failures()
            time.sleep(0.1)
        for job in self.jobs:
            job.result()
        self.jobs.clear()
        for name, page in self.pages.items():
            self.collect(name, page)
        self.wait_for("equal walls", self.is_decided, DECIDED)
        self.assert_equal_clocks()

    def is_anybody_waiting(self):
        if self.working or any(not job.done() for job in self.jobs):
            return True
        return any(not page.run("return isLive() && !queue.length && !isSending") for page in self.pages.values())

    def collect(self, name, page):
        """Takes the answers that a page has recorded."""
        for command, status, said, was_doubtful, seconds in page.run("const all = answers; answers = []; return all"):
            if command == "undo":
                self.undone(name, status, said, was_doubtful)
            else:
                self.conclude(self.points[command], status, said, was_doubtful, seconds)

    def raise_failures(self):
        with contextlib.suppress(queue.Empty):
            raise self.failures.get_nowait()

    # Rounds

    def leader(self):
        return next(wall for wall in self.walls if wall.wall().get("role") == "leader")

    def prepare_round(self, number):
        """Begins a new game, and names the round in it."""
        if self.is_strict and self.leader() is self.walls[2]:
            self.walls[0].run("lead")
            self.wait_for("one leader", self.is_decided, DECIDED)
        self.round = f"R{number:03}"
        self.points = {}
        self.free = [Point(team, value) for team in TEAMS for value in VALUES]
        self.choices.shuffle(self.free)
        leader = self.leader()
        # Undos that may be missing in the current match, because a match that was set aside has them.
        self.doubtful_undos = 0
        self.is_confirmed = self.is_card_replaced = self.has_forgotten = False
        self.is_bridged = leader is self.walls[2]
        leader.run("new-game")
        leader.run("set", ROUND, "name", self.round)
        leader.run("timer", "start")
        self.wait_for("equal walls", self.is_decided, DECIDED)
        self.known_asides = {name for wall in self.walls for name in wall.asides()}

    def play(self, seconds):
        """Lets people tap while things fail."""
        events = (self.kill_one, self.kill_one, self.stop_one, self.cut, self.cut, self.cut, self.power_failure, self.lead,
                  self.lead, self.copy_card, self.forget, self.tap, self.tap, self.tap)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.raise_failures()
            self.end_events(time.monotonic())
            self.choices.choice(events)()
            time.sleep(self.choices.uniform(0, 1.5))

    def check(self):
        """Compares the match with the answers that everybody got."""
        leader = self.leader()
        saved = leader.saved()
        asides = {name: aside for wall in self.walls for name, aside in wall.asides().items()
                  if name not in self.known_asides}
        may_differ = self.is_confirmed or self.is_card_replaced or self.has_forgotten or self.is_bridged
        problems, missing = [], []
        # A person may have confirmed that a wall leads with an old match.
        if saved.round != self.round:
            self.counts["old matches"] += 1
            if not may_differ:
                problems.append(f"the match of {saved.round}")
        # Without a person's confirmation, only what was not acknowledged may be set aside.
        if not may_differ and not self.doubtful_undos:
            problems += [f"set aside without a reason: {name}" for name, aside in asides.items() if not any(
                point.was_doubtful and aside.count(point) for point in self.points.values())]
        self.counts["set aside"] += len(asides)
        for point in self.points.values():
            problems += [
                f"{problem}: {point}" for problem in self.problems(point, saved, list(asides.values()), may_differ)]
            if self.is_missing(point, saved, list(asides.values()), may_differ):
                missing.append(f"counted {saved.count(point)} times: {point}")
        if len(missing) > (self.doubtful_undos if may_differ else 0):
            problems += missing
        for saved_match in (saved, *asides.values()):
            problems += self.late(saved_match)
        self.assertFalse(problems, f"round {self.round} of seed {SEED}: " + "\n".join(problems))

    def late(self, saved):
        """The points of a match that were counted late, according to their times in its history. A wall that
        adopts a match whose writer it has just begun to hear does not know that wall's clock well, so the
        times are compared with those of the points before and after, which were answered soon."""
        points = [(self.points.get(f"add-score {team} {value}"), when) for team, value, when in saved.times]
        ages = [(point, when - point.at) for point, when in points if point]
        self.counts["ages"] += len(ages)
        for index, (point, age) in enumerate(ages):
            known = [next((other for near, other in side if near.is_quick), 0)
                     for side in (reversed(ages[:index]), ages[index + 1:])]
            if not point.is_quick and age - max(0, *known) > LATE + MARGIN / 2 + self.pace.allowance(5, 1):
                yield f"counted {age:.1f} s after the tap: {point}"

    def problems(self, point, saved, asides, may_differ):
        if any(match.count(point) > 1 for match in (saved, *asides) if match.round == self.round):
            yield "counted more than once"
        # It may have been undone in two matches that differ.
        if point.undone > 1 and not may_differ:
            yield "undone more than once"
        if point.outcome is None:
            yield "no answer"
        is_present = saved.round == self.round and saved.count(point)
        if point.outcome == "refused" and is_present and not self.is_card_replaced:
            yield "refused and counted"

    def is_missing(self, point, saved, asides, may_differ):
        """Whether a point that was acknowledged is neither in the match nor, if it may be there, in one that
        was set aside."""
        expected = 0 if point.undone else 1
        if point.outcome != "done" or saved.may_have(point, expected, self.round):
            return False
        if not may_differ:
            return True
        if point.is_gone:
            self.counts["points on replaced cards"] += 1
            return False
        if any(aside.may_have(point, expected, self.round) for aside in asides):
            self.counts["points set aside"] += 1
            return False
        return True

    def test_random_runs(self):
        print(f"FLIPCLOCK_SEED={SEED} FLIPCLOCK_MINUTES={MINUTES:g}", flush=True)
        self.failures = queue.Queue()
        self.working, self.jobs = set(), []
        self.people = concurrent.futures.ThreadPoolExecutor(6)
        self.addCleanup(self.people.shutdown, wait=False, cancel_futures=True)
        self.addCleanup(setattr, self, "is_over", True)
        self.start_everything()
        self.is_strict = True
        self.prepare_round(0)
        self.start_phones()
        end = time.monotonic() + 60 * MINUTES
        number = 0
        while time.monotonic() < end:
            number += 1
            self.is_strict = number % 2 == 1
            self.prepare_round(number)
            self.note(f"round {number}{', strict' if self.is_strict else ''}")
            with Pace() as self.pace:
                self.is_tapping.set()
                self.play(self.choices.uniform(20, 45))
                self.calm()
                self.check()
            self.note(f"round {number} is right: {dict(self.counts)}")
        self.decisions = sorted(round(seconds, 1) for seconds in self.decisions)
        print(f"{number} rounds in {MINUTES:g} minutes: {dict(self.counts)}; one leader after "
              f"{self.decisions[len(self.decisions) // 2]:.1f} s (median), the longest {self.decisions[-5:]}")
        self.assertGreater(self.counts["done"], 10 * number)


if __name__ == "__main__":
    unittest.main()

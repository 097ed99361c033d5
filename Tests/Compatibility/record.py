# SPDX-License-Identifier: Apache-2.0
"""Records the files of this version: the configs below, and the state files that the built programs write with them.

    make build && python3 Tests/Compatibility/record.py

Run it once for each release, before the tag. The files are stored in a directory with the name of the version and are
never changed again; DaemonTests/CompatibilityTests.swift tests that later versions read them.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent.parent

# For each case, the config files and the commands.
CASES = {
    "free": ({}, """
        set-score home 7
        add-score guest +3
        add-score guest +1
        undo
        set home name LIONS
        set guest color #00ff00
        add-score home -1
        undo
    """),
    "volleyball": ({"config.toml": """
[game]
preset = "volleyball"

[teams.home]
name = "LIONS"
color = "#ffb000"

[teams.guest]
name = "ΑΕΤΟΙ"
short-name = "ΑΕΤ"
"""}, """
        set serve home
        set-score home 24
        set-score guest 19
        add-score home +1
        set period +1
        add-score guest +1
        set home timeouts +1
        add-score guest +1
        swap
        undo 2
    """),
    "basketball": ({
        "config.toml": "[game]\npreset = \"basketball\"\nresume = \"paused\"\n",
        "config.toml.d/10-teams.toml": "[teams.home]\nname = \"BEARS\"\n\n[teams.guest]\nname = \"WOLVES\"\n",
        "config.toml.d/20-length.toml": "[game]\nclock-length = \"8:00\"\n",
    }, """
        timer start
        add-score home +2
        add-score guest +3
        set guest fouls +1
        timer pause
        set period +1
        timer set 5:00
        add-score home +2
    """),
    "tennis": ({"config.toml": "[game]\npreset = \"tennis\"\n"}, """
        set serve guest
        add-score home +1
        add-score home +1
        add-score home +1
        add-score home +1
        add-score guest +1
    """),
    "ice-hockey": ({"config.toml": "[game]\npreset = \"ice-hockey\"\nresume = \"running\"\n"}, """
        timer start
        penalty home 2:00 --number 17
        penalty guest 5:00 --number 4
        add-score guest +1
        timer pause
    """),
    "darts": ({"config.toml": "[game]\npreset = \"darts\"\n"}, """
        add-score home -60
        add-score guest -45
        add-score home -100
    """),
    "display": ({
        "config.toml": """
motion = "full"

[locale]
language = "fr-CA"

[place]
latitude = 45.5
longitude = -73.6

[schedule.night]
from = "22:30"
to = "sunrise-30m"
days = ["sun-thu"]
brightness = "5%"

[theme]
name = "paper"

[themes.mine]
base = "night"
symbol = "#ffa000"

[outputs.HDMI-A-2]
rotation = 90
brightness = "50%"

[burn-in]
radius = 8
refresh = "03:30"

[widgets.time]
type = "flip-clock"
hours = 12
seconds = true

[widgets.cities]
type = "world-clock"
cities = ["Asia/Tokyo", "Europe/London"]

[widgets.match]
type = "score"

[widgets.words]
type = "board"
text = "DEPARTURES\\nGATE 7"

[pages.one]
rows = [["time"], ["match"]]

[pages.two]
rows = [["cities"], ["words"]]
theme = "mine"

[page-transition]
type = "roll"
""",
        "config.toml.d/50-input.toml": """
[input.keys]
kp1 = "add-score home +1"
kp2 = "add-score guest +1"
""",
    }, """
        brightness 60%
        brightness 40% --output Headless-1
        set-score home 12
        show two
    """),
}


def version():
    """Returns the version in the sources."""
    text = (PROJECT / "Sources/ControlCalls/Release.swift").read_text(encoding="utf-8")
    return re.search(r'static let version = "(.+)"', text).group(1)


def record(programs, directory, files, commands):
    """Writes the config files, runs the commands, and stores the state file."""
    for name, text in files.items():
        path = directory / "etc/flipclock" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip("\n"), encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="flipclock-") as work:
        config = directory / "etc/flipclock/config.toml"
        if config.exists():
            subprocess.run([programs / "flipclockd", "check", config], check=True)
        else:
            config = pathlib.Path(work, "empty.toml")
            config.touch()
        control = [programs / "flipclockctl", "--socket", f"{work}/socket"]
        daemon = subprocess.Popen(
            [programs / "flipclockd", "--display", "headless", "--size", "320x240", "--config", config,
             "--socket", f"{work}/socket", "--state-dir", f"{work}/state"])
        try:
            deadline = time.monotonic() + 30
            while subprocess.run([*control, "status"], capture_output=True, check=False).returncode != 0:
                if time.monotonic() > deadline:
                    raise TimeoutError("the daemon does not answer")
                time.sleep(0.1)
            for line in commands.split("\n"):
                if line.strip():
                    subprocess.run([*control, *line.split()], stdout=subprocess.DEVNULL, check=True)
                    # So that clocks advance between the commands.
                    time.sleep(0.1)
        finally:
            daemon.terminate()
            daemon.wait(30)
        shutil.copy(f"{work}/state/state.json", directory / "state.json")


def main():
    """Records all cases with the programs in the directory that is the first argument (default: .build/release)."""
    programs = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else PROJECT / ".build/release").resolve()
    release = HERE / version()
    if release.exists():
        sys.exit(f"{release} exists; the files of a release are not changed")
    for name, (files, commands) in CASES.items():
        directory = release / name
        directory.mkdir(parents=True)
        record(programs, directory, files, commands)
        print(directory.relative_to(PROJECT))
    # The examples are configs of this version too.
    for example in sorted((PROJECT / "config/examples").glob("*.toml")):
        directory = release / f"example-{example.stem}/etc/flipclock"
        directory.mkdir(parents=True)
        shutil.copy(example, directory / "config.toml")


if __name__ == "__main__":
    main()

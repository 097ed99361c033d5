# SPDX-License-Identifier: Apache-2.0
"""The files of the system that the sources name, and whether the programs can read them under their units."""

import re

from VM import image

# Modules that run only outside of the units: in the administrator's shell, or while the project is built.
OUTSIDE = ("Doctor", "flipclockctl", "ConfigReference", "generated-files")

WALL, WEB, MQTT, HORN = "flipclockd", "flipclock-web", "flipclock-mqtt", "flipclock-horn"
HOST = "flipclock-host"
ALL = (WALL, WEB, MQTT, HORN, HOST)

# For each path: the units whose programs read it, an example, and why a unit may hide it (empty: it must be
# readable). A `*` stands for what the program inserts.
PATHS = {
    "/etc": ((WALL,), "/etc", ""),
    "/etc/flipclock/mqtt.toml": ((MQTT,), "/etc/flipclock/mqtt.toml", ""),
    "/etc/localtime": ((WALL,), "/etc/localtime", ""),
    "/etc/passwd": ((WALL,), "/etc/passwd", ""),
    "/etc/ssl/certs": ((MQTT,), "/etc/ssl/certs", ""),
    "/proc/*/cmdline": ((WALL,), "/proc/1/cmdline", "the name of another daemon, for an error message: its process is named"),
    "/proc/*/comm": ((WALL,), "/proc/1/comm", "the name of a client, for the log: its process and user are named"),
    "/proc/meminfo": ((WALL,), "/proc/meminfo", "the unit binds it to /run/flipclock/meminfo"),
    "/proc/self/fd/*": ((WALL,), "/proc/self/fd/0", ""),
    "/proc/self/net/*": ((WALL,), "/proc/self/net/tcp", ""),
    "/proc/self/net/route": ((WALL,), "/proc/self/net/route", ""),
    "/proc/self/statm": ((WALL,), "/proc/self/statm", ""),
    "/proc/sys/kernel/random/boot_id": (
        (WEB,), "/proc/sys/kernel/random/boot_id", "the unit passes it in FLIPCLOCK_BOOT_ID"),
    "/run": ((WALL,), "/run", ""),
    "/run/*/control.sock": (ALL, "/run/flipclock/control.sock", ""),
    "/run/avahi-daemon/socket": ((WALL,), "/run/avahi-daemon/socket", ""),
    "/run/flipclock/control.sock": (ALL, "/run/flipclock/control.sock", ""),
    "/run/flipclock/meminfo": ((WALL,), "/run/flipclock/meminfo", ""),
    "/run/systemd/timesync/synchronized": (
        (WALL, HOST), "/run/systemd/timesync/synchronized", "it exists when systemd-timesyncd has synchronized the clock"),
    "/run/udev/control": ((WALL,), "/run/udev/control", ""),
    "/sys/class/backlight": ((WALL,), "/sys/class/backlight", ""),
    "/sys/class/drm": ((WALL,), "/sys/class/drm", ""),
    "/sys/class/rtc": ((WALL, HOST), "/sys/class/rtc", ""),
    "/sys/firmware/devicetree/base": (
        (WALL, HOST), "/sys/firmware/devicetree/base", "only a machine with a device tree has it"),
}

# Tries each path as the service's user in the service's namespaces: a regular file must have content.
SCRIPT = """
for path in "$@"; do
  if [ -f "$path" ]; then [ "$(head -c 1 "$path" 2>/dev/null | wc -c)" = 1 ] && state=readable || state=hidden
  elif [ -S "$path" ]; then state=readable
  else [ -r "$path" ] && state=readable || state=hidden; fi
  echo "$state $path"
done
"""


def named():
    """Returns the paths that the sources of the programs name, each with the files that name it."""
    found = {}
    for file in sorted((image.PROJECT / "Sources").rglob("*")):
        module = file.relative_to(image.PROJECT / "Sources").parts[0]
        if file.suffix not in (".swift", ".c", ".h") or module in OUTSIDE:
            continue
        for literal in re.findall(r'(?<!\\)"(/(?:proc|sys|run|etc)(?:/[^"\n]*)?)"', file.read_text(encoding="utf-8")):
            found.setdefault(re.sub(r"\\\([^)]*\)", "*", literal), set()).add(f"{module}/{file.name}")
    return found


def examples(unit):
    """Returns what is to be tried under a unit, each with whether it may be hidden."""
    return {example: bool(reason) for units, example, reason in PATHS.values() if unit in units}


def tried(machine, unit):
    """Tries the examples under a running unit; returns which of them are readable."""
    paths = " ".join(examples(unit))
    machine.push("/run/try-paths.sh", SCRIPT)
    user = machine.show("User", unit)
    enter = f"nsenter --mount --net --target {machine.show('MainPID', unit)}"
    output = machine.run(
        f"{enter} setpriv --reuid={user} --regid=$(id -g {user}) --init-groups --no-new-privs sh /dev/stdin {paths} "
        "</run/try-paths.sh").text
    return {path: state == "readable" for state, path in (line.split(" ", 1) for line in output.splitlines())}

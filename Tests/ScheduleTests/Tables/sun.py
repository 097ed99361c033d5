# SPDX-License-Identifier: Apache-2.0
"""Writes sun-2026.txt: sunrise and sunset of 12 places on each day of 2026.

The source is PyEphem 4 (`pip install ephem`), whose library libastro computes the sun by VSOP87,
independently of NOAA's equations. Sunrise and sunset are the times at which the sun's centre is 50' below the
horizon (90.8333 degrees from the zenith), without further refraction, as in the tables of the United States
Naval Observatory. A place has a line `= NAME LATITUDE LONGITUDE` and a line for each day of UTC: the seconds
after 00:00 UTC of that day at which the sun rises before, and sets after, the solar noon that is nearest to
noon of local mean time; `up` or `down`: it stays up or down.
"""

import datetime
import math
import pathlib

import ephem

PLACES = [
    ("Quito", -0.22, -78.51), ("Singapore", 1.29, 103.85), ("Honolulu", 21.31, -157.86), ("Kathmandu", 27.72, 85.32),
    ("Sydney", -33.87, 151.21), ("Denver", 39.74, -104.99), ("Berlin", 52.50, 13.37), ("London", 51.51, -0.12),
    ("Ushuaia", -54.80, -68.30), ("Reykjavik", 64.15, -21.95), ("Tromso", 69.65, 18.95),
    ("Kiritimati", 1.87, -157.40),
]


def altitude(observer, sun, moment):
    observer.date = moment
    sun.compute(observer)
    return sun.alt


def bisect(observer, sun, below, above):
    """Returns the time at which the sun crosses the horizon, or "up" or "down" if it stays there."""
    horizon = -math.radians(50 / 60)
    if altitude(observer, sun, above) <= horizon:
        return "down"
    if altitude(observer, sun, below) >= horizon:
        return "up"
    while abs(above - below) > 0.05 / 86400:
        middle = (below + above) / 2
        if altitude(observer, sun, middle) < horizon:
            below = middle
        else:
            above = middle
    return (below + above) / 2


def main():
    lines = []
    for name, latitude, longitude in PLACES:
        lines.append(f"= {name} {latitude} {longitude}")
        observer = ephem.Observer()
        observer.lat, observer.lon = str(latitude), str(longitude)
        observer.pressure, observer.elevation = 0, 0
        sun = ephem.Sun()
        for number in range(365):
            day = datetime.date(2026, 1, 1) + datetime.timedelta(days=number)
            start = ephem.Date(day.strftime("%Y/%m/%d"))
            mean = start + 0.5 - longitude / 360
            transit = observer.next_transit(sun, start=mean - 1 / 24)
            before, after = transit - 0.5, transit + 0.5
            words = []
            for midnight in (before, after):
                found = bisect(observer, sun, midnight, transit)
                words.append(found if isinstance(found, str) else str(round((found - start) * 86400)))
            lines.append(" ".join(words))
    pathlib.Path(__file__).with_name("sun-2026.txt").write_text("\n".join(lines) + "\n", encoding="ascii")


main()

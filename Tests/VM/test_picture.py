# SPDX-License-Identifier: Apache-2.0
"""The display shows the daemon's screenshot and the requested content."""

from VM import picture
from VM.scenario import CLOCK_AND_SCORE, CONFIG, SECONDS, Scenario, on_cards, presented


@on_cards("virtio_gpu", "vkms")
class Picture(Scenario):
    """Comparisons pixel by pixel, at rest."""

    def test_the_scanout_is_the_screenshot(self):
        status = self.start()
        output = status["outputs"][0]
        self.assertEqual(output["driver"], self.card)
        self.assertEqual(output["connector"], "Virtual-1")
        shot = self.assert_scanout_is_screenshot()
        self.assertTrue(output["mode"].startswith(f"{shot.width}x{shot.height}@"), output["mode"])

    def test_auto_chooses_the_card(self):
        status = self.start("--display auto")
        self.assertEqual(status["outputs"][0]["driver"], self.card)
        self.assert_scanout_is_screenshot()

    def test_it_shows_the_guests_own_time_also_after_a_step(self):
        self.start()
        self.assert_shows_the_time()
        morning = self.assert_scanout_is_screenshot()
        try:
            # The clock is stepped while the daemon sleeps until the next minute.
            self.machine.run("date -s @$(($(date +%s) + 3 * 3600 + 600))")
            self.assert_shows_the_time()
            self.assertNotEqual(self.assert_scanout_is_screenshot(), morning)
        finally:
            self.machine.run("date -s @$(($(date +%s) - 3 * 3600 - 600))")
        self.assert_shows_the_time()

    def test_a_time_that_nothing_has_confirmed_is_marked_until_somebody_sets_it(self):
        # The machine now looks like a board without a real-time clock.
        self.machine.run(
            "mount -t tmpfs tmpfs /sys/class/rtc && mount -t tmpfs tmpfs /sys/firmware"
            " && mkdir -p /sys/firmware/devicetree/base")
        try:
            status = self.start()
        finally:
            self.machine.run("umount /sys/class/rtc /sys/firmware")
        self.assertTrue(status["timeUnconfirmed"])
        marked = self.assert_scanout_is_screenshot()
        # While nothing happens, the daemon does not wake up to look: a step of the clock wakes it.
        self.assertLess(self.wakeups_at_rest(), 5)
        self.machine.run("date -s @$(($(date +%s) + 24 * 3600))")
        try:
            self.machine.wait_for("the time to be confirmed", lambda: "timeUnconfirmed" not in self.status(), 10)
            # The status changes before the picture.
            self.machine.wait_for("the picture without the mark", lambda: self.screenshot() != marked, 10)
            self.assert_scanout_is_screenshot()
            self.assertLess(self.wakeups_at_rest(), 60)
            self.assertIn("the time is confirmed", self.log())
        finally:
            self.machine.run("date -s @$(($(date +%s) - 24 * 3600))")

    def wakeups_at_rest(self):
        """Returns how often the daemon wakes up in ten seconds without a frame."""
        for _ in range(4):
            before, after = self.statuses(10_000)
            if presented(before) == presented(after):
                return after["wakeups"] - before["wakeups"]
        self.fail("the picture was never at rest for ten seconds")

    def assert_shows_the_time(self):
        """Asserts the time; retries because the minute may change between the two calls."""
        self.machine.wait_for("the guest's own time", lambda: self.time_text() == self.guest_time(), 10)

    def test_a_score_changes_status_and_picture(self):
        self.start()
        before = self.assert_scanout_is_screenshot()
        self.control("set-score home 7")
        self.assertEqual(self.score(), 7)
        seven = self.assert_scanout_is_screenshot()
        self.assertNotEqual(before, seven)
        self.control("add-score guest 2")
        self.control("add-score guest -1")
        self.assertEqual(self.score("guest"), 1)
        self.assertNotEqual(self.assert_scanout_is_screenshot(), seven)

    def test_refused_commands_change_nothing(self):
        self.start()
        self.control("set-score home 5")
        for arguments in ("set-score home 1000", "set-score home -1", "set-score hoem 3", "add-score guest 1000"):
            with self.subTest(arguments):
                result = self.control(arguments, check=False)
                self.assertNotEqual(result.status, 0)
                self.assertTrue(result.error_text)
        self.assertEqual((self.score(), self.score("guest")), (5, 0))
        self.assert_scanout_is_screenshot()

    def test_a_config_that_is_renamed_into_place_changes_the_picture(self):
        self.start()
        before = self.assert_scanout_is_screenshot()
        self.machine.push(CONFIG, CLOCK_AND_SCORE.replace('[["time"], ["match"]]', '[["match"], ["time"]]'))
        self.machine.wait_for("the reload", lambda: self.scanout() != before, 15)
        swapped = self.assert_scanout_is_screenshot()
        self.assertNotEqual(before, swapped)
        self.assertTrue(self.status()["config"]["lastReload"]["ok"])

    def test_a_broken_config_keeps_the_last_good_picture_and_says_why(self):
        self.start()
        self.control("set-score home 4")
        self.assert_scanout_is_screenshot()
        self.machine.push(CONFIG, "[widgets.time]\ntype = 'no-such-widget'\n[layout\n")
        self.machine.wait_for("the reload", lambda: not self.status()["config"]["lastReload"]["ok"], 15)
        status = self.status()
        reasons = status["config"]["lastReload"]["errors"]
        self.assertTrue(reasons)
        self.assertIn(f"{CONFIG}:", str(reasons), "an error names file and line")
        self.assertIn("match", status["widgets"], "the last good config is still shown")
        self.assert_scanout_is_screenshot()
        self.machine.push(CONFIG, CLOCK_AND_SCORE)
        self.machine.wait_for("the corrected config", lambda: self.status()["config"]["lastReload"]["ok"], 15)
        self.assertEqual(self.score(), 4)


@on_cards("virtio_gpu", "vkms")
class RotatedPicture(Scenario):
    """On a display that is mounted on its side or upside down."""

    config = CLOCK_AND_SCORE + "[display]\nrotation = 90\n"

    def turn(self, rotation):
        reloads = self.log().count("config reloaded")
        self.machine.push(CONFIG, CLOCK_AND_SCORE + f"[display]\nrotation = {rotation}\n")
        self.machine.wait_for("the reload", lambda: self.log().count("config reloaded") > reloads, 15)

    def test_the_scanout_is_the_rotated_screenshot(self):
        status = self.start()
        shot = self.assert_scanout_is_screenshot(turned=90)
        self.assertLess(shot.width, shot.height)
        mode = status["outputs"][0]["mode"]
        self.assertTrue(mode.startswith(f"{shot.height}x{shot.width}@"), mode)
        self.control("set-score home 7")
        self.assertNotEqual(self.assert_scanout_is_screenshot(turned=90), shot)

    def test_the_rotation_changes_at_run_time(self):
        self.start()
        shots = {}
        for rotation in (270, 180, 0, 90):
            self.turn(rotation)
            shots[rotation] = self.assert_scanout_is_screenshot(turned=rotation)
            self.control(f"add-score guest {rotation // 90 + 1}")
            self.assert_scanout_is_screenshot(turned=rotation)
        self.assertEqual(shots[270].width, shots[0].height)
        self.assertEqual(shots[180].width, shots[0].width)


@on_cards("vkms")
class SixteenBits(Scenario):
    """RGB565, which needs half the bandwidth."""

    config = CLOCK_AND_SCORE + "[display]\nformat = 'rgb565'\n"

    def set(self, lines):
        reloads = self.log().count("config reloaded")
        self.machine.push(CONFIG, CLOCK_AND_SCORE + "[display]\n" + lines)
        self.machine.wait_for("the reload", lambda: self.log().count("config reloaded") > reloads, 15)

    def test_the_scanout_is_the_screenshot_dithered(self):
        self.start()
        self.assertIn("RGB565, dithered", self.log())
        before = self.assert_scanout_is_screenshot(in_565=True)
        # Only the changed part is drawn again, without visible joints in the dither.
        self.control("set-score home 7")
        self.assertNotEqual(self.assert_scanout_is_screenshot(in_565=True), before)

    def test_format_dither_and_rotation_change_at_run_time(self):
        self.start()
        self.set("format = 'rgb565'\ndither = false\n")
        self.assert_scanout_is_screenshot(in_565=False)
        self.set("format = 'rgb565'\nrotation = 270\n")
        self.assert_scanout_is_screenshot(turned=270, in_565=True)
        self.set("format = 'auto'\n")
        self.assert_scanout_is_screenshot()


@on_cards("cirrus")
class SixteenBitsOfTheCard(Scenario):
    """A card with little memory; the scanout is QEMU's screendump."""

    config = CLOCK_AND_SCORE + "[display]\nformat = 'rgb565'\n"

    def test_the_scanout_is_the_screenshot_dithered(self):
        status = self.start()
        output = status["outputs"][0]
        self.assertEqual((output["format"], output["dithered"], output["rotation"]), ("RGB565", True, 0))
        before = self.assert_scanout_is_screenshot(in_565=True)
        self.control("set-score home 7")
        self.assertNotEqual(self.assert_scanout_is_screenshot(in_565=True), before)


@on_cards("virtio_gpu", "vkms")
class MissingFormat(Scenario):
    """Neither card supports ten bits per channel."""

    config = CLOCK_AND_SCORE + "[display]\nformat = 'xrgb2101010'\n"

    def test_it_is_reported_and_another_format_is_used(self):
        self.assertEqual(self.start()["outputs"][0]["format"], "XRGB8888")
        self.assert_scanout_is_screenshot()
        self.assertIn("the card does not support XRGB2101010; using XRGB8888 instead", self.log())


@on_cards("vkms")
class PictureInFlight(Scenario):
    """Comparisons during flip animations."""

    # The smallest mode, because vkms composes each frame pixel by pixel on an emulated processor.
    config = SECONDS + """
[display]
mode = "640x480"

[flip]
duration = "900ms"
"""

    def crc(self, shot):
        """Returns the CRC of the scanout for a screenshot."""
        return shot.vkms_crc()

    def test_screenshots_during_flips_are_frames_that_were_scanned_out(self):
        self.launch()
        self.machine.wait_for("frames", self.has_frames, 60)
        # If screenshots were not frames, none would be found among the frames. Of screenshots that are
        # frames, only some are found: on an emulated processor the composer falls behind and skips frames,
        # more of them the busier this machine is. So screenshots are taken until enough are found.
        rounds, found = 0, 0
        while found < 3 and rounds < 8:
            scanned, taken = self.frames_and_screenshots()
            self.assertGreater(len(scanned), 20, "the clock did not move")
            rounds += 1
            found += len(taken & scanned)
            print(f"vkms: {len(scanned)} frames seen by the composer, {len(taken)} different screenshots, "
                  f"{len(taken & scanned)} of them among the frames")
        self.assertGreaterEqual(found, 3, f"of the screenshots of {rounds} rounds")

    def frames_and_screenshots(self):
        """Returns the CRCs of the frames of five seconds, and those of ten screenshots that were taken
        meanwhile."""
        names = [f"/run/shot-{number}.png" for number in range(10)]
        shots = "; ".join(f"flipclockctl screenshot {name}; usleep 70000" for name in names)
        scanned = set(self.machine.crcs(seconds=5, during=f"usleep 300000; {shots}"))
        return scanned, {self.crc(picture.from_png(self.machine.pull(name))) for name in names}


@on_cards("vkms")
class RotatedPictureInFlight(PictureInFlight):
    """A rotated picture drawn in parts equals one drawn at once. Not tested in 16 bits, because vkms divides
    for each pixel then and skips most frames."""

    config = PictureInFlight.config.replace("[display]", "[display]\nrotation = 90")

    def crc(self, shot):
        return shot.turned(90).vkms_crc()

# SPDX-License-Identifier: Apache-2.0
"""The settings page when others change the same settings, and when answers and files are not as expected."""

import itertools
import json

from EndToEnd.test_web_page import LANGUAGES
from EndToEnd.test_web_page_settings import ALERT, NOTE, READY, SettingsTestCase

IDLE = "!document.body.hasAttribute('aria-busy')"
# Keeps what the page reports about its own mistakes.
WATCH = """
window.mistakes = [];
const report = console.error;
console.error = (...values) => { mistakes.push(values.join(" ")); report(...values); };
addEventListener("error", event => mistakes.push(event.message));
addEventListener("unhandledrejection", event => mistakes.push(String(event.reason)));
"""
# Answers the requests that change something, or all, in another way: by the body of a function of the real request, its
# path and its options. An error means that there is no answer.
ANSWER = """
window.sent = [];
window.genuine ??= fetch;
window.fetch = async (path, options) => {
  const real = () => genuine(path, options);
  const isChange = !["GET", undefined].includes(options?.method);
  if (isChange) sent.push({ path, ...options });
  if (!isChange && !arguments[0]) return real();
  BODY
};
"""


class TroubleTestCase(SettingsTestCase):
    def start_owner(self, width=360, height=740, **options):
        self.start_all(teams="", **options)
        return self.open(width, height)

    def open(self, width=360, height=740):
        phone = self.phone(width, height, role="owner")
        phone.prepare(WATCH)
        phone.open(self.address("/settings"))
        phone.wait_for(READY)
        return phone

    def answer(self, phone, script, with_reads=False):
        phone.run(ANSWER.replace("BODY", script).replace("arguments[0]", json.dumps(with_reads)))

    def change(self, phone, key, value):
        phone.run_async("const [key, value, done] = arguments; change({ [key]: value }).then(done)", key, value)

    def made(self, phone):
        return phone.run("return made.length")

    def undo(self, phone):
        phone.run_async("const [done] = arguments; $.undo.click(); turn.then(done)")

    def lines(self, phone):
        """The alert's own text, and what it says in English."""
        return phone.run("return [$.alert.firstChild?.data.trim(), $.alert.querySelector('[lang=en]')?.textContent]")

    def choose_file(self, phone, name, data):
        phone.run("""
            const [name, bytes] = arguments;
            const transfer = new DataTransfer();
            transfer.items.add(new File([new Uint8Array(bytes)], name));
            $.upload.files = transfer.files;
            $.upload.dispatchEvent(new Event("change"));
        """, name, list(data))

    def upload(self, phone, name, data):
        """Chooses a file, and agrees."""
        self.choose_file(phone, name, data)
        phone.wait_for("$.question.open")
        phone.click("#yes")
        phone.wait_for("!$.question.open")
        phone.run_async("turn.then(arguments[0])")


class OtherOwners(TroubleTestCase):
    def test_a_late_answer_does_not_replace_a_newer_one(self):
        phone = self.start_owner()
        phone.run("""
            window.asked = window.late = 0;
            window.genuine = fetch;
            window.fetch = async (path, options) => {
              const reply = await genuine(path, options);
              if (path === "/settings.json" && asked++ === 0) {
                await new Promise(done => { window.release = done; });
                setTimeout(() => { late = 1; }, 500);
              }
              return reply;
            };
        """)
        self.control("settings", "set", "teams.home.name", "LIONS")
        phone.wait_for("window.release !== undefined")
        self.control("settings", "set", "teams.home.name", "TIGERS")
        phone.wait_for("settings.get('teams.home.name').value === 'TIGERS'")
        phone.run("release()")
        phone.wait_for("late === 1")
        self.assertEqual(phone.run("return [settings.get('teams.home.name').value, revision === latest]"), ["TIGERS", True])


class OddValues(TroubleTestCase):
    """Values that the daemon accepts, and a browser may not know."""

    VALUES = (
        "auto", "zh-yue", "zh-Hant-HK", "de-AT", "de-CH-1901", "sr-Latn", "i-klingon", "x-private", "en-US-u-hc-h12", "art-lojban",
        "true", "false", "0", "1", "-1", "3", "59", "100", "1000", "0%", "1%", "7%", "100%", "0:05", "10:00", "10:00.5", "1h30min",
        "90s", "7:00", "07:00", "24:00", "00:00", "sunset", "sunrise", "sunset-30min", "#fff", "#FFB000", "#12345678", "red", "A/B",
        "a b", "<b>", "\"", "'", "\\", "ä", "名前", "\u202eRTL", "[]", "[[]]", '[["time"]]', '[["time"], ["date"]]', '["time"]',
        "Europe/Berlin", "UTC", "Etc/GMT+12", "EST5EDT", "GMT0BST", ":UTC", "CET-1CEST,M3.5.0,M10.5.0/3", "0, 90", "90", "270",
        "mon-fri", '["mon", "sun"]', "basketball", "football", "paper", "night", "x" * 40)

    def test_every_accepted_value_leaves_the_page_usable(self):
        self.configure(teams="")
        text = self.config.read_text(encoding="utf-8")
        text = text.replace('language = "en"', "").replace('preset = "basketball"', "").replace('name = "Hall 1"', "")
        # Without the pages, a layout can be set.
        start, end = text.index("[pages.clock]"), text.index("[game]")
        self.config.write_text(text[:start] + text[end:], encoding="utf-8")
        self.start()
        self.start_web()
        phone = self.open()
        reply = json.loads(self.control("settings", "--json").stdout)
        keys = [setting["key"] for setting in reply["settings"] if setting["source"] != "config"]
        keys += ["schedule.night.from", "schedule.night.to", "schedule.night.brightness", "schedule.night.days", "layout.rows"]
        night = {"schedule.night.from": "22:00", "schedule.night.to": "07:00", "schedule.night.brightness": "20%"}
        accepted = {}
        daemon = self.connect()

        def set_all(values):
            return self.call(daemon, "SetSettings", settings=[{"key": key, "value": value} for key, value in values.items()])

        for key, value in itertools.product(dict.fromkeys(keys), self.VALUES):
            values = {**(night if key.startswith("schedule.") else {}), key: value}
            reply = set_all(values)
            if "settings" not in reply:
                continue
            [stored] = [setting["value"] for setting in reply["settings"] if setting["key"] == key]
            accepted.setdefault(key, set()).add(stored)
            phone.wait_for(f"settings.get({json.dumps(key)})?.value === {json.dumps(stored)}")
            # All is drawn again.
            found = phone.run("$.form.made = ''; draw(); return [mistakes, document.querySelectorAll('#form section').length]")
            self.assertEqual(found, [[], 9], (key, value))
            set_all(dict.fromkeys(values))
        self.assertLessEqual({"auto", "zh-yue", "de-AT"}, accepted["locale.language"])
        self.assertGreater(len(accepted), 15)
        self.change(phone, "theme.name", "paper")
        self.expect(phone, theme__name="paper")

    def test_the_language_of_the_machine_is_the_choice_without_a_name(self):
        self.configure(teams="")
        for language in ("auto", "zh-yue"):
            text = self.config.read_text(encoding="utf-8")
            self.config.write_text(text.replace('language = "en"', f'language = "{language}"')
                                   .replace('language = "auto"', f'language = "{language}"'), encoding="utf-8")
            if not self.web:
                self.start()
                self.start_web()
                phone = self.open()
            else:
                self.control("reload")
            phone.wait_for(f"settings.get('locale.language').value === '{language}'")
            shown = phone.run("const { value, selectedOptions: [option] } = document.getElementById('set-locale.language');"
                              "return [value, option.textContent]")
            self.assertEqual(shown, ["", ""] if language == "auto" else ["zh-yue", "zh-yue"])
            self.assertEqual(phone.run("return mistakes"), [])


class Night(TroubleTestCase):
    def test_the_brightness_is_set_for_the_times_of_a_config(self):
        self.configure(teams="")
        with open(self.config, "a", encoding="utf-8") as file:
            file.write('\n[schedule.night]\nfrom = "21:00"\nto = "06:00"\ntheme = "night"\n')
        self.start()
        self.start_web()
        phone = self.open()
        self.enter(phone, "schedule.night.brightness", "5")
        self.expect(phone, schedule__night__brightness="5%", schedule__night__from="21:00", schedule__night__to="06:00")
        self.assertEqual(phone.run(f"return {ALERT}"), "")
        phone.run("document.getElementById('set-schedule.night.brightness-reset').click()")
        self.wait_for("no brightness", lambda: self.settings().get("schedule.night.brightness") is None)
        self.assertEqual(self.settings()["schedule.night.from"], "21:00")

    def test_the_default_resets_what_a_command_has_added(self):
        phone = self.start_owner()
        self.enter(phone, "schedule.night.from", "23:00")
        self.expect(phone, schedule__night__from="23:00")
        self.control("settings", "set", "schedule.night.days", '["mon"]')
        phone.wait_for("settings.get('schedule.night.days')")
        before = self.settings()
        phone.run_async("document.getElementById('set-schedule.night.to-reset').click(); turn.then(arguments[0])")
        self.assertEqual(phone.run(f"return {ALERT}"), "")
        self.wait_for("no night", lambda: not any("schedule" in key for key in self.settings()))
        phone.wait_for(IDLE)
        self.undo(phone)
        self.assertEqual(self.settings(), before)


del SettingsTestCase, TroubleTestCase

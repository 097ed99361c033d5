# SPDX-License-Identifier: Apache-2.0
"""The settings page of flipclock-web in a real browser, with the real program and a headless daemon."""

import json
import socket
import subprocess

from EndToEnd.daemon import CONTROL, environment
from EndToEnd.test_web_page import LANGUAGES, LIVE, PageTestCase

ALERT = "document.querySelector('#alert').textContent"
NOTE = "document.querySelector('#note').textContent"
# Controls that are not in view, and texts that are missing or names of texts.
LAYOUT = """
document.querySelector("details").open = true;
const problems = [];
if (document.documentElement.scrollWidth > innerWidth) problems.push("wider than the screen");
for (const node of document.querySelectorAll("button, input, select, label, a, h2")) {
  const box = node.getBoundingClientRect();
  if (!box.width || node.closest("[hidden]")) continue;
  if (box.left < 0 || box.right > innerWidth + 1) problems.push(node.outerHTML.slice(0, 90));
}
for (const node of document.querySelectorAll(".name, .place, .choices span, h2, [data-word]")) {
  if (!node.textContent && !node.closest("[hidden], dialog")) problems.push("no text: " + node.outerHTML);
  if (/^(set|choice|layout|section|role|found)-/.test(node.textContent)) problems.push(node.textContent);
}
return problems;
"""
# What the wall shows for the names of the layouts; None: for a wall whose files say nothing about it.
WIDGETS = {
    None: ["time", "date", "score"], "Scoreboard": ["score"], "Clock and scores": ["time", "score"], "Clock": ["time"],
    "Clock and date": ["time", "date"],
}
READY = f"{LIVE} && !document.querySelector('#form').hidden"


class SettingsTestCase(PageTestCase):
    def start_owner(self, width=360, height=740, **options):
        self.start_all(teams="", **options)
        phone = self.phone(width, height, role="owner")
        phone.open(self.address("/settings"))
        phone.wait_for(READY)
        return phone

    def start_fresh(self, config="", lang=None, **options):
        """A wall whose files say nothing about what it shows, except for `config`; `lang` is the machine's language."""
        self.config.write_text(f"[remote]\naddress = \"127.0.0.1\"\nport = {self.port}\n{config}", encoding="utf-8")
        self.start(**({"LC_ALL": lang} if lang else {}))
        self.start_web()
        phone = self.phone(role="owner", **options)
        phone.open(self.address("/settings"))
        phone.wait_for(READY)
        return phone

    def assert_shown(self, phone, layout=...):
        """Asserts that the wall shows what the layout promises that is ticked, and that it is this one."""
        ticked, sport = phone.run("""
            const ticked = name => document.querySelector(`[name="set-${name}"]:checked`);
            return [ticked("layout.rows")?.closest("label").textContent ?? null, ticked("game.preset")?.value ?? null];
        """)
        if layout is not ...:
            self.assertEqual(ticked, layout)
        status = self.status()
        self.assertEqual(status["widgetOrder"], WIDGETS[ticked])
        self.assertIn(sport, (None, status["match"]["preset"]))

    def settings(self):
        reply = json.loads(self.control("settings", "--json").stdout)
        return {setting["key"]: setting.get("value") for setting in reply["settings"]}

    def expect(self, phone, **settings):
        """Waits until the wall has these settings, and the page shows that nothing is under way."""
        expected = {key.replace("__", "."): value for key, value in settings.items()}
        self.wait_for(expected, lambda: {key: self.settings().get(key) for key in expected} == expected)
        phone.wait_for("!document.body.hasAttribute('aria-busy')")

    def enter(self, phone, key, value):
        """Changes a control as a person does: the browser sends the event `change`."""
        phone.run("const node = document.getElementById(arguments[0]); node.focus(); node.value = arguments[1];"
                  "node.dispatchEvent(new Event('change')); node.blur()", f"set-{key}", value)

    def choose(self, phone, value):
        phone.run("document.querySelector(`input[value='${arguments[0]}']`).click()", value)


class Settings(SettingsTestCase):
    def test_changes_are_on_the_wall_and_are_taken_back(self):
        phone = self.start_owner()
        before = self.settings()
        self.choose(phone, "paper")
        self.expect(phone, theme__name="paper")
        steps = [("teams.home.name", "LIONS"), ("teams.home.color", "#ffb000"),
                 ("locale.zone", "Asia/Tokyo"), ("display.brightness", "40"), ("game.clock-length", "8:00"),
                 ("display.margins", "3")]
        for key, value in steps:
            self.enter(phone, key, value)
            shown = f"{value}%" if key in ("display.brightness", "display.margins") else value
            self.wait_for(key, lambda key=key, shown=shown: self.settings().get(key) == shown)
            phone.wait_for("!document.body.hasAttribute('aria-busy')")
        self.assertEqual(self.status()["match"]["teams"][0]["name"], "LIONS")
        self.choose(phone, "12")
        self.expect(phone, widgets__time__hours="12")
        for count in range(len(steps) + 2, 0, -1):
            self.assertEqual(phone.run("return made.length"), count)
            phone.click("#undo")
            phone.wait_for(f"made.length === {count - 1} && !document.body.hasAttribute('aria-busy')")
        self.assertEqual(self.settings(), before)
        phone.wait_for("document.querySelector('#undo').hidden")

    def test_changes_that_do_not_wait_for_each_other_are_all_made(self):
        phone = self.start_owner()
        before = self.settings()
        # As fast as fingers and a slow network make it: none has an answer when the next is made.
        phone.run("""
            const enter = (key, value) => {
              const node = document.getElementById(`set-${key}`);
              node.value = value;
              node.dispatchEvent(new Event("change"));
            };
            document.querySelector("input[value='paper']").click();
            enter("teams.home.name", "LIONS");
            enter("teams.guest.name", "TIGERS");
            enter("locale.zone", "Asia/Tokio");
            enter("locale.zone", "Asia/Tokyo");
        """)
        self.expect(phone, theme__name="paper", teams__home__name="LIONS", teams__guest__name="TIGERS", locale__zone="Asia/Tokyo")
        self.assertEqual(phone.run("return made.length"), 4)
        phone.run("for (let count = 0; count < 6; count++) document.querySelector('#undo').click()")
        phone.wait_for("made.length === 0 && !document.body.hasAttribute('aria-busy')")
        self.assertEqual(self.settings(), before)

    def test_a_change_while_the_wall_is_away_is_not_lost_without_a_word(self):
        phone = self.start_owner()
        phone.run("heard = -1e9; change({ 'teams.home.name': 'LIONS' })")
        phone.wait_for(f"{ALERT} === 'Not saved.'")

    def test_a_setting_of_a_file_is_shown_with_its_place(self):
        phone = self.start_owner(language="de")
        place = phone.run("return document.getElementById('set-locale.language').closest('.field').textContent")
        self.assertRegex(place, r"Sprache.*flipclock\.toml:\d+")
        self.assertTrue(phone.run("return document.getElementById('set-locale.language').disabled"))
        self.assertTrue(phone.run("return document.querySelector(\"input[value='basketball']\").disabled"))
        self.assertFalse(phone.run("return document.getElementById('set-theme.name-0').disabled"))

    def test_a_refused_value_has_its_reason_and_the_control_its_old_value(self):
        phone = self.start_owner()
        self.enter(phone, "locale.zone", "Asia/Tokio")
        phone.wait_for(f"{ALERT}.startsWith('Time zone: Write it like Europe/Berlin.')")
        phone.wait_for("document.getElementById('set-locale.zone').value === ''")
        self.assertEqual(phone.run("return made.length"), 0)

    def test_a_refused_value_has_its_reason_in_the_language_of_the_page(self):
        phone = self.start_owner(language="de")
        self.control("settings", "set", "game.preset", "basketball", check=False)
        for key, value, text in (
                ("teams.home.color", "red", "Farbe: In der Form #ff8800 schreiben."),
                ("display.brightness", "0%", "Helligkeit: Von 1% bis 100%."),
                ("display.rotation", "45", "Drehung: Eines von: 0, 90, 180, 270"),
                ("locale.zone", "Asia/Tokio", "Zeitzone: In der Form Europe/Berlin schreiben."),
                ("teams.home.name", "x" * 41, "Name: Höchstens 40 Zeichen.")):
            phone.run_async("const [key, value, done] = arguments; change({ [key]: value }).then(done)", key, value)
            self.assertTrue(phone.run(f"return {ALERT}").startswith(text), (key, phone.run(f"return {ALERT}")))
        # A reason without a kind stays as the wall says it, after the words of the page.
        phone.run_async("const [key, value, done] = arguments; change({ [key]: value }).then(done)", "theme.name", "glass")
        self.assertRegex(phone.run(f"return {ALERT}"), r"Dieser Wert ist nicht möglich\. \(.*glass")

    def test_empty_fields_show_the_defaults(self):
        self.configure(teams="")
        text = self.config.read_text(encoding="utf-8")
        self.config.write_text(text.replace('preset = "basketball"', ""), encoding="utf-8")
        self.start()
        self.start_web()
        phone = self.phone(role="owner")
        phone.open(self.address("/settings"))
        phone.wait_for(READY)
        def shown(key):
            return phone.run("return document.getElementById(arguments[0])?.placeholder", f"set-{key}")
        self.assertEqual([shown(f"teams.{team}.name") for team in ("home", "guest")], ["HOME", "GUEST"])
        # Controls without an empty state have the default.
        for control, shown in (("[name='set-theme.name']:checked", "dark"), ("[name='set-game.preset']:checked", None),
                               ("[id='set-display.brightness']", "100"), ("[name='set-widgets.time.hours']:checked", "auto")):
            self.assertEqual(phone.run("return document.querySelector(arguments[0])?.value", control), shown, control)
        self.assertNotEqual(phone.run("return document.getElementById('set-teams.home.color').value"), "#888888")
        self.control("settings", "set", "game.preset", "basketball")
        phone.wait_for("document.getElementById('set-game.periods')?.placeholder === '4'")
        self.control("settings", "set", "game.preset", "ice-hockey")
        phone.wait_for("document.getElementById('set-game.periods')?.placeholder === '3'")

    def test_every_choice_is_accepted(self):
        phone = self.start_fresh()
        count = phone.run("return document.querySelectorAll('[type=radio]').length")
        self.assertGreater(count, 20)
        for index in range(count):
            changes = phone.run(f"const node = document.querySelectorAll('[type=radio]')[{index}];"
                                "const { checked, value, name } = node; node.click(); return [checked, value, name.slice(4)]")
            checked, value, key = changes
            if not checked:
                self.expect(phone, **{key.replace(".", "__"): value or None})
                self.assertEqual(phone.run(f"return {ALERT}"), "")
            if key in ("layout.rows", "game.preset"):
                self.assert_shown(phone)

    def test_only_an_owner_sees_settings(self):
        self.start_all(teams="")
        self.phone(role="owner")
        for role in ("scorer", "viewer"):
            phone = self.phone(role=role)
            phone.open(self.address("/settings"))
            phone.wait_for(f"{LIVE} || !document.querySelector('#refused').hidden")
            phone.wait_for("!document.querySelector('#refused').hidden")
            self.assertTrue(phone.run("return document.querySelector('#form').hidden"))
        stranger = self.browser()
        stranger.open(self.address("/settings"))
        stranger.wait_for("!document.querySelector('#refused').hidden")

    def test_two_owners_see_each_others_changes(self):
        first = self.start_owner()
        second = self.phone(role="owner")
        second.open(self.address("/settings"))
        second.wait_for(READY)
        self.enter(first, "teams.home.name", "LIONS")
        self.expect(first, teams__home__name="LIONS")
        second.wait_for("document.getElementById('set-teams.home.name').value === 'LIONS'")
        second.wait_for(f"{NOTE} === 'Changed elsewhere: HOME, Name: LIONS'")
        self.assertNotIn("elsewhere", first.run(f"return {NOTE}"))
        self.enter(second, "teams.home.name", "TIGERS")
        self.expect(second, teams__home__name="TIGERS")
        first.wait_for("document.getElementById('set-teams.home.name').value === 'TIGERS'")
        # Changes of a command and of a file arrive, too.
        self.control("settings", "set", "theme.name", "amber", "teams.guest.name", "BEARS")
        first.wait_for(f"{NOTE} === 'Changed elsewhere: Theme: Amber, GUEST, Name: BEARS'")
        self.config.write_text(self.config.read_text(encoding="utf-8") + "\n[display]\nrotation = 90\n", encoding="utf-8")
        first.wait_for("document.getElementById('set-display.rotation-0')?.disabled")
        first.wait_for(f"{NOTE} === 'Changed elsewhere: Rotation: 90'")

    def test_a_change_of_another_owner_does_not_disturb_typing(self):
        phone = self.start_owner()
        phone.run("""
            const node = document.getElementById("set-teams.home.name");
            node.focus();
            node.value = "LIO";
            node.dispatchEvent(new Event("input"));
        """)
        self.control("settings", "set", "theme.name", "amber", "teams.home.name", "TIGERS", "teams.guest.name", "BEARS")
        phone.wait_for("document.getElementById('set-teams.guest.name').value === 'BEARS'")
        phone.wait_for("document.querySelector(\"input[value='amber']\").checked")
        self.assertIn("TIGERS", phone.run(f"return {NOTE}"))
        self.assertEqual(phone.run("return [document.activeElement.id, document.activeElement.value]"),
                         ["set-teams.home.name", "LIO"])
        # What is typed is saved, because the page has the new revision.
        phone.run("document.activeElement.value = 'LIONS'; document.activeElement.dispatchEvent(new Event('change'))")
        self.expect(phone, teams__home__name="LIONS", teams__guest__name="BEARS")
        # Without a change, the field shows the wall's name.
        phone.run("const node = document.getElementById('set-teams.home.name'); node.focus(); node.value = 'X';"
                  "node.dispatchEvent(new Event('input'))")
        self.control("settings", "set", "teams.home.name", "WOLVES")
        phone.wait_for(f"{NOTE}.includes('WOLVES')")
        self.assertEqual(phone.run("return document.activeElement.value"), "X")
        phone.run("document.activeElement.blur()")
        phone.wait_for("document.getElementById('set-teams.home.name').value === 'WOLVES'")

    def test_a_write_with_an_old_revision_is_refused(self):
        phone = self.start_owner()
        # The page does not get the event of the change.
        phone.run("received = () => {};")
        self.control("settings", "set", "teams.home.name", "LIONS")
        self.enter(phone, "teams.home.name", "TIGERS")
        phone.wait_for(f"{ALERT}.startsWith('The settings have been changed')")
        phone.wait_for("document.getElementById('set-teams.home.name').value === 'LIONS'")
        self.assertEqual(self.settings()["teams.home.name"], "LIONS")

    def test_the_night_is_set_and_reset_as_a_whole(self):
        phone = self.start_owner()
        self.enter(phone, "schedule.night.from", "23:00")
        self.expect(phone, schedule__night__from="23:00", schedule__night__to="07:00", schedule__night__brightness="20%")
        self.enter(phone, "schedule.night.brightness", "5")
        self.expect(phone, schedule__night__brightness="5%")
        phone.run("document.getElementById('set-schedule.night.to-reset').click()")
        self.wait_for("no night", lambda: not any("schedule" in key for key in self.settings()))

    def test_a_time_is_saved_when_it_is_typed(self):
        phone = self.start_owner()
        field = "document.getElementById('set-schedule.night.from')"
        made = 0
        for before in (None, "22:00", "7:05"):
            if before:
                self.control("settings", "set", "schedule.night.from", before)
                phone.wait_for(f"settings.get('schedule.night.from').value === '{before}'")
            phone.wait_for(f"{field}.type === 'time' && {field}.value === '{before.rjust(5, '0') if before else ''}'")
            for end in ("Enter", "leave"):
                stored = self.settings().get("schedule.night.from")
                # Twelve hours and half of the day: Chromium takes each of the digits for a whole time.
                minutes = "38" if end == "leave" else "47"
                phone.run(f"{field}.focus()")
                for key in f"11{minutes}p":
                    phone.key(key)
                    # The page shows a change of somebody else meanwhile.
                    if key == "1":
                        name = f"BEARS {made} {phone.run('return performance.now() | 0')}"
                        self.control("settings", "set", "teams.guest.name", name)
                        phone.wait_for(f"document.getElementById('set-teams.guest.name').value === '{name}'")
                self.assertEqual(phone.run(f"return [document.activeElement === {field}, {field}.value.slice(2)]"),
                                 [True, f":{minutes}"])
                self.assertEqual(self.settings().get("schedule.night.from"), stored)
                typed = phone.run(f"return {field}.value")
                if end == "leave":
                    phone.run("document.activeElement.blur()")
                else:
                    phone.key(end)
                self.expect(phone, schedule__night__from=typed)
                made += 1
                phone.wait_for(f"made.length === {made}")
                phone.wait_for(f"{field}.type === 'time' && {field}.value === '{typed}'")
                phone.run("document.activeElement.blur()")
        # Half a time is not a time: the field shows the wall's again.
        phone.run(f"{field}.focus()")
        phone.key("Backspace")
        phone.run("document.activeElement.blur()")
        phone.wait_for(f"{field}.value === '{typed}'")
        self.assertEqual(phone.run("return made.length"), made)

    def test_a_time_that_is_no_clock_time_is_a_text(self):
        phone = self.start_owner()
        field = "document.getElementById('set-schedule.night.from')"
        for value, kind, shown in (("sunset", "text", "sunset"), ("9:30", "time", "09:30"), ("sunset-30min", "text", "sunset-30min"),
                                   ("00:00", "time", "00:00")):
            self.control("settings", "set", "schedule.night.from", value, "schedule.night.to", "06:00",
                         "schedule.night.brightness", "20%", "place.latitude", "52.5", "place.longitude", "13.4")
            phone.wait_for(f"settings.get('schedule.night.from').value === '{value}'")
            phone.wait_for(f"{field}.type === '{kind}' && {field}.value === '{shown}'")
        self.control("settings", "set", "schedule.night.from", "sunset")
        phone.wait_for(f"{field}.value === 'sunset'")
        self.enter(phone, "schedule.night.from", "sunrise")
        self.expect(phone, schedule__night__from="sunrise")

    def test_a_copy_is_downloaded_and_used(self):
        phone = self.start_owner()
        self.enter(phone, "teams.home.name", "LIONS")
        self.expect(phone, teams__home__name="LIONS")
        text = phone.run_async("fetch('/settings.toml').then(reply => reply.text()).then(arguments[0])")
        self.assertIn("LIONS", text)
        phone.run_async("""
            const [text, done] = arguments;
            const transfer = new DataTransfer();
            transfer.items.add(new File([text], "settings.toml"));
            const input = document.querySelector("#upload");
            input.files = transfer.files;
            input.dispatchEvent(new Event("change"));
            setTimeout(done, 100);
        """, "[teams.home]\nname = \"EAGLES\"\n")
        phone.wait_for("document.querySelector('#question').open")
        phone.click("#yes")
        self.expect(phone, teams__home__name="EAGLES")


class Fields(SettingsTestCase):
    """What is typed into the fields."""

    IDLE = "!document.body.hasAttribute('aria-busy')"

    def start_with_values(self):
        """A wall on which every field has a value; returns the phone and the keys of the fields for text."""
        phone = self.start_fresh("[game]\npreset = \"basketball\"\n")
        self.control(
            "settings", "set", "schedule.night.from", "sunset", "schedule.night.to", "sunrise", "schedule.night.brightness", "20%",
            "place.latitude", "52.5", "place.longitude", "13.4", "display.margins", "3%", "game.periods", "2",
            "teams.home.name", "LIONS", "teams.home.short-name", "L", "locale.zone", "Asia/Tokyo", "remote.name", "Hall")
        phone.wait_for("settings.get('remote.name').value === 'Hall'")
        phone.run("for (const node of document.querySelectorAll('details')) node.open = true")
        keys = phone.run("return [...document.querySelectorAll('#form .fields input')].filter(node => !node.disabled"
                         " && ['text', 'number'].includes(node.type)).map(node => node.id.slice(4))")
        self.assertLessEqual({"display.margins", "schedule.night.from", "game.periods", "game.clock-length", "locale.zone",
                              "teams.guest.name", "remote.name"}, set(keys))
        return phone, keys

    def shown(self, phone, key):
        return phone.run("return document.getElementById(arguments[0]).value", f"set-{key}")

    def test_what_is_refused_is_in_the_message_and_not_in_the_field(self):
        phone, keys = self.start_with_values()
        before = self.settings()
        fields = {key: self.shown(phone, key) for key in keys}
        typed = [(key, "1e" * 150) for key in keys] + [
            ("display.margins", "50"), ("display.margins", "-1"), ("display.margins", "2.5"), ("display.margins", "%"),
            ("game.periods", "1e1"), ("game.periods", "100"), ("game.clock-length", "8:61"), ("locale.zone", "local time")]
        for key, text in typed:
            phone.run("document.querySelector('#alert').textContent = ''")
            self.enter(phone, key, text)
            phone.wait_for(f"{ALERT}.includes({json.dumps(text)}) && {self.IDLE}")
            self.assertEqual({key: self.shown(phone, key) for key in keys}, fields, (key, text))
        self.assertEqual(self.settings(), before)
        self.enter(phone, "display.margins", "50")
        phone.wait_for(f"{ALERT} === 'Margin for a TV that cuts its edges off: From 0% to 10%. (50%)'")

    def test_an_empty_field_is_a_reset_and_shows_the_default(self):
        phone, keys = self.start_with_values()
        # An entry of the night is reset as a whole.
        for key in [key for key in keys if not key.startswith("schedule")]:
            self.enter(phone, key, "")
            self.expect(phone, **{key.replace(".", "__"): None})
            self.assertEqual((self.shown(phone, key), phone.run(f"return {ALERT}")), ("", ""), key)
        self.assertEqual(phone.run("return document.getElementById('set-display.margins').placeholder"), "0%")

    def test_numbers_may_be_written_as_people_write_them(self):
        phone, _ = self.start_with_values()
        for number, text in enumerate(("{}", "{}%", " {} % ", "{}\u3000", "\uff05"), 1):
            typed = text.format(number) if "{" in text else chr(0xff10 + number) + text
            self.enter(phone, "display.margins", typed)
            self.expect(phone, display__margins=f"{number}%")
            self.assertEqual(self.shown(phone, "display.margins"), f"{number}%")


class Languages(SettingsTestCase):
    """Texts of the page that are not in its table of words."""

    WALL = {"de": ("HEIM", "GAST", "Zeitzone des Geräts", "Automatisch (Deutsch)", "Deutsch"),
            "ja": ("ホーム", "ビジター", "機器のタイムゾーン", "自動 (日本語)", "日本語")}

    def placeholder(self, phone, key):
        return phone.run("return document.getElementById(arguments[0]).placeholder", f"set-{key}")

    def test_fields_say_what_the_wall_uses(self):
        for language, (home, guest, zone, automatic, own) in self.WALL.items():
            phone = self.start_fresh(lang=language)
            phone.wait_for(f"document.documentElement.lang === '{language}'")
            chosen = ("(node => [node.value, node.selectedOptions[0].textContent])"
                      "(document.getElementById('set-locale.language'))")
            self.assertEqual(phone.run(f"return {chosen}"), ["", automatic])
            self.assertEqual([self.placeholder(phone, key) for key in ("teams.home.name", "teams.guest.name", "locale.zone")],
                             [home, guest, zone])
            # As soon as a language is chosen, it is not known which one is automatic.
            phone.run("const node = document.getElementById('set-locale.language'); node.value = 'fr';"
                      "node.dispatchEvent(new Event('change'))")
            self.expect(phone, locale__language="fr")
            phone.wait_for(f"{chosen}[1] === 'français'")
            phone.wait_for("document.documentElement.lang === 'fr'")
            phone.wait_for("document.getElementById('set-teams.home.name').placeholder === 'LOCAUX'")
            self.assertEqual(phone.run("return document.getElementById('set-locale.language').options[0].textContent"),
                             "Automatique")
            # Changes of others are told in words, too.
            self.control("settings", "set", "locale.language", language)
            phone.wait_for(f"{NOTE}.endsWith(': {own}')")
            self.control("settings", "set", "teams.guest.name", "BEARS")
            phone.wait_for(f"/: {guest}, [^:]+: BEARS$/.test({NOTE})")
            self.control("settings", "set", "teams.guest.color", "#00aaff", "horn.on", "true", "locale.zone", "local")
            phone.wait_for(f"{NOTE}.includes('BEARS, ')")
            phone.wait_for(f"{NOTE}.includes({json.dumps(zone)})")
            self.assertEqual(phone.run("const node = document.getElementById('set-locale.zone');"
                                       "return [node.value, node.placeholder]"), ["", zone])
            self.control("settings", "reset", "locale.language")
            phone.wait_for(f"{NOTE}.includes({json.dumps(automatic.split(' (')[0])})")
            self.assertNotRegex(phone.run(f"return {NOTE} + document.body.innerText"), r"\b(local|true|HOME|GUEST)\b")
            self.control("settings", "reset", "teams.guest.name", "teams.guest.color", "horn.on", "locale.zone")
            self.stop_web()
            self.kill()

    def test_the_names_are_those_of_the_walls_words(self):
        phone = self.start_fresh("[locale]\nlanguage = \"de\"\n[locale.words]\nhome = \"WIR\"\n[game]\n")
        self.assertEqual(self.placeholder(phone, "teams.home.name"), "WIR")
        self.assertEqual([team["name"] for team in self.status()["match"]["teams"]], ["WIR", "GAST"])
        self.enter(phone, "teams.home.name", "LIONS")
        self.expect(phone, teams__home__name="LIONS")
        self.assertEqual(self.placeholder(phone, "teams.home.name"), "WIR")


class Layouts(SettingsTestCase):
    """What the wall shows for each layout that is ticked or tapped."""

    def ticked(self, phone):
        return phone.run("return [...document.querySelectorAll('[name^=set-layout]:checked, [name^=set-game]:checked')]"
                         ".map(node => node.id)")

    def tap(self, phone, layout):
        phone.run("[...document.querySelectorAll('[name^=set-layout]')].find("
                  "node => node.closest('label').textContent === arguments[0]).click()", layout)
        phone.run_async("turn.then(arguments[0])")
        self.assertEqual(phone.run(f"return {ALERT}"), "")

    def test_a_fresh_wall_has_no_scoreboard_until_it_is_tapped(self):
        phone = self.start_fresh()
        before = self.settings()
        self.assertEqual(self.ticked(phone), [])
        self.assert_shown(phone, None)
        for count, layout in enumerate(("Scoreboard", "Clock", "Scoreboard", "Clock and date", "Clock and scores", "Scoreboard"), 1):
            self.tap(phone, layout)
            self.assert_shown(phone, layout)
            self.assertEqual(phone.run("return made.length"), count)
        for count in range(count - 1, -1, -1):
            phone.run_async("$.undo.click(); turn.then(arguments[0])")
            self.assertEqual(phone.run("return made.length"), count)
            self.assert_shown(phone)
        self.assertEqual((self.settings(), self.ticked(phone)), (before, []))

    def test_a_layout_before_the_first_game(self):
        # In any order: each tap shows what it promises.
        for first in list(WIDGETS)[1:]:
            with self.subTest(first):
                phone = self.start_fresh()
                for layout in (first, "Clock", first, "Scoreboard"):
                    self.tap(phone, layout)
                    self.assert_shown(phone, layout)
                self.control("settings", "reset", "game.preset")
                phone.wait_for("!settings.get('game.preset').value")
                self.assert_shown(phone, None)
                phone.wait_for(f"{NOTE}.startsWith('Changed elsewhere')")
                self.assertNotIn("Scoreboard", phone.run(f"return {NOTE}"))
                self.control("settings", "reset", "layout.rows", check=False)
                self.stop_web()
                self.kill()

    def test_a_key_of_the_game_is_a_game(self):
        for config, preset in (("[game]\nperiods = 2\n", "free"), ("[game]\npreset = \"darts\"\n", "darts")):
            phone = self.start_fresh(config)
            self.assert_shown(phone, "Scoreboard")
            self.assertEqual(phone.run("return document.querySelector('[name^=set-game]:checked').value"), preset)
            self.tap(phone, "Clock")
            self.tap(phone, "Scoreboard")
            self.assert_shown(phone, "Scoreboard")
            self.assertEqual(self.settings()["layout.rows"], None)
            self.stop_web()
            self.kill()

    def test_pages_of_a_file_are_named_in_place_of_the_layouts(self):
        phone = self.start_fresh("[pages.clock]\nrows = [\"time\"]\n")
        shown = "document.getElementById('section-page').closest('section').innerText"
        self.assertRegex(phone.run(f"return {shown}"), r"^What the display shows\s+Set in \S*flipclock\.toml:4$")
        self.assertEqual(phone.run("return document.querySelectorAll('[name^=set-layout]').length"), 0)
        self.assert_no_violation(phone, "pages of a file")
        # As soon as the file has none, and again when it has some.
        text = self.config.read_text(encoding="utf-8")
        self.config.write_text(text[:text.index("[pages")], encoding="utf-8")
        phone.wait_for("document.querySelectorAll('[name^=set-layout]').length === 4")
        self.tap(phone, "Clock")
        self.assert_shown(phone, "Clock")
        self.control("settings", "reset", "layout.rows")
        self.config.write_text(text, encoding="utf-8")
        phone.wait_for("document.querySelectorAll('[name^=set-layout]').length === 0")
        reply = json.loads(self.control("settings", "--json").stdout)
        layouts = [setting for setting in reply["settings"] if setting["key"].startswith("layout.")]
        self.assertEqual({(setting["source"], setting["place"], setting.get("value")) for setting in layouts},
                         {("config", f"{self.config}:4", None)})
        refusal = self.control("settings", "set", "layout.rows", '[["time"]]', check=False)
        self.assertEqual((refusal.returncode, "flipclock.toml:4" in refusal.stderr), (2, True), refusal.stderr)


class Colours(SettingsTestCase):
    def test_a_colour_field_shows_the_colour_of_the_wall(self):
        phone = self.start_fresh("[game]\n[teams.red]\n[teams.blue]\nname = \"BLUE\"\n[teams.short]\ncolor = \"#f80\"\n"
                                 "[teams.upper]\ncolor = \"#FFB00A\"\n")
        self.control("settings", "set", "teams.red.short-name", "R", "teams.blue.color", "#0af")
        phone.wait_for("settings.get('teams.blue.color').value === '#0af'")
        expected = {team["id"]: team["color"] for team in self.status()["match"]["teams"]}
        self.assertEqual(expected["short"], "#ff8800")

        def shown():
            return {id: phone.run("return document.getElementById(arguments[0]).value", f"set-teams.{id}.color") for id in expected}
        self.assertEqual(shown(), expected)
        # Another colour of the wall arrives, too.
        self.control("settings", "set", "teams.blue.color", expected["red"])
        self.wait_for("the new colours", lambda: shown() == {
            team["id"]: team["color"] for team in self.status()["match"]["teams"]} != expected)


class Phones(SettingsTestCase):
    def devices(self):
        return json.loads(self.remote("list", "--json"))["devices"]

    def remote(self, *words):
        result = subprocess.run(
            [CONTROL, "remote", *words], capture_output=True, text=True, timeout=30, check=True,
            env=environment(FLIPCLOCK_WEB_SOCKET=str(self.directory / "web.sock")))
        return result.stdout

    def shown(self, phone):
        return phone.run("return [...document.querySelectorAll('#phones li')].map(node => node.innerText.replace(/\\s+/g, ' '))")

    def answer(self, phone, isYes):
        phone.wait_for("document.querySelector('#question').open")
        phone.click("#yes" if isYes else "#question [data-word=cancel]")
        phone.wait_for("!document.querySelector('#question').open")

    def test_phones_and_programs_are_listed_and_forgotten(self):
        owner = self.start_owner()
        self.wait_for("one phone", lambda: len(self.shown(owner)) == 1)
        self.assertRegex(self.shown(owner)[0], "^Linux Owner · This phone")
        # A phone and a program that are added elsewhere appear by themselves.
        scorer = self.phone(role="scorer")
        scorer.open(self.address("/"))
        scorer.wait_for(LIVE)
        self.remote("token", "stream-deck", "--role", "viewer")
        self.wait_for("three devices", lambda: len(self.shown(owner)) == len(self.devices()) == 3)
        self.assertRegex(self.shown(owner)[1], "^Linux Keeps the score · (Connected|Last used)")
        self.assertRegex(self.shown(owner)[2], "^stream-deck Program · Only watches · Last used .*20")
        first, second, program = [device["id"] for device in self.devices()]
        # An answer of no forgets nobody.
        owner.click(f"#forget-{second}")
        self.answer(owner, False)
        self.assertEqual(len(self.devices()), 3)
        for device in (program, second):
            owner.click(f"#forget-{device}")
            self.answer(owner, True)
            owner.wait_for(f"!document.getElementById('forget-{device}')")
            self.assertNotIn(device, [device["id"] for device in self.devices()])
        scorer.wait_for("document.body.dataset.role === 'none'")
        # Forgetting itself ends what this phone may do.
        owner.click(f"#forget-{first}")
        owner.wait_for("document.querySelector('#question').open")
        self.assertIn("in your hand", owner.run("return document.querySelector('#question-text').textContent"))
        owner.click("#yes")
        owner.wait_for("!document.querySelector('#refused').hidden && document.querySelector('#more').hidden")
        self.assertEqual(self.devices(), [])

    def test_a_code_for_another_phone_is_shown_and_removed(self):
        owner = self.start_owner()
        for role in ("scorer", "viewer", "owner"):
            owner.click(f"#invite-{role}")
            owner.wait_for("!document.querySelector('#pairing').hidden")
            owner.click("#endPairing")
            owner.wait_for("document.querySelector('#pairing').hidden")

    def test_a_message_is_shown_and_removed(self):
        owner = self.start_owner()
        owner.run("document.querySelector('#text').value = 'Say \"hi\" \\\\ all'; document.querySelector('#keep').click();"
                  "document.querySelector('#send').requestSubmit()")
        self.wait_for("the message", lambda: self.status().get("message") == 'Say "hi" \\ all')
        owner.wait_for("document.querySelector('#shown').innerText.includes('Say')")
        owner.click("#clear")
        self.wait_for("no message", lambda: self.status().get("message") is None)
        owner.wait_for("document.querySelector('#shown').hidden")


class Health(SettingsTestCase):
    def findings(self, phone):
        return phone.run("return [...document.querySelectorAll('#findings li')].map(node => node.innerText)")

    def restart(self, phone):
        phone.run("document.querySelector('#restart').scrollIntoView({ block: 'center' })")
        phone.click("#restart")
        phone.wait_for("document.querySelector('#question').open")

    def test_findings_have_words_of_the_language(self):
        self.start_all(teams="")
        phone = self.phone(role="owner")
        phone.open(self.address("/settings"))
        phone.wait_for(f"{READY} && !!document.querySelector('#versions').textContent")
        self.assertRegex(phone.run("return document.querySelector('#versions').textContent"),
                         r"^Display program \d.* · Phone page \d.* · Runs since ")
        self.assertFalse(any("a mistake" in text for text in self.findings(phone)))
        self.config.write_text(self.config.read_text(encoding="utf-8") + "\n[nonsense]\nx = 1\n", encoding="utf-8")
        self.control("reload", check=False)
        phone.click("#again")
        self.wait_for("the finding", lambda: any("has a mistake: " in text for text in self.findings(phone)))
        self.control("settings", "set", "locale.language", "de", check=False)
        text = self.config.read_text(encoding="utf-8")
        self.config.write_text(text.replace('language = "en"', 'language = "de"'), encoding="utf-8")
        self.control("reload", check=False)
        self.wait_for("German", lambda: any("hat einen Fehler: " in text for text in self.findings(phone)))

    def test_a_restart_asks_and_keeps_scores_and_settings(self):
        self.configure(teams="")
        manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(manager.close)
        path = str(self.directory / "notify")
        manager.bind(path)
        self.start(NOTIFY_SOCKET=path)
        self.start_web()
        phone = self.phone(role="owner")
        phone.open(self.address("/settings"))
        phone.wait_for(READY)
        self.enter(phone, "teams.home.name", "LIONS")
        self.expect(phone, teams__home__name="LIONS")
        self.control("set-score", "home", "7")
        phone.wait_for("!document.querySelector('#more').hidden")
        self.restart(phone)
        phone.click("#question [data-word=cancel]")
        self.restart(phone)
        phone.click("#yes")
        self.assertEqual(self.process.wait(20), 0)
        phone.wait_for("document.body.dataset.state === 'lost'")
        self.start(NOTIFY_SOCKET=path)
        phone.wait_for(READY)
        self.assertEqual(self.status()["match"]["teams"][0]["score"], 7)
        self.assertEqual(phone.run("return document.getElementById('set-teams.home.name').value"), "LIONS")

    def test_a_restart_that_nothing_follows_is_refused(self):
        phone = self.start_owner()
        phone.wait_for("!document.querySelector('#more').hidden")
        self.restart(phone)
        phone.click("#yes")
        phone.wait_for(f"{ALERT} === 'Nothing would start the display again.'")


class Appearance(SettingsTestCase):
    def test_every_language_and_width_without_problems(self):
        self.start_all(teams="")
        phone = self.phone(role="owner")
        for language in LANGUAGES:
            self.reconfigure(language=language, teams="")
            for width in (320, 360, 768, 1280):
                phone.resize(width, 740)
                phone.open(self.address("/settings"))
                phone.wait_for(f"{READY} && document.documentElement.lang === '{language}' && !document.querySelector('#health').hidden")
                self.assertEqual(phone.run(LAYOUT), [], f"{language} {width}")
            self.assert_no_violation(phone, language)

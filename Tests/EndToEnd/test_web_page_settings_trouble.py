# SPDX-License-Identifier: Apache-2.0
"""The settings page when others change the same settings, and when answers and files are not as expected."""

import itertools
import json

from EndToEnd.daemon import call
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
        # The dialog sends its event after it has closed.
        phone.run_async("const [done] = arguments; setTimeout(() => turn.then(done))")


class OtherOwners(TroubleTestCase):
    def test_undo_leaves_what_others_have_changed(self):
        first = self.start_owner()
        second = self.open()

        def by_command():
            self.control("settings", "set", "theme.name", "amber")

        def by_file_of_settings():
            self.upload(second, "theirs.toml", b'[theme]\nname = "amber"\n')

        def by_config():
            self.config.write_text(self.config.read_text(encoding="utf-8") + '\n[theme]\nname = "amber"\n', encoding="utf-8")

        for change in (by_command, lambda: self.choose(second, "amber"), by_file_of_settings, by_config):
            self.control("settings", "set", "theme.name", "dark", check=False)
            first.wait_for("settings.get('theme.name').value === 'dark'")
            self.choose(first, "paper")
            self.expect(first, theme__name="paper")
            change()
            first.wait_for("settings.get('theme.name').value === 'amber'")
            first.wait_for(f"{NOTE}.startsWith('Changed elsewhere')")
            self.assertEqual(self.made(first), 1)
            first.click("#undo")
            first.wait_for(f"{ALERT} === 'Changed elsewhere: Theme: Amber'")
            self.assertEqual(self.settings()["theme.name"], "amber")
            # It is forgotten, so that what was changed before it can be taken back.
            self.assertEqual(self.made(first), 0)
            self.assertTrue(first.run("return $.undo.hidden"))
        self.assertEqual(first.run("return mistakes"), [])

    def test_undo_takes_back_what_nobody_else_has_changed(self):
        phone = self.start_owner()
        self.change(phone, "theme.name", "paper")
        self.change(phone, "teams.home.name", "LIONS")
        self.control("settings", "set", "theme.name", "amber", "display.margins", "3%")
        phone.wait_for("settings.get('theme.name').value === 'amber'")
        self.undo(phone)
        self.assertEqual(phone.run(f"return {NOTE}"), "Saved.")
        self.undo(phone)
        self.assertIn("Changed elsewhere", phone.run(f"return {ALERT}"))
        found = self.settings()
        self.assertEqual((found.get("teams.home.name"), found["theme.name"], found["display.margins"]), (None, "amber", "3%"))

    def test_a_change_that_the_page_has_not_heard_of_is_not_taken_back_either(self):
        phone = self.start_owner()
        self.change(phone, "theme.name", "paper")
        phone.run("received = () => {};")
        self.control("settings", "set", "theme.name", "amber")
        self.undo(phone)
        self.assertEqual(phone.run(f"return {ALERT}"), "The settings have been changed meanwhile.")
        self.assertEqual(self.made(phone), 1)
        self.undo(phone)
        self.assertEqual(phone.run(f"return {ALERT}"), "Changed elsewhere: Theme: Amber")
        self.assertEqual((self.made(phone), self.settings()["theme.name"]), (0, "amber"))

    def test_a_change_right_after_ones_own_is_not_mistaken_for_it(self):
        # Another owner changes something between the wall's answer and the page's next reading.
        theirs = {
            "the same": ("theme.name", "amber"), "another": ("teams.guest.name", "BEARS"),
        }
        phone = self.start_owner()
        daemon = self.connect()
        for what, (key, value) in theirs.items():
            self.change(phone, "teams.home.name", f"LIONS {what}")
            phone.run("""
                window.genuine ??= fetch;
                window.fetch = async (path, options) => {
                  const reply = await genuine(path, options);
                  if (path === "/settings") { window.isAnswered = 1; await new Promise(done => { window.release = done; }); }
                  return reply;
                };
                isAnswered = 0;
                change({ "theme.name": "paper" });
            """)
            phone.wait_for("window.release && isAnswered")
            self.call(daemon, "SetSettings", settings=[{"key": key, "value": value}])
            phone.run("release(); window.fetch = genuine")
            phone.run_async("turn.then(arguments[0])")
            self.assertEqual(self.made(phone), 2)
            self.undo(phone)
            # Never the older change.
            self.assertEqual(self.settings()["teams.home.name"], f"LIONS {what}")
            self.assertEqual(self.settings()["theme.name"], "amber" if what == "the same" else None)
            said = "Changed elsewhere: Theme: Amber" if what == "the same" else ""
            self.assertEqual(phone.run(f"return {ALERT}"), said)
            self.undo(phone)
            self.assertEqual((self.made(phone), self.settings()["teams.home.name"]), (0, None))
            self.control("settings", "reset", key)
            phone.wait_for(f"!settings.get('{key}').value")

    def test_a_change_that_may_not_be_as_it_was_made_ends_what_can_be_taken_back(self):
        phone = self.start_owner()
        daemon = self.connect()
        unsaved = ("if (path !== '/settings') return real(); await real(); isAnswered = 1;"
                   "await new Promise(done => { window.release = done; });"
                   "return Response.json({ unsaved: 'x' }, { status: 202 })")
        replaced = ("const reply = await real(); if (path !== '/settings.toml') return reply; isAnswered = 1;"
                    "await new Promise(done => { window.release = done; }); return reply")
        for answer in (unsaved, replaced):
            for others in (True, False):
                self.change(phone, "teams.home.name", "LIONS")
                self.answer(phone, answer)
                phone.run("window.isAnswered = 0; window.release = null")
                if answer == unsaved:
                    phone.run("change({ 'theme.name': 'paper' })")
                else:
                    self.choose_file(phone, "ours.toml", b'[theme]\nname = "paper"\n')
                    phone.wait_for("$.question.open")
                    phone.click("#yes")
                phone.wait_for("isAnswered && !!release")
                if others:
                    self.call(daemon, "SetSettings", settings=[{"key": "theme.name", "value": "amber"}])
                phone.run("release(); window.fetch = genuine")
                phone.run_async("turn.then(arguments[0])")
                self.assertEqual(self.made(phone), 0 if others else 2)
                self.assertEqual(phone.run("return $.undo.hidden"), others)
                if not others:
                    self.undo(phone)
                    self.assertEqual((self.settings()["theme.name"], self.settings()["teams.home.name"]), (None, "LIONS"))
                    self.undo(phone)
                for table in ("theme", "teams"):
                    self.control("settings", "reset", table, check=False)
                phone.wait_for("!settings.get('theme.name').value && !settings.get('teams.home.name').value")

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

    def test_an_undo_that_is_refused_is_not_tried_again_and_one_that_is_late_is(self):
        phone = self.start_owner()
        for status in (400, 403, 410, 412, 413):
            self.change(phone, "teams.home.name", f"LIONS {status}")
            before = self.made(phone)
            self.answer(phone, f"return new Response('{{}}', {{ status: {status}, headers: {{ 'Content-Type': 'application/json' }} }})")
            self.undo(phone)
            self.assertEqual(self.made(phone), before if status in (410, 412) else before - 1, status)
            phone.run("window.fetch = genuine")


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
        reply = json.loads(self.control("settings", "--json").stdout)
        keys = [setting["key"] for setting in reply["settings"] if setting["source"] != "config"]
        keys += ["schedule.night.from", "schedule.night.to", "schedule.night.brightness", "schedule.night.days", "layout.rows"]
        night = {"schedule.night.from": "22:00", "schedule.night.to": "07:00", "schedule.night.brightness": "20%"}
        daemon = self.connect()

        def set_all(values):
            settings = [{"key": key, "value": value} for key, value in values.items()]
            return call(daemon, "SetSettings", settings=settings)["parameters"]

        def others(key):
            """What a setting needs besides."""
            return night if key.startswith("schedule.") else {}

        # For each setting the accepted values, as they are stored.
        accepted = {}
        for key in dict.fromkeys(keys):
            for value in self.VALUES:
                reply = set_all({**others(key), key: value})
                if "settings" in reply:
                    [stored] = [setting["value"] for setting in reply["settings"] if setting["key"] == key]
                    accepted.setdefault(key, {})[stored] = value
            set_all(dict.fromkeys([*others(key), key]))
        # The page has a value of each setting at once, because drawing it takes much longer than a change. What is refused
        # together with the others comes later.
        phone = self.open()
        waiting = {key: list(values.items()) for key, values in accepted.items()}
        while waiting:
            values = {key: pending[0] for key, pending in waiting.items()}
            unset = {**dict.fromkeys(accepted), **night}
            while "settings" not in (reply := set_all({**unset, **{key: value for key, (_, value) in values.items()}})):
                del values[reply["key"]]
            self.assertTrue(values, waiting)
            expected = {key: stored for key, (stored, _) in values.items()}
            phone.wait_for(f"Object.entries({json.dumps(expected)}).every(([key, value]) => settings.get(key)?.value === value)")
            # All is drawn again.
            found = phone.run("$.form.made = ''; draw(); return [mistakes, document.querySelectorAll('#form section').length]")
            self.assertEqual(found, [[], 9], expected)
            waiting = {key: pending[1:] if key in values else pending for key, pending in waiting.items()}
            waiting = {key: pending for key, pending in waiting.items() if pending}
        last = set_all(dict.fromkeys([*night, *accepted]))
        self.assertLessEqual({"auto", "zh-yue", "de-AT"}, accepted["locale.language"].keys())
        self.assertGreater(len(accepted), 15)
        # The display refuses changes of what the page does not know yet.
        phone.wait_for(f"revision === {last['revision']}")
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
            self.assertEqual(shown, ["", "Automatic (English)"] if language == "auto" else ["zh-yue", "zh-yue"])
            self.assertEqual(phone.run("return mistakes"), [])


class Failures(TroubleTestCase):
    def test_every_control_shows_what_the_wall_has_after_a_refusal(self):
        self.start_fresh("[game]\npreset = \"basketball\"\n")
        phone = self.open()
        self.control("settings", "set", "schedule.night.from", "22:00", "schedule.night.to", "sunrise", "schedule.night.brightness",
                     "20%", "place.latitude", "52.5", "place.longitude", "13.4", "horn.on", "true")
        phone.wait_for("settings.get('horn.on').value === 'true'")
        self.answer(phone, "if (path !== '/settings') return real(); return new Response(JSON.stringify({ name: 'SettingRefused',"
                    " error: 'no', parameters: { key: JSON.parse(options.body).settings[0].key, reason: 'no' } }),"
                    " { status: 409, headers: { 'Content-Type': 'application/json' } })")
        phone.run("""
            window.controls = () => all("#form .fields :is(input, select)").filter(node => !node.disabled);
            window.state = () => JSON.stringify(controls().map(({ id, type, value, checked }) =>
              [id, type, value, ["radio", "checkbox"].includes(type) && checked]));
            // Changes a control as a person does: the browser sends the events.
            window.use = node => {
              const { type, value } = node;
              if (["radio", "checkbox"].includes(type)) return node.click();
              node.value = node.options ? [...node.options].at(-1).value
                : { range: "7", color: "#010203", time: "03:04" }[type] ?? value + "1";
              for (const event of ["input", "change"]) node.dispatchEvent(new Event(event));
            };
        """)
        kinds = set()
        for is_typing in (False, True):
            if is_typing:
                phone.run("const node = $['set-teams.guest.name']; node.focus(); node.value = 'B';"
                          "node.dispatchEvent(new Event('input'))")
            before = phone.run("return state()")
            for index in range(phone.run("return controls().length")):
                kind = phone.run_async("""
                    const [index, done] = arguments, node = controls()[index];
                    if (node.checked && node.type === "radio" || document.activeElement === node) return done(null);
                    put($.alert, "");
                    use(node);
                    turn.then(() => done(node.type));
                """, index)
                if kind:
                    kinds.add(kind)
                    self.assertIn("not possible", phone.run(f"return {ALERT}"), (index, kind))
                    self.assertEqual(phone.run("return state()"), before, (index, kind, is_typing))
        self.assertEqual(kinds, {"radio", "checkbox", "select-one", "range", "color", "time", "text"})
        self.assertEqual(phone.run("return mistakes"), [])

    def test_a_mistake_in_a_file_is_said_and_keeps_undo(self):
        phone = self.start_fresh('[locale]\nlanguage = "de"\n')
        self.change(phone, "display.rotation", "90")
        good = self.config.read_text(encoding="utf-8")
        self.config.write_text(good + "[game]\nperiods = 1000\n", encoding="utf-8")
        self.control("reload", check=False)
        place = f"{self.config}:{len(self.config.read_text(encoding='utf-8').splitlines())}"
        self.change(phone, "theme.name", "paper")
        self.assertEqual(self.lines(phone)[0], f"Eine Konfigurationsdatei hat einen Fehler: {place}")
        # What is in force is shown.
        self.assertEqual(phone.run("return document.querySelector('[name=\"set-display.rotation\"]:checked').value"), "90")
        self.undo(phone)
        self.assertEqual(self.lines(phone)[0], f"Eine Konfigurationsdatei hat einen Fehler: {place}")
        self.assertEqual(self.made(phone), 1)
        self.config.write_text(good, encoding="utf-8")
        self.control("reload")
        self.undo(phone)
        self.assertEqual(self.made(phone), 0)
        self.assertIsNone(self.settings()["display.rotation"])

    def test_a_match_that_another_game_replaces_comes_back_with_undo(self):
        phone = self.start_fresh('[locale]\nlanguage = "de"\n')
        self.control("settings", "set", "game.preset", "basketball")
        self.control("set-score", "home", "40")
        phone.wait_for("settings.get('game.preset').value === 'basketball'")
        self.change(phone, "game.preset", "tennis")
        self.assertEqual(phone.run(f"return {NOTE}"), "Gespeichert. Das Spiel ist beiseitegelegt, ein neues beginnt. "
                         "„Rückgängig“ holt es zurück.")
        self.assertEqual(self.status()["match"]["teams"][0]["score"], 0)
        self.undo(phone)
        self.assertEqual(phone.run(f"return {NOTE}"), "Gespeichert. Das Spiel geht weiter. Seine Uhren sind angehalten.")
        self.assertEqual(self.status()["match"]["teams"][0]["score"], 40)
        # What an undo sets aside has no undo.
        self.change(phone, "game.preset", "volleyball")
        self.control("add-score", "home", "3")
        self.undo(phone)
        self.assertEqual(phone.run(f"return {NOTE}"), "Gespeichert. Das Spiel ist beiseitegelegt, ein neues beginnt.")

    def test_another_game_has_its_own_rules(self):
        phone = self.start_fresh('[locale]\nlanguage = "de"\n')
        rules = {"game.preset": "basketball", "game.shot-clock": "20s", "game.periods": "2", "game.resume": "running"}
        for key, value in rules.items():
            self.change(phone, key, value)
        self.change(phone, "game.preset", "football")
        after = {key: value for key, value in self.settings().items() if key in rules}
        self.assertEqual(after, {"game.preset": "football", "game.shot-clock": None, "game.periods": None, "game.resume": "running"})
        self.undo(phone)
        self.assertEqual({key: self.settings()[key] for key in rules}, rules)

    def test_a_name_that_a_scorer_has_given_is_said(self):
        phone = self.start_fresh('[locale]\nlanguage = "de"\n')
        self.enter(phone, "teams.home.name", "\u2068LÖWEN\u2069")
        self.expect(phone, teams__home__name="LÖWEN")
        said = "document.getElementById('set-teams.home.name').parentNode.innerText"
        self.assertNotIn("TIGER", phone.run(f"return {said}"))
        self.control("set", "home", "name", "TIGER")
        phone.wait_for(f"{said}.includes('Jetzt auf der Anzeige: TIGER')")
        self.control("undo")
        phone.wait_for(f"!{said}.includes('TIGER')")

    def test_a_message_that_was_corrected_leaves_no_refusal(self):
        phone = self.start_fresh('[locale]\nlanguage = "de"\n')
        for text, isShown in ("\u200d", False), ("HALLO\u200f WELT", True):
            phone.run("$.text.value = arguments[0]; $.send.requestSubmit()", text)
            phone.wait_for("document.querySelector('#text').value === ''" if isShown else "$.alert.textContent !== ''")
        self.assertEqual(phone.run("return $.alert.textContent"), "")
        self.assertEqual(self.status()["message"], "HALLO WELT")

    def test_more_refusals_have_words(self):
        phone = self.start_owner(language="de")
        night = {"schedule.night.from": "22:00", "schedule.night.to": "22:00", "schedule.night.brightness": "10%"}
        phone.run_async("const [values, done] = arguments; change(values).then(done)", night)
        self.assertIn("kann nicht zur selben Zeit beginnen und enden", self.lines(phone)[0])
        for value, words in (("", "Das darf nicht leer sein."), ("A\tB", "Bitte ohne Tabs und Zeilenumbrüche.")):
            self.change(phone, "teams.home.name", value)
            self.assertEqual(self.lines(phone), [f"Name: {words}", None], value)

    def test_a_file_that_cannot_be_read_does_not_stop_later_changes(self):
        phone = self.start_owner()
        # The file is gone between the choice and the reading.
        phone.run("turn = new Promise(done => { window.release = done; })")
        path = self.directory / "gone.toml"
        path.write_bytes(b"# nothing")
        phone.type("#upload", str(path))
        path.unlink()
        phone.run("release()")
        phone.wait_for(f"{ALERT} === 'Not saved.' && mistakes.length === 1")
        self.change(phone, "theme.name", "paper")
        self.expect(phone, theme__name="paper")

    def test_a_mistake_of_the_page_does_not_stop_later_changes(self):
        phone = self.start_owner()
        phone.run("window.kept = readPhones; readPhones = async () => { throw new Error('a mistake'); }")
        self.change(phone, "theme.name", "paper")
        self.assertEqual(phone.run(f"return {ALERT}"), "Not saved.")
        self.assertEqual(phone.run("return [isBusy, document.body.hasAttribute('aria-busy')]"), [False, False])
        phone.run("readPhones = kept")
        self.change(phone, "theme.name", "amber")
        self.change(phone, "teams.home.name", "LIONS")
        self.expect(phone, theme__name="amber", teams__home__name="LIONS")

    def test_a_control_shows_what_the_wall_has_if_the_wall_is_away(self):
        phone = self.start_owner()
        self.enter(phone, "teams.home.name", "LIONS")
        self.expect(phone, teams__home__name="LIONS")
        phone.run("isFresh = false; const node = document.getElementById('set-teams.home.name'); node.value = 'TIGERS';"
                  "node.dispatchEvent(new Event('change'))")
        phone.wait_for(f"{ALERT} === 'Not saved. (TIGERS)'")
        self.assertEqual(phone.run("return document.getElementById('set-teams.home.name').value"), "LIONS")

    LOST = "if (path === '/settings') { await real(); throw new Error('lost'); } return real();"

    def test_a_change_whose_answer_is_lost_is_recognized_and_taken_back(self):
        phone = self.start_owner()
        answers = (self.LOST, "if (path !== '/settings') return real(); await real();"
                   "return new Response('{\"name\": \"SettingsChanged\", \"error\": \"x\"}',"
                   " { status: 412, headers: { 'Content-Type': 'application/json' } })")
        for count, answer in enumerate(answers, 1):
            self.answer(phone, answer)
            # Not all answers are waited for: that takes eight seconds.
            phone.run("window.later ??= setTimeout; window.setTimeout = (body, time) => later(body, time === 1000 ? 10 : time)")
            self.change(phone, "theme.name", "paper")
            self.assertEqual(phone.run(f"return [{NOTE}, {ALERT}]"), ["Saved.", ""], count)
            self.assertEqual((self.settings()["theme.name"], self.made(phone)), ("paper", 1))
            phone.run("window.fetch = genuine")
            self.undo(phone)
            self.assertEqual((self.settings()["theme.name"], self.made(phone)), (None, 0))

    def test_a_change_that_was_not_made_or_may_have_been_is_not_called_saved(self):
        phone = self.start_owner()
        phone.run("const later = setTimeout; window.setTimeout = (body, time) => later(body, time === 1000 ? 10 : time)")
        for answer, with_reads, text in (
                ("throw new Error('lost')", False, "Not saved."),
                ("return new Response('', { status: 504 })", False, "Not saved."),
                ("if (path === '/events?as=scorer') return real(); await real(); throw new Error('lost')", True,
                 "The display has not answered: this may be saved or not.")):
            self.answer(phone, answer, with_reads)
            self.change(phone, "theme.name", "paper")
            self.assertEqual(phone.run(f"return {ALERT}"), text)
            self.assertEqual(self.made(phone), 0)
            phone.run("window.fetch = genuine")

    def test_english_is_only_beside_words_of_the_language(self):
        phone = self.start_owner(language="de")
        english = "The body has to be something else."
        for status in (400, 403, 413, 415, 428):
            self.answer(phone, f"return new Response(JSON.stringify({{ error: '{english}' }}),"
                               f" {{ status: {status}, headers: {{ 'Content-Type': 'application/json' }} }})")
            self.change(phone, "theme.name", "paper")
            self.assertEqual(self.lines(phone), ["Nicht gespeichert.", english], status)
            phone.run_async("order('/pairing', 'POST', 'owner').then(arguments[0])")
            self.assertEqual(self.lines(phone), ["Die Anzeige hat das abgelehnt.", english], status)
        self.answer(phone, "const reply = await (await real()).json();"
                           "return Response.json({ ...reply, warnings: ['line 1: careful'] })")
        self.change(phone, "theme.name", "amber")
        self.assertEqual(phone.run("return [$.note.firstChild.data.trim(), $.note.querySelector('[lang=en]').textContent]"),
                         ["Gespeichert.", "line 1: careful"])
        self.assert_no_violation(phone, "the alert")


class Files(TroubleTestCase):
    def test_a_file_replaces_all_after_a_question_and_can_be_taken_back(self):
        phone = self.start_owner()
        self.change(phone, "theme.name", "paper")
        self.change(phone, "teams.home.name", "LIONS")
        before = self.settings()
        self.choose_file(phone, "empty.toml", b"# nothing\n")
        phone.wait_for("$.question.open")
        self.assertIn("empty.toml replaces all settings", phone.run("return $['question-text'].textContent"))
        phone.click("#question [data-word=cancel]")
        phone.wait_for("!$.question.open")
        self.assertEqual((self.settings(), self.made(phone)), (before, 2))
        # The same file, and now the answer is yes.
        for name, data, theme in (("empty.toml", b"# nothing\n", None), ("other.toml", b'[theme]\nname = "solari"\n', "solari")):
            self.upload(phone, name, data)
            self.assertEqual((self.settings()["theme.name"], self.settings().get("teams.home.name")), (theme, None))
            self.assertEqual(self.made(phone), 3)
            self.undo(phone)
            self.assertEqual((self.settings(), self.made(phone)), (before, 2))
        # The changes before it are taken back, too.
        self.undo(phone)
        self.undo(phone)
        self.assertEqual((self.settings()["theme.name"], self.settings().get("teams.home.name")), (None, None))
        self.assertEqual(phone.run("return mistakes"), [])

    def test_a_file_is_not_taken_back_if_others_have_changed_anything(self):
        phone = self.start_owner()
        self.upload(phone, "ours.toml", b'[theme]\nname = "solari"\n')
        self.control("settings", "set", "teams.guest.name", "BEARS")
        phone.wait_for("settings.get('teams.guest.name')?.value === 'BEARS'")
        self.undo(phone)
        self.assertEqual(phone.run(f"return {ALERT}"), "Changed elsewhere: GUEST, Name: BEARS")
        self.assertEqual((self.settings()["theme.name"], self.settings()["teams.guest.name"]), ("solari", "BEARS"))

    def test_files_that_are_no_settings_are_refused_in_words(self):
        phone = self.start_owner(language="de")
        self.change(phone, "teams.home.name", "LIONS")
        before = self.settings()
        self.answer(phone, "return real()")
        for name, data, text in (
                ("latin.toml", '[teams.home]\nname = "LÖWEN"\n'.encode("latin-1"), "Das ist keine Datei mit Einstellungen."),
                ("wide.toml", '[teams.home]\nname = "LÖWEN"\n'.encode("utf-16"), "Das ist keine Datei mit Einstellungen."),
                ("over.toml", b"#" * (16 * 1024 + 1), "Die Datei ist zu groß: höchstens 16 KiB."),
                ("large.toml", b"#" * 100_000, "Die Datei ist zu groß: höchstens 16 KiB.")):
            self.choose_file(phone, name, data)
            phone.wait_for(f"{ALERT} === {json.dumps(text)}")
            self.assertFalse(phone.run("return $.question.open"))
        self.assertEqual(phone.run("return sent.length"), 0)
        # The largest one arrives, and what the daemon refuses has its reason beside the words.
        for data in (b"#" * (16 * 1024), b"this is no file of settings"):
            self.upload(phone, "tried.toml", data)
        self.assertEqual(self.lines(phone)[0], "Das ist keine Datei mit Einstellungen.")
        self.undo(phone)
        self.assertEqual((self.settings(), phone.run("return sent.length")), (before, 3))


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
        phone.wait_for("settings.get('schedule.night.days').value")
        before = self.settings()
        phone.run_async("document.getElementById('set-schedule.night.to-reset').click(); turn.then(arguments[0])")
        self.assertEqual(phone.run(f"return {ALERT}"), "")
        self.wait_for("no night", lambda: not any("schedule" in key for key in self.settings()))
        phone.wait_for(IDLE)
        self.undo(phone)
        self.assertEqual(self.settings(), before)


class Words(TroubleTestCase):
    def test_every_language_asks_and_refuses_in_its_words(self):
        self.start_all(teams="")
        phone = self.open(320)
        seen = set()
        for language in LANGUAGES:
            self.reconfigure(language=language, teams="")
            phone.wait_for(f"document.documentElement.lang === '{language}'")
            self.choose_file(phone, "settings.toml", b"# nothing\n")
            phone.wait_for("$.question.open")
            self.assertEqual(phone.run("return $.question.scrollWidth > $.question.clientWidth"), False, language)
            seen.add(phone.run("return $['question-text'].textContent"))
            phone.click("#question [data-word=cancel]")
            phone.wait_for("!$.question.open")
        self.assertEqual(len(seen), len(LANGUAGES), seen)


del SettingsTestCase, TroubleTestCase

# SPDX-License-Identifier: Apache-2.0
"""A match day on the phone, on the spectators' page and over a video: breaks, limits, the end of a match, the
next one."""

from EndToEnd.test_web_page import LIVE, TEAMS, PageTestCase

# The clock of a break on the phone.
BREAK = "(document.querySelector('[data-clock=break] .figure')?.textContent ?? '')"
# The same on the spectators' page, on cards, of which those that flip have copies.
CARDS = "[...document.querySelectorAll('.break > .flip > .figure')].map(node => node.textContent).join('')"


def command(text):
    return f"[data-command='{text}']"


class MatchDay(PageTestCase):
    def board(self, width=1280, height=720, path="/board", **options):
        board = self.browser(width, height, **options)
        board.open(self.address(path))
        board.wait_for(f"{LIVE} && document.querySelector('.score')?.textContent")
        return board

    def win_sets(self, count):
        """Has the home team win sets; all but the last are followed by the next one."""
        for number in range(1, count + 1):
            self.control("set-score", "home", "25")
            if number < count:
                self.control("set", "period", "+1")

    def test_a_time_out_and_its_limit(self):
        self.start_all("handball")
        phone, board = self.phone(), self.board()
        self.control("timer", "start")
        more = command("set home timeouts +1")
        phone.click(more)
        phone.wait_for(f"/^(1:00|0:5\\d)$/.test({BREAK})")
        self.assertEqual(phone.text(".strip .plain"), "TIME-OUT, LIONS")
        # The game clock has stopped, and the clock of the time-out runs, on both pages.
        self.assertFalse(self.match()["timers"]["game"]["running"])
        shown = phone.run(f"return {BREAK}")
        phone.wait_for(f"{BREAK} < '{shown}'")
        board.wait_for("/^0:[45]\\d$/.test(" + CARDS + ")")
        # A second tap asks before it counts another one.
        phone.wait_for(f"document.querySelector({more!r}).matches('.asks')")
        phone.click(more)
        phone.wait_for("document.querySelector('#ask').open")
        self.assertEqual(phone.text("#askText"), "TIME-OUT: running. Do it anyway?")
        phone.click("#ask button:not(#askYes)")
        self.assertEqual(self.match()["teams"][0]["counters"]["timeouts"], 1)
        self.assertEqual(board.text(".break + .caption"), "TIME-OUT LIONS")
        phone.click(".strip button")
        phone.wait_for("!document.querySelector('.strip')")
        board.wait_for("!document.querySelector('.break')")
        # The third one in a half must be confirmed, which can be seen before the tap.
        self.assertFalse(phone.run(f"return document.querySelector({more!r}).matches('.asks')"))
        phone.click(more)
        phone.wait_for(f"document.querySelector({more!r}).matches('.asks:not([aria-disabled=true])')")
        phone.wait_for("!queue.length && !document.querySelector('.sending')")
        phone.click(more)
        phone.wait_for("document.querySelector('#ask').open")
        self.assertIn("TIME-OUTS ≤ 2", phone.text("#askText"))
        self.assertEqual(self.match()["teams"][0]["counters"]["timeouts"], 2)
        phone.click("#askYes")
        self.wait_for("the third time-out", lambda: self.match()["teams"][0]["counters"]["timeouts"] == 3)
        # So must a fourth.
        phone.wait_for(f"document.querySelector({more!r}).matches('.asks:not([aria-disabled=true])')")
        self.assertEqual(board.problems(), [])

    def test_an_interval_that_starts_by_itself(self):
        self.start_all("volleyball")
        phone, board = self.phone(), self.board()
        self.control("set-score", "home", "24")
        self.wait_for_scores(phone, 24, 0)
        phone.click(".team:first-child .big")
        phone.wait_for(f"/^(3:00|2:5\\d)$/.test({BREAK})")
        self.assertEqual(phone.text(".strip .plain"), "INTERVAL")
        # Points would be refused, and are greyed; a tap says why. Corrections are possible.
        big = ".team:first-child .big"
        phone.wait_for(f"document.querySelector({big!r}).getAttribute('aria-disabled') === 'true'")
        self.assertEqual(phone.run("return document.querySelector(arguments[0]).getAttribute('aria-disabled')",
                                   command("add-score home -1")), "false")
        self.assertLess(float(phone.run(f"return getComputedStyle(document.querySelector({big!r})).opacity")), 0.7)
        phone.click(big)
        phone.wait_for("document.querySelector('#alert').textContent === 'SET 1 is over.'")
        board.wait_for("document.querySelector('.break') && document.querySelector('[data-team=home]').matches('.framed')")
        self.assertEqual(board.text(".past"), "2510")
        # The menu ends it, and does not begin it again.
        phone.click("#openMenu")
        phone.press("#breaks button", 1)
        phone.wait_for("document.querySelector('#breaks button').textContent === 'INTERVAL'")
        self.assertNotIn("gameBreak", self.match())
        phone.press("#breaks button", 1)
        phone.wait_for("document.querySelector('#breaks button').textContent === 'End: INTERVAL'")
        phone.key("Escape")
        # The next set ends it, too.
        phone.press(".strip .hold", 1)
        self.wait_for_scores(phone, 0, 0)
        phone.wait_for("!document.querySelector('.strip')")
        board.wait_for("!document.querySelector('.break, .framed')")
        phone.wait_for(f"document.querySelector({big!r}).getAttribute('aria-disabled') === 'false'")

    def test_the_end_of_a_match_and_the_next_one(self):
        self.start_all("volleyball")
        phone, board = self.phone(), self.board()
        overlay = self.board(path="/board?overlay=1", touch=False)
        self.win_sets(3)
        for page, node in (board, ".result"), (overlay, "#period"):
            page.wait_for("document.querySelector('[data-team=home]').matches('.framed')")
            self.assertEqual(page.text(node), "FINAL SCORE")
        self.assertEqual(board.run("return [...document.querySelectorAll('.middle .won > .flip > .figure')]"
                                   ".map(node => node.textContent)"), ["3", "0"])
        phone.wait_for("document.querySelector('.strip .hold')?.textContent === 'New game'")
        self.assertEqual(phone.text(".strip .plain"), "The match is over. New game: Points, periods, counters and clocks "
                                                      "begin again; the names stay.")
        self.assert_tidy(phone, "the end of the match")
        for size in ((360, 740), (667, 331)):
            phone.resize(*size)
            self.assert_reachable(phone, size, ".strip .hold")
        phone.press(".strip .hold", 1)
        self.wait_for_scores(phone, 0, 0)
        phone.wait_for("!document.querySelector('.strip')")
        board.wait_for("!document.querySelector('.framed')")
        self.wait_for_scores(board, 0, 0)
        self.assertEqual(self.match()["teams"][0]["name"], "LIONS")
        # The match is in the list that the menu downloads.
        text = phone.run_async("const done = arguments[0]; fetch('/matches.csv').then(reply => reply.text()).then(done)")
        self.assertRegex(text, r",yes,home,home,LIONS,,#d8434e,3,25 25 25,guest,TIGERS,,#2f7fe0,0,0 0 0\r\n$")
        phone.click("#openMenu")
        self.assertTrue(phone.run("return document.querySelector(\"a[href='/matches.csv']\").hasAttribute('download')"))
        self.assertEqual(board.problems() + overlay.problems(), [])

    def test_set_points_and_match_points(self):
        self.start_all("volleyball")
        board, overlay = self.board(), self.board(path="/board?overlay=1", touch=False)
        points = ("[...document.querySelectorAll('.point')].map(node => node.checkVisibility() ? node.textContent : '-')"
                  ".join()")
        place = "return [...document.querySelectorAll('#teams .flip')].map(node => node.getBoundingClientRect().top)"
        self.control("set-score", "guest", "22")
        self.control("set-score", "home", "23")
        self.wait_for_scores(board, 23, 22)
        before = board.run(place)
        for text in ("SET POINT", "SET POINT", "MATCH POINT"):
            self.control("set-score", "home", "24")
            board.wait_for(f"{points} === '{text},'")
            overlay.wait_for(f"$.period.textContent === '{text} LIONS'")
            self.assertEqual(overlay.run(f"return {points}"), "-,-")
            if self.match()["period"] == 1:
                # Nothing has moved.
                self.assertEqual(board.run(place), before)
            self.control("set-score", "home", "25")
            board.wait_for(f"/^,?$/.test({points})")
            if text == "SET POINT":
                self.control("set", "period", "+1")
        names = ["VAN DER BERG / GONZÁLEZ", "MÜLLER / SCHMIDT"]
        # What is drawn of the names: none is cut.
        drawn = ("return [...document.querySelectorAll('.label')].map(node => node.scrollWidth > node.clientWidth"
                 " ? 'cut' : node.textContent.replace('\\n', ' '))")
        self.reconfigure("tennis", teams=TEAMS.replace("LIONS", names[0]).replace("TIGERS", names[1]))
        for number, text in (1, "SET POINT"), (2, "MATCH POINT"):
            for _ in range(23):
                self.control("add-score", "guest", "1")
            board.wait_for(f"$.teams.dataset.kind === 'rows' && {points} === ',{text}'")
            overlay.wait_for(f"$.period.textContent.startsWith('{text} ')")
            # Both players of each side.
            for page in board, overlay:
                self.assertEqual(page.run(drawn), names)
            board.resize(320, 568)
            board.wait_for("$.teams.matches('.tall')")
            self.assertEqual(board.run(drawn), names)
            board.resize(1280, 720)
            self.assertEqual(board.texts(".captions .caption"), ["SETS", "GAMES", "POINTS"])
            self.assertEqual(board.texts(".past b"), ["0", "6"][:2 * (number - 1)])
            self.control("add-score", "guest", "1")
        # The games of all sets are beside the sets won.
        board.wait_for("document.querySelector('.result')?.textContent === 'FINAL SCORE'")
        self.assertEqual(board.texts(".past b"), ["0", "0", "6", "6"])
        self.assertEqual(board.texts(".captions .caption"), ["GAMES", "SETS"])
        self.wait_for_scores(board, "0", "2")
        self.assertEqual(board.problems() + overlay.problems(), [])

    def test_the_end_of_a_match_with_clocks(self):
        self.start_all("basketball")
        board, overlay = self.board(), self.board(path="/board?overlay=1", touch=False)
        colors = "return ['game', 'shot'].map(name => getComputedStyle(document.querySelector(`.${name}`)).color)"
        self.assertEqual(*board.run(colors))
        self.control("set", "period", "4")
        self.control("set-score", "guest", "90")
        self.control("timer", "set", "0:01")
        self.control("timer", "start")
        board.wait_for("document.querySelector('.head .result')?.textContent === 'FINAL SCORE'")
        # The words are in the place of the clocks, and as large.
        self.assertFalse(board.run("return !!document.querySelector('.clock, .round')"))
        height = board.run("return document.querySelector('.result').getBoundingClientRect().height / innerHeight")
        self.assertGreater(height, 0.1)
        overlay.wait_for("$.period.textContent === 'FINAL SCORE'")
        # A tie is followed by overtime.
        self.control("set-score", "home", "90")
        board.wait_for("!document.querySelector('.result') && document.querySelector('.game')")
        self.assertEqual(board.problems() + overlay.problems(), [])

    def test_the_end_of_the_time_offers_the_next_quarter(self):
        self.start_all("basketball")
        phone = self.phone()
        self.control("timer", "set", "0:01")
        self.control("timer", "start")
        phone.wait_for("document.querySelector('.strip .hold')?.textContent === 'Begin: QUARTER 2'")
        # The interval has begun by itself, and the next quarter ends it.
        self.assertEqual(phone.text(".strip .plain"), "INTERVAL")
        phone.wait_for("document.querySelector('.run').getAttribute('aria-disabled') === 'true'")
        phone.press(".strip .hold", 1)
        self.wait_for("the second quarter", lambda: self.match()["period"] == 2)

    def test_the_counters_of_many_teams_are_whole(self):
        many = TEAMS + "".join(f"\n[teams.t{n}]\nname = \"TEAM {n}\"\n" for n in (3, 4))
        self.start_all("volleyball", teams=many)
        board = self.board()
        board.wait_for("match.teams.length === 4 && document.querySelectorAll('.team').length === 4")
        for preset in "volleyball", "football", "handball":
            self.reconfigure(preset, teams=many)
            board.wait_for(f"match.preset === '{preset}' && document.querySelectorAll('.line').length === 4 * match.counters.length")
            for size in (1280, 720), (1920, 1080), (1080, 1920):
                board.resize(*size)
                cut = board.run("return [...document.querySelectorAll('.line > .label')]"
                                ".filter(node => node.scrollWidth > node.clientWidth).map(node => node.textContent)")
                self.assertEqual(cut, [], (preset, size))

    def test_the_board_shows_every_game_on_every_screen(self):
        self.start_all("basketball")
        board = self.board()
        inside = """
            const problems = [];
            for (const node of document.querySelectorAll("#teams .flip, #teams h2, #teams .caption, #teams .line, #teams .past b")) {
              const { left, top, right, bottom, width } = node.getBoundingClientRect();
              if (width && (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1)) {
                problems.push(`${node.className || node.localName} ${node.textContent}: ${[left, top, right, bottom].map(Math.round)}`);
              }
            }
            const boxes = [...document.querySelectorAll(".score, .clock, .won, .middle")].map(node => node.getBoundingClientRect())
              .filter(box => box.width);
            boxes.forEach((a, index) => boxes.slice(index + 1).forEach(b => {
              if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
                && !(a.width > b.width && a.left <= b.left + 1 && a.right >= b.right - 1 && a.top <= b.top)) {
                problems.push(`${[a.left, a.top, a.right, a.bottom].map(Math.round)} and ${[b.left, b.top].map(Math.round)} overlap`);
              }
            }));
            for (const line of document.querySelectorAll("#teams .line")) {
              const [label, value] = line.children, right = line.getBoundingClientRect().right;
              if (value.firstChild && value.firstChild.getBoundingClientRect().right > right + 1) problems.push(`${line.textContent} is too wide`);
            }
            const heights = [...document.querySelectorAll(".score .flip")].map(node => node.getBoundingClientRect().height);
            if (new Set(heights.map(Math.round)).size > 1) problems.push(`heights ${heights}`);
            return problems;"""
        many = TEAMS + "".join(f"\n[teams.t{n}]\nname = \"TEAM {n}\"\n" for n in range(3, 9))
        games = [(preset, TEAMS) for preset in ("basketball", "volleyball", "tennis", "darts", "handball", "ice-hockey", "free")]
        for preset, teams in [*games, ("free", many), ("volleyball", TEAMS.replace("LIONS", "SPORTVEREINIGUNG NORD"))]:
            self.reconfigure(preset, teams=teams)
            kind = {"tennis": "rows", "darts": "rows", "volleyball": "sets"}.get(preset, "total")
            count = teams.count("name =")
            board.wait_for(f"match.preset === '{preset}' && match.teams.length === {count}"
                           f" && document.querySelectorAll('.team').length === {count} && $.teams.dataset.kind === '{kind}'")
            if preset != "darts":
                self.control("set-score", "home", "15")
                self.control("set", "period", "+1", "--anyway")
            for size in ((390, 844), (360, 640), (844, 390), (1024, 768), (1920, 1080), (1080, 1920)):
                with self.subTest(preset=preset, count=count, size=size):
                    board.resize(*size)
                    board.run_async("const done = arguments[0];"
                                    "requestAnimationFrame(() => requestAnimationFrame(() => done(true)));")
                    self.assertEqual(board.run(inside), [])
                    height = board.run("return document.querySelector('.score .flip').getBoundingClientRect().height")
                    self.assertGreater(height, 0.09 * min(size))
            self.control("new-game")
            self.control("reset")
        self.assertEqual(board.problems(), [])

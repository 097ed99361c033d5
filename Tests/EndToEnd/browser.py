# SPDX-License-Identifier: Apache-2.0
"""Chromium without a window, controlled through its driver (WebDriver, https://www.w3.org/TR/webdriver2/)."""

import base64
import http.client
import json
import shutil
import subprocess
import tempfile
import time

from EndToEnd.daemon import PATIENCE, free_port

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "Backspace": "\ue003", "Shift": "\ue008"}


# Waits until the page has the width in the first argument and has been laid out for it.
RESIZED = """
const [width, done] = arguments;
const look = () => requestAnimationFrame(
  matchMedia(`(width: ${width}px)`).matches ? () => requestAnimationFrame(() => setTimeout(done)) : look);
look();
"""


class BrowserError(Exception):
    """An error that the driver reports, such as `no such element: …`."""


class Driver:
    """One chromedriver, for the browsers of a test run. Every `browser` has its own cookies."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix="flipclock-browser-")
        with open(f"{self.directory}/log", "wb") as log:
            # With --port=0 it binds IPv6 first and ends if the port that it got is in use over IPv4.
            self.port = free_port()
            self.process = subprocess.Popen(["chromedriver", f"--port={self.port}"], stdout=subprocess.PIPE, stderr=log)
        lines = []
        for line in self.process.stdout:
            lines.append(line.decode())
            if "started successfully on port" in lines[-1]:
                return
        raise BrowserError(f"chromedriver ended: {''.join(lines)}")

    def browser(self, width, height, touch=True, **options):
        return Browser(self, width, height, touch, **options)

    def close(self):
        self.process.terminate()
        self.process.wait(10)
        self.process.stdout.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def call(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60 * PATIENCE)
        try:
            data = json.dumps(body if body is not None else {}).encode() if method == "POST" else None
            connection.request(method, path, data, {"Content-Type": "application/json"})
            value = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        if isinstance(value, dict) and "error" in value:
            raise BrowserError(f"{value['error']}: {value['message'].splitlines()[0]}")
        return value


# A person does not tap again sooner.
REST = {"type": "pause", "duration": 150}


class AnyBrowser:
    """What all browsers have in common. A subclass has `touch`, and implements `run`, `run_async`,
    `origin`, `perform` and `release`."""

    def text(self, selector):
        """The text of the first match, also if it is hidden; None if there is none."""
        return self.run("return document.querySelector(arguments[0])?.textContent ?? null", selector)

    def texts(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])].map(node => node.textContent)", selector)

    def point(self, *actions):
        """Performs the actions of a finger, or of a mouse if there is no touchscreen."""
        self.perform({"type": "pointer", "id": "finger",
                      "parameters": {"pointerType": "touch" if self.touch else "mouse"}, "actions": list(actions)})

    def press(self, selector, seconds):
        """Holds a finger on the middle of an element, after that has come to rest."""
        self.wait_for_rest(selector)
        self.point(*self.down(selector), {"type": "pause", "duration": round(seconds * 1000)},
                   {"type": "pointerUp", "button": 0}, REST)

    def hold(self, selector):
        """Puts a finger on the middle of an element, after that has come to rest, until `let_go`."""
        self.wait_for_rest(selector)
        self.point(*self.down(selector))

    def let_go(self):
        self.release()
        self.point(REST)

    def down(self, selector):
        return ({"type": "pointerMove", "duration": 0, "origin": self.origin(selector), "x": 0, "y": 0},
                {"type": "pointerDown", "button": 0})

    def wait_for_rest(self, selector):
        """Scrolls to an element, and waits until it does not move."""
        self.run_async("""
            const [selector, done] = arguments, node = document.querySelector(selector);
            node.scrollIntoView({ block: "center", behavior: "instant" });
            let last = "", same = 0;
            const look = () => {
              const { x, y } = node.getBoundingClientRect(), place = `${x} ${y}`;
              same = place === last ? same + 1 : 0;
              last = place;
              if (same < 5) requestAnimationFrame(look); else done(null);
            };
            look();
        """, selector)

    def drag(self, selector, x, y):
        """Presses the middle of an element, and releases `x` pixels to the right of it and `y` pixels below
        it."""
        move = {"type": "pointerMove", "duration": 50, "origin": self.origin(selector)}
        self.point({**move, "x": 0, "y": 0}, {"type": "pointerDown", "button": 0},
                   {**move, "x": x, "y": y}, {"type": "pointerUp", "button": 0})

    def key(self, key, seconds=0):
        """Holds a key for some seconds. The key is a character or a name in `KEYS`."""
        value = KEYS.get(key, key)
        self.perform({"type": "key", "id": "keyboard",
                      "actions": [{"type": "keyDown", "value": value},
                                  {"type": "pause", "duration": round(seconds * 1000)},
                                  {"type": "keyUp", "value": value}]})

    def wait_for(self, condition, seconds=10):
        """Waits until a JavaScript expression is true, and returns its value."""
        end = time.monotonic() + seconds * PATIENCE
        while True:
            value = self.run(f"return ({condition})")
            if value:
                return value
            if time.monotonic() > end:
                raise BrowserError(f"not true within {seconds} s: {condition}")
            time.sleep(0.05)


class Browser(AnyBrowser):
    """A browser with a screen of its own, in CSS pixels. `close` ends it."""

    def __init__(self, driver, width, height, touch, scale=1, reduced_motion=False, proxy=None):
        self.driver = driver
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--lang=en", "--disable-background-networking", "--disable-component-update", "--no-first-run"]
        if reduced_motion:
            arguments.append("--force-prefers-reduced-motion")
        if proxy:
            # Chromium would ask a server what the fields of a form mean.
            arguments += [f"--proxy-server={proxy}", "--disable-features=AutofillServerCommunication"]
        # The usual limit of a script is shorter than a busy machine may need for a page.
        capabilities = {"browserName": "chrome", "goog:chromeOptions": {"args": arguments},
                        "goog:loggingPrefs": {"browser": "ALL"}, "timeouts": {"script": 50_000 * PATIENCE}}
        reply = driver.call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.path = f"/session/{reply['sessionId']}"
        self.touch, self.scale = touch, scale
        self._set_size(width, height)

    def close(self):
        self.driver.call("DELETE", self.path)

    def call(self, method, path, body=None):
        return self.driver.call(method, self.path + path, body)

    def devtools(self, command, **parameters):
        """Calls a method of the Chrome DevTools Protocol."""
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def resize(self, width, height):
        """Gives the page another size, and waits until it has been laid out."""
        self._set_size(width, height)
        self.run_async(RESIZED, width)

    def _set_size(self, width, height):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=self.scale,
                      mobile=self.touch)
        self.devtools("Emulation.setTouchEmulationEnabled", enabled=self.touch)

    def open(self, address):
        self.call("POST", "/url", {"url": address})

    def open_tab(self):
        """Opens a new tab, and continues there."""
        tab = self.call("POST", "/window/new", {"type": "tab"})["handle"]
        self.call("POST", "/window", {"handle": tab})

    def in_each_tab(self, expression):
        """Evaluates an expression in all tabs."""
        values = []
        for tab in self.call("GET", "/window/handles"):
            self.call("POST", "/window", {"handle": tab})
            values.append(self.run(f"return ({expression})"))
        return values

    @property
    def address(self):
        return self.call("GET", "/url")

    def run(self, script, *arguments):
        """Runs the body of a function in the page, and returns its result."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        """Runs a script that calls its last argument with the result, and returns that."""
        return self.call("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def evaluate(self, script):
        """Evaluates a script in the page, whose policy does not apply to it."""
        self.devtools("Runtime.evaluate", expression=script)

    def prepare(self, script):
        """Runs a script in every page that is opened from now on, before the page's own scripts."""
        self.devtools("Page.addScriptToEvaluateOnNewDocument", source=script)

    def find(self, selector):
        return self.call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def origin(self, selector):
        """The middle of an element, for the actions of a pointer."""
        return {ELEMENT: self.find(selector)}

    def perform(self, source):
        """Performs the actions of one input source."""
        self.call("POST", "/actions", {"actions": [source]})

    def release(self):
        """Lifts all fingers. ChromeDriver ignores a pointerUp without its pointerDown."""
        self.call("DELETE", "/actions")

    def click(self, selector):
        self.call("POST", f"/element/{self.find(selector)}/click")

    def type(self, selector, text):
        self.call("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", "/screenshot")))

    def problems(self):
        """The errors and warnings of the console since the last call."""
        entries = self.call("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] in ("SEVERE", "WARNING")]

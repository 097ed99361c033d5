# SPDX-License-Identifier: Apache-2.0
"""Firefox without a window, controlled over a WebSocket (WebDriver BiDi,
https://www.w3.org/TR/webdriver-bidi/)."""

import base64
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

# Debian's python3-websocket.
import websocket

from EndToEnd.browser import RESIZED, AnyBrowser, BrowserError
from EndToEnd.daemon import environment

# Scrolls to an element if its middle is not in view, and returns what covers it then.
REVEAL = """
const node = document.querySelector(arguments[0]);
const top = ({ x, y, width, height }) => document.elementFromPoint(x + width / 2, y + height / 2);
if (!node.contains(top(node.getBoundingClientRect()))) node.scrollIntoView({ block: "center", behavior: "instant" });
const found = top(node.getBoundingClientRect());
return node.contains(found) ? null : String(found?.outerHTML.slice(0, 80));
"""

# Focuses a field, with the caret at its end.
FOCUS = """
const node = document.querySelector(arguments[0]);
node.focus();
node.selectionStart = node.value.length;
"""


class Driver:
    """The browsers of a test run. Every `browser` has its own cookies."""

    def __init__(self):
        # Started when they are needed, because reduced motion is a setting of the whole program.
        self.firefoxes = {}
        if not shutil.which("firefox-esr"):
            raise FileNotFoundError("no firefox-esr")

    def browser(self, width, height, touch=True, scale=1, reduced_motion=False):
        if reduced_motion not in self.firefoxes:
            self.firefoxes[reduced_motion] = Firefox(reduced_motion)
        return Browser(self.firefoxes[reduced_motion], width, height, touch, scale)

    def close(self):
        for firefox in self.firefoxes.values():
            firefox.close()


class Firefox:
    """A running Firefox with a profile of its own."""

    def __init__(self, reduced_motion):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="flipclock-firefox-"))
        # Scrollbars take no space, as on phones.
        settings = {"ui.prefersReducedMotion": int(reduced_motion), "ui.useOverlayScrollbars": 1}
        (self.directory / "user.js").write_text(
            "".join(f'user_pref("{name}", {value});\n' for name, value in settings.items()))
        self.number = 0
        self.log = []
        # A window must be larger than the screens of the tests.
        variables = environment(HOME=str(self.directory), MOZ_HEADLESS_WIDTH="2000", MOZ_HEADLESS_HEIGHT="1500")
        with open(self.directory / "log", "wb") as log:
            self.process = subprocess.Popen(
                ["firefox-esr", "--headless", "--no-remote", "--remote-debugging-port", "0",
                 "--profile", self.directory], stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=variables)
        try:
            self.socket = websocket.create_connection(f"ws://127.0.0.1:{self.port()}/session", 60, suppress_origin=True)
            self.call("session.new", capabilities={})
            self.call("session.subscribe", events=["log.entryAdded"])
        except Exception:
            self.process.kill()
            self.stop()
            raise

    def port(self):
        """Waits until Firefox listens, and returns the port."""
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            if found := re.search(r"listening on ws://127\.0\.0\.1:(\d+)\n", self.output()):
                return found.group(1)
            time.sleep(0.05)
        raise BrowserError(f"firefox-esr did not start:\n{self.output()}")

    def output(self):
        return (self.directory / "log").read_text(errors="replace")

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            reply = json.loads(self.socket.recv())
            if reply["type"] == "event":
                self.log.append(reply["params"])
            elif reply["id"] == self.number:
                break
        if reply["type"] == "error":
            raise BrowserError(f"{reply['error']}: {reply['message'].splitlines()[0]}")
        return reply["result"]

    def close(self):
        self.call("browser.close")
        self.socket.close()
        self.stop()

    def stop(self):
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


class Browser(AnyBrowser):
    """A window with cookies and a screen of its own, in CSS pixels. `close` ends it."""

    def __init__(self, firefox, width, height, touch, scale):
        self.firefox = firefox
        self.touch, self.scale = touch, scale
        self.user = firefox.call("browser.createUserContext")["userContext"]
        # The tabs of one window would hide each other.
        self.tabs = [firefox.call("browsingContext.create", type="window", userContext=self.user)["context"]]
        self.size = width, height
        self._set_size(width, height)

    def close(self):
        self.firefox.call("browser.removeUserContext", userContext=self.user)

    def call(self, method, **parameters):
        """Calls a method for the tab that was opened last."""
        return self.firefox.call(method, context=self.tabs[-1], **parameters)

    def devtools(self, command, **_):
        raise unittest.SkipTest(f"Firefox does not have Chromium's DevTools Protocol ({command})")

    def resize(self, width, height):
        """Gives the page another size, and waits until it has been laid out."""
        self._set_size(width, height)
        self.run_async(RESIZED, width)

    def _set_size(self, width, height):
        self.size = width, height
        self.call("browsingContext.setViewport", viewport={"width": width, "height": height},
                  devicePixelRatio=self.scale)

    def open(self, address):
        self.call("browsingContext.navigate", url=address, wait="complete")

    def open_tab(self):
        """Opens a new tab, and continues there."""
        reply = self.firefox.call("browsingContext.create", type="tab", userContext=self.user,
                                  referenceContext=self.tabs[-1])
        self.tabs.append(reply["context"])
        self._set_size(*self.size)

    def in_each_tab(self, expression):
        """Evaluates an expression in all tabs."""
        all_tabs, values = list(self.tabs), []
        for tab in all_tabs:
            self.tabs = [tab]
            values.append(self.run(f"return ({expression})"))
        self.tabs = all_tabs
        return values

    @property
    def address(self):
        return self.run("return location.href")

    def run(self, script, *arguments):
        """Runs the body of a function in the page, and returns its result."""
        return self.result(f"(function() {{ {script}\n}})(...{json.dumps(arguments)})")

    def run_async(self, script, *arguments):
        """Runs a script that calls its last argument with the result, and returns that."""
        return self.result(f"new Promise(done => (function() {{ {script}\n}})(...{json.dumps(arguments)}, done))")

    def result(self, expression):
        """The value of an expression, in which a node is replaced by its name."""
        value = self.evaluate(f"(async () => JSON.stringify(await {expression}, "
                              "(_, value) => value instanceof Node ? value.nodeName : value))()")
        return None if value is None else json.loads(value)

    def evaluate(self, script):
        """Evaluates a script in the page, whose policy does not apply to it; returns a simple result."""
        reply = self.firefox.call("script.evaluate", expression=script, target={"context": self.tabs[-1]},
                                  awaitPromise=True, serializationOptions={"maxObjectDepth": 0})
        if reply["type"] == "exception":
            raise BrowserError(reply["exceptionDetails"]["text"])
        return reply["result"].get("value")

    def prepare(self, script):
        """Runs a script in every page that is opened from now on, before the page's own scripts."""
        self.firefox.call("script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}",
                          contexts=[self.tabs[-1]])

    def find(self, selector):
        nodes = self.call("browsingContext.locateNodes", locator={"type": "css", "value": selector},
                          maxNodeCount=1)["nodes"]
        if not nodes:
            raise BrowserError(f"no such element: {selector}")
        return nodes[0]["sharedId"]

    def origin(self, selector):
        """The middle of an element, for the actions of a pointer."""
        return {"type": "element", "element": {"sharedId": self.find(selector)}}

    def perform(self, source):
        """Performs the actions of one input source."""
        self.call("input.performActions", actions=[source])

    def release(self):
        """Lifts all fingers."""
        self.call("input.releaseActions")

    def click(self, selector):
        origin = self.origin(selector)
        cover = self.run(REVEAL, selector)
        if cover is not None:
            raise BrowserError(f"{selector} is covered by {cover}")
        self.perform({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
                      "actions": [{"type": "pointerMove", "origin": origin, "x": 0, "y": 0},
                                  {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]})

    def type(self, selector, text):
        if self.run("return document.querySelector(arguments[0]).type === 'file'", selector):
            self.call("input.setFiles", element={"sharedId": self.find(selector)}, files=[text])
            return
        self.run(FOCUS, selector)
        self.perform({"type": "key", "id": "keyboard",
                      "actions": [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]})

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("browsingContext.captureScreenshot")["data"]))

    def problems(self):
        """The errors and warnings of the console since the last call."""
        # The events that were sent so far arrive before the reply.
        self.run("return 0")
        entries = [entry for entry in self.firefox.log if entry["source"].get("context") in self.tabs]
        self.firefox.log = [entry for entry in self.firefox.log if entry not in entries]
        return [entry["text"] for entry in entries if entry["level"] in ("error", "warn")]

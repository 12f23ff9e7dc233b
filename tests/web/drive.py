# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
"""drive.py CHROMIUM FOLDER: drives the pages that sample_pages.m wrote into FOLDER
in a headless Chromium, over the DevTools protocol on a pipe, with the standard
library only.  Screenshots go into FOLDER; prints the line of counts."""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import sys
import tempfile
import time

PHONE = (360, 740)
DESK = (1280, 800)


class Browser:
    """A Chromium with one tab at a time."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="gpureduce-web-")
        to_child, self.out = os.pipe()
        self.inp, from_child = os.pipe()

        def hand_over():
            # The child reads on 3 and writes on 4, whatever numbers these had.
            a, b = os.dup(to_child), os.dup(from_child)
            while a in (3, 4):
                a = os.dup(a)
            while b in (3, 4):
                b = os.dup(b)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--user-data-dir=" + self.profile, "about:blank"],
            preexec_fn=hand_over, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.problems = []
        self.requests = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except Exception:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.inp], [], [], left)[0]:
                return None
            data = os.read(self.inp, 1 << 16)
            if not data:
                raise RuntimeError("the browser has gone")
            self.buffer += data
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        method, p = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.problems.append(p["exceptionDetails"].get("exception", {}).get("description", str(p)))
        elif method == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning", "assert"):
            self.problems.append(str(p["args"]))
        elif method == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
            self.problems.append(p["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(p["request"]["url"])
        return message

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + 60
        while time.monotonic() < end:
            answer = self.message(end - time.monotonic())
            if answer and answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]))
                return answer["result"]
        raise RuntimeError(method + ": no answer")

    def size(self, size, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=scale, mobile=size[0] < 700)

    def media(self, scheme="light", motion="no-preference"):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme},
                                                          {"name": "prefers-reduced-motion", "value": motion}])

    def open(self, path):
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        self.until("document.readyState === 'complete' && (document.body.dataset.step !== undefined || document.getElementById('controls').hidden)")

    def js(self, text):
        r = self.call("Runtime.evaluate", expression=text, returnByValue=True)
        if "exceptionDetails" in r:
            raise RuntimeError(text + ": " + str(r["exceptionDetails"].get("exception", {}).get("description")))
        return r["result"].get("value")

    def until(self, text, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.js(text):
                return True
            time.sleep(0.05)
        return False

    def key(self, key, code=None):
        codes = {" ": 32, "ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35, "Tab": 9}
        for kind in ("keyDown", "keyUp"):
            extra = {"text": " "} if key == " " and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, windowsVirtualKeyCode=codes[key], **extra)

    def click(self, id):
        x, y = self.js("(r => [r.left + r.width / 2, r.top + r.height / 2])(document.getElementById('%s').getBoundingClientRect())" % id)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def shot(self, file, full=False):
        picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=full)
        with open(file, "wb") as f:
            f.write(base64.b64decode(picture["data"]))


passed = failed = 0


def expect(what, good):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print("FAILED: " + what)


def step(b):
    return int(b.js("document.body.dataset.step"))


def text(b, id):
    return b.js("document.getElementById('%s').textContent" % id)


def settle(b):
    return b.until("document.body.dataset.resting === 'true'")


def fits(b, name):
    wide = b.js("""[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 0.5
        && !e.closest('#code') && !e.closest('.unseen')).map(e => e.tagName + '.' + e.className + '#' + e.id).slice(0, 5).join(' ')""")
    expect("%s: nothing lies outside %s (%s)" % (name, b.js("innerWidth"), wide), wide == "")
    expect("%s: no horizontal scrolling" % name, b.js("document.documentElement.scrollWidth <= innerWidth"))


def look_at(b, folder, name):
    """One page at both sizes, stepped through."""
    page = folder / (name + ".html")
    b.problems.clear()
    b.requests.clear()
    for size, label in ((DESK, "desk"), (PHONE, "phone")):
        b.size(size, 2 if label == "phone" else 1)
        b.media("light")
        b.open(page)
        n = int(b.js("document.getElementById('slider').max")) + 1
        b.js("document.getElementById('slider').value = %d; document.getElementById('slider').dispatchEvent(new Event('input'))" % min(1, n - 1))
        fits(b, "%s, %s" % (name, label))
        b.shot(folder / ("%s-%s.png" % (name, label)))
        b.js("document.getElementById('last').click()")
        expect("%s, %s: the last step" % (name, label), step(b) == n - 1)
        shown = text(b, "result")
        expect("%s, %s: the outcome is told: %s" % (name, label, shown), "built-in" in shown and shown.startswith("No result" if name == "fault" else "Result"))
        fits(b, "%s, %s, at the end" % (name, label))
    expect("%s: no message in the console %s" % (name, b.problems), not b.problems)
    expect("%s: nothing loaded but the page %s" % (name, b.requests),
           all(u.startswith(("file://", "data:")) for u in b.requests) and sum(u.startswith("file://") for u in b.requests) == 2)


def work(b, folder):
    """Controls, values and marks of the strided kernel: 64 numbers, 64 threads."""
    b.problems.clear()
    b.size(DESK)
    b.media("light")
    b.open(folder / "strided.html")
    n = int(b.js("document.getElementById('slider').max")) + 1
    expect("8 steps", n == 8)
    expect("it starts at rest on the first step", step(b) == 0 and b.js("document.body.dataset.playing") == "false")

    b.key("ArrowRight")
    expect("the right arrow goes on", step(b) == 1)
    expect("and animates", b.js("document.body.dataset.resting") == "false")
    time.sleep(0.3)
    b.shot(folder / "strided-moving.png")
    settle(b)
    expect("to its rest", b.js("document.body.dataset.resting") == "true")
    b.key("ArrowLeft")
    expect("the left arrow goes back", step(b) == 0)
    b.key("End")
    expect("End", step(b) == n - 1)
    expect("the result at the end", "Result 282, the same" in text(b, "result"))
    expect("lane 0 has it", b.js("document.querySelector('.lane').textContent") == "282")
    expect("shared memory has it", b.js("document.querySelector('#shared .cell').textContent") == "282")
    b.key("Home")
    expect("Home", step(b) == 0)
    b.key("ArrowLeft")
    expect("no step before the first", step(b) == 0)

    for s, conflicted in ((0, 0), (1, 16), (2, 8), (6, 0)):
        b.js("document.getElementById('slider').value = %d; document.getElementById('slider').dispatchEvent(new Event('input'))" % s)
        expect("the slider moves to %d" % s, step(b) == s)
        # Reads of s[2*s*t] hit half, a quarter, ... of the banks, and their neighbours.
        count = b.js("document.querySelectorAll('.bank.conflict').length")
        expect("banks in conflict at step %d: %d" % (s, count), (count > 0) == (conflicted > 0) and count % max(conflicted, 1) == 0)
    b.js("document.getElementById('slider').value = 1; document.getElementById('slider').dispatchEvent(new Event('input'))")
    expect("banks say how often", b.js("document.querySelector('.bank.conflict').textContent") == "2×")
    expect("a second warp that only runs", b.js("document.querySelectorAll('.lane.waits').length") == 32)
    expect("the first warp is framed", b.js("[...document.querySelectorAll('.warp')].map(w => w.classList.contains('runs')).join()") == "true,false")
    expect("active lanes among the counts", "32 of 64" in text(b, "counters") and "50%" in text(b, "counters"))
    expect("conflicts among the counts", "2-way" in text(b, "counters"))
    expect("the line of the source", "shared_strided.cu line 25" in text(b, "where"))
    b.js("document.querySelectorAll('.lane')[5].click()")
    expect("a thread's accesses", b.js("[...document.querySelectorAll('#lane-what li')].map(e => e.textContent).join(';')")
           .startswith("reads shared[10] = ") and b.js("document.querySelectorAll('#lane-what li').length") == 3)
    sums = b.js("[...document.querySelectorAll('#shared .cell')].map(e => +e.textContent)")
    x = b.js("[...document.querySelectorAll('#global .cell')].slice(0, 64).map(e => +e.textContent)")
    expect("pairs are added in shared memory", all(sums[k] == x[k] + x[k + 1] for k in range(0, 64, 2)))

    b.js("document.getElementById('speed').value = '4'; document.getElementById('speed').dispatchEvent(new Event('change'))")
    b.key("Home")
    b.js("document.activeElement.blur()")
    b.key(" ", "Space")
    expect("space plays", b.js("document.body.dataset.playing") == "true")
    expect("the button says pause", b.js("document.getElementById('play').getAttribute('aria-label')") == "Pause")
    expect("playing goes on", b.until("+document.body.dataset.step >= 2"))
    b.key(" ", "Space")
    expect("space pauses", b.js("document.body.dataset.playing") == "false")
    time.sleep(0.8)
    here = step(b)
    time.sleep(0.8)
    expect("paused it stays", step(b) == here)
    b.click("play")
    expect("played to the end it stops", b.until("document.body.dataset.playing === 'false' && +document.body.dataset.step === 7", 30))
    expect("with the result", "Result 282, the same" in text(b, "result"))
    b.click("play")
    expect("played again it starts over", b.until("+document.body.dataset.step < 3 && document.body.dataset.playing === 'true'", 5))
    b.click("back")
    expect("a step stops the play", b.js("document.body.dataset.playing") == "false")
    b.click("last")
    b.click("first")
    settle(b)
    expect("buttons to the ends", step(b) == 0)
    b.click("forward")
    expect("button forward", step(b) == 1)

    # The keyboard reaches every control, and shows where it is.
    seen = set()
    b.js("document.activeElement.blur()")
    for _ in range(14):
        b.key("Tab")
        seen.add(b.js("document.activeElement.id"))
        ring = b.js("document.activeElement === document.body || getComputedStyle(document.activeElement).outlineStyle !== 'none'")
        expect("focus is seen on " + str(b.js("document.activeElement.id")), ring)
    expect("tab reaches all controls: %s" % seen, {"first", "back", "play", "forward", "last", "slider", "speed", "lane-number"} <= seen)
    expect("every control has a name", b.js("""[...document.querySelectorAll('button, input, select')].every(e =>
        e.getAttribute('aria-label') || e.labels && e.labels.length)"""))
    expect("no message in the console %s" % b.problems, not b.problems)

    b.size(PHONE, 2)
    b.open(folder / "strided.html")
    low = b.js("Math.min(...[...document.querySelectorAll('button, select')].map(e => Math.min(e.getBoundingClientRect().height, e.getBoundingClientRect().width)))")
    expect("buttons are as large as a thumb: %s" % low, low >= 44)
    bottom = b.js("document.getElementById('play').getBoundingClientRect()")
    expect("and within its reach", b.js("document.getElementById('play').getBoundingClientRect().top > innerHeight - 110"))
    b.click("forward")
    expect("a tap steps", step(b) == 1)

    b.media("dark")
    settle(b)
    expect("dark where that is preferred", b.js("getComputedStyle(document.body).backgroundColor") == "rgb(18, 22, 28)")
    b.shot(folder / "strided-dark-phone.png")
    b.size(DESK)
    b.shot(folder / "strided-dark-desk.png")
    b.media("light", "reduce")
    b.open(folder / "strided.html")
    b.key("ArrowRight")
    expect("reduced motion: no animation", step(b) == 1 and b.js("document.body.dataset.resting") == "true")
    b.media("light")

    # What a report says stays text.
    b.open(folder / "fault.html")
    expect("a fault is told", "race" in text(b, "fault") and "line 25" in text(b, "fault"))
    expect("markup in it stays text", "</script><b>&amp;" in text(b, "fault") and b.js("document.querySelectorAll('#fault b').length") == 0)
    b.open(folder / "shuffle.html")
    expect("lanes shuffled", b.js("document.querySelectorAll('.lane.shuffle').length") == 128)
    b.open(folder / "large.html")
    expect("256 lanes in 8 warps", b.js("document.querySelectorAll('.warp').length") == 8)
    b.key("End")
    settle(b)
    expect("the second launch", "launch 2" in text(b, "now") and "Result 4442, the same" in text(b, "result"))
    b.open(folder / "noframes.html")
    expect("without frames the counts are there", "100%" in text(b, "counters"))
    expect("steps left out are told", "more steps" in text(b, "totals"))
    b.problems.clear()
    b.open(folder / "nosteps.html")
    expect("without a step the fault is told", "race" in text(b, "fault") and "No result" in text(b, "now"))
    expect("and nothing is to be played", b.js("document.getElementById('play').getBoundingClientRect().height") == 0)
    expect("without complaint %s" % b.problems, not b.problems)


def main():
    folder = pathlib.Path(sys.argv[2])
    try:
        b = Browser(sys.argv[1])
    except Exception as problem:
        print("Chromium does not start: %s" % problem)
        print("0 passed, 0 failed, 1 skipped")
        return
    try:
        for page in sorted(folder.glob("*.html")):
            if page.stem != "nosteps":
                look_at(b, folder, page.stem)
        work(b, folder)
    except Exception as problem:
        expect("driven to the end: %s" % problem, False)
    finally:
        b.close()
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    sys.exit(failed > 0)


main()

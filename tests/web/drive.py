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
WIDE = (1920, 1080)


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

    def media(self, scheme="light", motion="no-preference", kind=""):
        self.call("Emulation.setEmulatedMedia", media=kind, features=[{"name": "prefers-color-scheme", "value": scheme},
                                                          {"name": "prefers-reduced-motion", "value": motion}])

    def open(self, path, hash=""):
        if hash:
            self.call("Page.navigate", url="about:blank")       # else it would only jump
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri() + hash)
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
        codes = {" ": 32, "ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35, "Tab": 9, "Enter": 13,
                 "Escape": 27, ".": 190, ",": 188, "p": 80}
        for kind in ("keyDown", "keyUp"):
            extra = {"text": {"Enter": "\r"}.get(key, key)} if (len(key) == 1 or key == "Enter") and kind == "keyDown" else {}
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
        && !e.closest('.code') && !e.closest('#tables') && !e.closest('.unseen')).map(e => e.tagName + '.' + e.className + '#' + e.id).slice(0, 5).join(' ')""")
    expect("%s: nothing lies outside %s (%s)" % (name, b.js("innerWidth"), wide), wide == "")
    expect("%s: no horizontal scrolling" % name, b.js("document.documentElement.scrollWidth <= innerWidth"))


def look_at(b, folder, name):
    """One page at both sizes, stepped through."""
    page = folder / (name + ".html")
    b.problems.clear()
    b.requests.clear()
    for size, label in ((DESK, "desk"), (PHONE, "phone"), (WIDE, "wide")):
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
        expect("%s, %s: the outcome is told: %s" % (name, label, shown), "built-in" in shown and shown.startswith("No result" if name in ("fault", "real_bounds") else "Result"))
        fits(b, "%s, %s, at the end" % (name, label))
    expect("%s: no message in the console %s" % (name, b.problems), not b.problems)
    expect("%s: nothing loaded but the page %s" % (name, b.requests),
           all(u.startswith(("file://", "data:")) for u in b.requests) and sum(u.startswith("file://") for u in b.requests) == 3)


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
        count = b.js("document.querySelectorAll('#views .bank.conflict').length")
        expect("banks in conflict at step %d: %d" % (s, count), (count > 0) == (conflicted > 0) and count % max(conflicted, 1) == 0)
    b.js("document.getElementById('slider').value = 1; document.getElementById('slider').dispatchEvent(new Event('input'))")
    expect("banks say how often", b.js("document.querySelector('.bank.conflict').textContent") == "2×")
    expect("a second warp that only runs", b.js("document.querySelectorAll('#views .lane.waits').length") == 32)
    expect("the first warp is framed", b.js("[...document.querySelectorAll('#views .warp')].map(w => w.classList.contains('runs')).join()") == "true,false")
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
    for _ in range(30):
        b.key("Tab")
        seen.add(b.js("document.activeElement.id"))
        ring = b.js("document.activeElement === document.body || getComputedStyle(document.activeElement).outlineStyle !== 'none'")
        expect("focus is seen on " + str(b.js("document.activeElement.id")), ring)
    expect("tab reaches all controls: %s" % seen, {"first", "back", "play", "forward", "last", "slider", "speed", "lane-number",
                                                             "predict-on", "link", "part-back", "part-on", "code"} <= seen)
    expect("every control has a name", b.js("""[...document.querySelectorAll('button, input, select')].every(e =>
        e.getAttribute('aria-label') || e.labels && e.labels.length || e.textContent.trim())"""))
    expect("no message in the console %s" % b.problems, not b.problems)

    b.size(PHONE, 2)
    b.open(folder / "strided.html")
    low = b.js("Math.min(...[...document.querySelectorAll('button, select')].filter(e => e.offsetParent || e.closest('#controls')).map(e => Math.min(e.getBoundingClientRect().height, e.getBoundingClientRect().width)))")
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
    expect("256 lanes in 8 warps", b.js("document.querySelectorAll('#views .warp').length") == 8)
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


def go(b, step):
    b.js("document.getElementById('slider').value = %d; document.getElementById('slider').dispatchEvent(new Event('input'))" % step)


def words(b, folder):
    """Sentences, instructions and links."""
    b.size(DESK)
    b.media("light", "reduce")
    for name in ("strided", "sequential", "shuffle", "large", "serial", "noframes", "fault", "compare"):
        b.open(folder / (name + ".html"))
        said = []
        for k in range(int(b.js("document.getElementById('slider').max")) + 1):
            go(b, k)
            said.append(text(b, "sentence"))
        expect("%s: each step says what it does %s" % (name, said), all(len(t) > 20 and t.endswith(".") for t in said))
    b.open(folder / "strided.html")
    go(b, 2)
    expect("threads, words and passes: " + text(b, "sentence"), text(b, "sentence").startswith(
        "Lanes 0 to 15 of warp 0 read 32 words of shared memory, add them and write 16 words of shared memory.  "
        "16 lanes, stride 4: 2 words a bank, 2 passes"))
    expect("a screen reader is told it", text(b, "sentence") in text(b, "said"))
    expect("live", b.js("document.getElementById('said').getAttribute('aria-live')") == "polite")
    expect("every panel has a name", b.js("""[...document.querySelectorAll('#views [aria-labelledby]')].every(e =>
        e.getAttribute('aria-labelledby').split(' ').every(id => document.getElementById(id)))"""))

    # The instructions of a step, one at a time.
    go(b, 1)
    x = b.js("[...document.querySelectorAll('#global .cell')].slice(0, 64).map(e => +e.textContent)")
    shared = "[...document.querySelectorAll('#shared .cell')].map(e => +e.textContent)"
    expect("three instructions", b.js("document.querySelectorAll('#parts button').length") == 3)
    b.key(".", "Period")
    expect("the full stop shows the first", b.js("document.body.dataset.part") == "0" and text(b, "sentence").endswith(
        "read shared[0, 2, ... 62]: stride 2: 2 words a bank, 2 passes."))
    expect("its 32 cells alone", b.js("document.querySelectorAll('#shared .cell.read').length") == 32)
    expect("before anything is written", b.js(shared) == x)
    expect("it is marked in the list", b.js("[...document.querySelectorAll('#parts button')].map(e => e.getAttribute('aria-current')).join()") == "true,false,false")
    b.key(".", "Period")
    b.key(".", "Period")
    expect("the third writes", b.js(shared)[0:64:2] == [x[k] + x[k + 1] for k in range(0, 64, 2)] and text(b, "said").startswith("The 32 lanes of warp 0 write"))
    b.key(",", "Comma")
    expect("the comma goes back", b.js("document.body.dataset.part") == "1" and b.js(shared) == x)
    b.js("document.querySelectorAll('#parts button')[1].click()")
    expect("a click on it shows the whole step again", b.js("document.body.dataset.part") == "" and "add them" in text(b, "sentence"))
    b.click("part-on")
    expect("buttons too", b.js("document.body.dataset.part") == "0")
    b.key("ArrowRight")
    expect("a step forgets the instruction", step(b) == 2 and b.js("document.body.dataset.part") == "")

    # Links to a step.
    expect("the address names the step", b.js("location.hash") == "#step=3" and b.js("document.getElementById('link').hash") == "#step=3")
    for hash, at in (("#step=5", 4), ("#step=99", 7), ("#step=0", 0), ("#elsewhere", 0)):
        b.open(folder / "strided.html", hash)
        expect("%s leads to its step" % hash, step(b) == at)
    b.js("location.hash = '#step=4'")
    expect("also within the page", b.until("+document.body.dataset.step === 3", 5))

    # The whole source, and what is lit in it not by colour alone.
    b.open(folder / "sequential.html", "#step=2")
    lines = open(pathlib.Path(__file__).resolve().parents[2] / "kernels/ladder/sequential.cu").read().split("\n")
    expect("the source is whole", b.js("document.querySelectorAll('#code span').length") == len(lines))
    expect("and scrolls", b.js("document.getElementById('code').scrollHeight > document.getElementById('code').clientHeight"))
    expect("the line has a mark", b.js("getComputedStyle(document.querySelector('#code .here i'), '::before').content") not in ("none", ""))
    expect("and is in sight", b.js("""(() => { const c = document.getElementById('code'), h = c.querySelector('.here');
        return h.offsetTop >= c.scrollTop && h.offsetTop < c.scrollTop + c.clientHeight; })()"""))
    kinds = ["read", "write", "shuffle", "atomic"]
    shapes = [b.js("getComputedStyle(document.querySelector('#legend .cell.%s')).outlineStyle" % k) for k in kinds]
    expect("accesses differ in more than colour: %s" % shapes, len(set(shapes)) == 4)
    expect("the legend has every mark", b.js("""['.cell.read', '.cell.write', '.cell.shuffle', '.cell.atomic', '.cell.conflict', '.bank.conflict',
        '.cell.sector', '.cell.far', '.cell.fault', '.lane.waits', '.lane.idle', '.lane.chosen', '.warp.runs', '.warp.divergent', '.warp:not(.runs)', 'circle']
        .every(c => document.querySelector('#legend ' + c))"""))
    b.open(folder / "model.html")
    expect("a predicted time is shown as text", text(b, "model").startswith("On an H200 a model says ") and b.js("document.getElementById('model').offsetHeight > 0"))


def tree(b, folder):
    b.size(DESK)
    b.media("light", "reduce")
    circles = "document.querySelectorAll('#tree circle').length"
    for name, at in (("strided", 7), ("sequential", 6), ("shuffle", 1), ("real", 7), ("real_shuffle", 1)):
        if not (folder / (name + ".html")).exists():
            continue
        b.open(folder / (name + ".html"))
        go(b, at)
        note = text(b, "tree-note")
        expect("%s: its elements become one value: %s" % (name, note), "all in one value" in note and "never" not in note)
    b.open(folder / "strided.html", "#step=2")
    expect("64 elements and 32 sums", b.js(circles) == 96 and text(b, "tree-note") == "64 elements, 32 values still apart after this step")
    x = b.js("[...document.querySelectorAll('#global .cell')].slice(0, 64).map(e => +e.textContent)")
    b.js("document.getElementById('lane-number').value = 5; document.getElementById('lane-number').dispatchEvent(new Event('input'))")
    expect("what a thread's value holds: " + text(b, "tree-what"), text(b, "tree-what") ==
           "Thread 5 has made a value of 2 elements: x[10], x[11], together %d" % (x[10] + x[11]))
    go(b, 6)
    expect("63 sums in the end", b.js(circles) == 64 + 63)
    b.open(folder / "sequential.html", "#step=2")       # 32 threads a block
    b.js("document.getElementById('lane-number').value = 3; document.getElementById('lane-number').dispatchEvent(new Event('input'))")
    expect("the stride tells which: " + text(b, "tree-what"), "x[3], x[19], together" in text(b, "tree-what"))
    b.open(folder / "large.html", "#step=9")
    expect("coarser where there are many: " + text(b, "tree-note"), text(b, "tree-note").startswith("256 elements, all in one value; rows of more than 64")
           and b.js(circles) == 64 + 32 + 16 + 8 + 4 + 2 + 1)


def faults(b, folder):
    b.size(DESK)
    b.media("light", "reduce")
    b.open(folder / "fault.html")
    expect("not before its step", b.js("document.querySelectorAll('#views .cell.fault').length") == 0)
    b.js("document.querySelector('#fault a').click()")
    b.until("document.querySelectorAll('#views .cell.fault').length > 0", 5)
    marked = b.js("[...document.querySelectorAll('#views .lane.fault')].map(e => e.dataset.thread).join()")
    expect("both threads are marked: " + marked, marked == "8,16")
    expect("and the cell", b.js("[...document.querySelectorAll('#shared .cell')].map((e, k) => e.classList.contains('fault') ? k : -1).filter(k => k >= 0).join()") == "16")
    expect("by a sign, not by colour alone", "!" in b.js("getComputedStyle(document.querySelector('#shared .cell.fault'), '::after').content"))
    expect("the sentence says so", text(b, "sentence").startswith("Here the kernel fails (race)"))
    expect("the thread that failed is told of", "is at the fault: race" in text(b, "lane-what"))
    b.shot(folder / "fault-marked.png")
    if (folder / "real_bounds.html").exists():
        b.open(folder / "real_bounds.html", "#step=99")
        expect("a cell beyond its array is drawn", b.js("document.querySelectorAll('#global .cell.fault').length") == 1 and "x[100]" in text(b, "global"))


def predict(b, folder):
    b.size(DESK)
    b.media("light", "reduce")
    b.problems.clear()
    b.open(folder / "strided.html")
    b.key("p", "KeyP")
    expect("asked before the next step", step(b) == 0 and "step 2 of 8" in text(b, "predict-ask") and b.js("document.activeElement.id") == "predict-active")
    expect("what would tell is hidden", b.js("document.getElementById('table-of').hidden && document.getElementById('totals').hidden"))
    answer = "document.getElementById('predict-%s').value = '%s'"
    b.js(answer % ("active", 32))
    b.js(answer % ("conflicts", 0))
    b.key("Enter")
    expect("revealed", step(b) == 1 and b.js("document.getElementById('predict-form').hidden"))
    told = text(b, "predict-told")
    expect("right and wrong are told: " + told, "✓ right active lanes: 32" in told and "✗ not so bank conflicts: you said 0, it is 3" in told)
    expect("the tally", text(b, "tally") == "1 of 2 answers right")
    b.shot(folder / "predict-told.png")
    b.js("document.activeElement.blur()")
    b.key("ArrowRight")
    expect("asked again", step(b) == 1 and "step 3 of 8" in text(b, "predict-ask"))
    b.shot(folder / "predict-asked.png")
    b.key("ArrowRight")
    expect("no way round it by a key in the field", step(b) == 1)
    b.js(answer % ("active", 16))
    b.js(answer % ("conflicts", 3))
    b.click("reveal")
    expect("the tally grows", step(b) == 2 and text(b, "tally") == "3 of 4 answers right")
    b.js("document.activeElement.blur()")
    b.key("ArrowLeft")
    b.key("ArrowRight")
    expect("what was seen is not asked again", step(b) == 2 and b.js("document.getElementById('predict-form').hidden"))
    b.js("document.getElementById('speed').value = '4'; document.getElementById('speed').dispatchEvent(new Event('change'))")
    b.click("play")
    expect("playing stops to ask", b.until("!document.getElementById('predict-form').hidden", 10) and step(b) == 2)
    b.size(PHONE, 2)
    fits(b, "predict, phone")
    b.shot(folder / "predict-phone.png")
    b.key("Escape")
    expect("Escape ends it", b.js("document.getElementById('predict').hidden && !document.getElementById('totals').hidden"))
    expect("no message in the console %s" % b.problems, not b.problems)


def prints(b, folder):
    b.size(DESK)
    for name, n in (("strided", 8), ("compare", None)):
        b.open(folder / (name + ".html"))
        b.media("light", kind="print")
        b.js("dispatchEvent(new Event('beforeprint'))")
        seen = b.js("[...document.querySelectorAll('#tables tbody tr')].filter(e => e.offsetHeight > 0).length")
        expect("%s: printed, each step is a row: %s" % (name, seen), seen == n or n is None and seen > 8)
        expect("the table is open", b.js("document.getElementById('table-of').open && !document.getElementById('table-of').hidden"))
        expect("with its sentence", b.js("[...document.querySelectorAll('#tables tbody tr')].every(e => e.querySelector('.words').textContent.length > 20)"))
        expect("and no buttons", b.js("document.getElementById('controls').offsetHeight === 0 && document.querySelector('.columns').offsetHeight === 0"
                                      " && document.getElementById('predict-on').offsetHeight === 0"))
        expect("titles are there", b.js("document.getElementById('title').offsetHeight > 0"))
        b.js("dispatchEvent(new Event('afterprint'))")
        pdf = base64.b64decode(b.call("Page.printToPDF", printBackground=False)["data"])
        expect("as a PDF", pdf[:4] == b"%PDF" and len(pdf) > 5000)
        with open(folder / (name + ".pdf"), "wb") as f:
            f.write(pdf)
        b.media("light")
        expect("on the screen it is closed again", not b.js("document.getElementById('table-of').open"))


def compare(b, folder):
    b.problems.clear()
    b.size(DESK)
    b.media("light", "reduce")
    b.open(folder / "compare.html")
    n = int(b.js("document.getElementById('slider').max")) + 1
    expect("as many steps as the longer has", n == 8)
    expect("two panels", b.js("document.querySelectorAll('#views .view').length") == 2 and text(b, "name") == "shared_strided" and text(b, "name-2") == "full_shuffle")
    expect("ids are different", b.js("(ids => ids.length === new Set(ids).size)([...document.querySelectorAll('[id]')].map(e => e.id))"))
    places = b.js("[...document.querySelectorAll('#views .view')].map(e => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.right]; })")
    expect("side by side", places[0][1] == places[1][1] and places[0][2] <= places[1][0] + 1)
    said = text(b, "differences")
    expect("what differs is said: " + said, "shared_strided has 15 bank conflicts (3 of them in step 1 of block 0, 2-way), full_shuffle none" in said
           and "full_shuffle has 480 shuffles, shared_strided none" in said)
    differs = b.js("[...document.querySelectorAll('#facts tr.differs th')].map(e => e.textContent)")
    expect("and in the table: %s" % differs, "bank conflicts" in differs and "launches" not in differs)
    b.key("ArrowRight")
    expect("one key moves both", "step 1" in text(b, "now") and "step 1" in text(b, "now-2") and text(b, "sentence") != text(b, "sentence-2"))
    expect("both are told", "shared_strided: Step 2 of 8" in text(b, "said") and "full_shuffle: Step 2 of 2" in text(b, "said"))
    b.key("ArrowRight")
    expect("the shorter has no such step", text(b, "sentence-2").startswith("This kernel has no such step") and "step 2" in text(b, "now"))
    b.key(".", "Period")
    expect("instructions of the one that has it", "shared[0, 4, ... 60]" in text(b, "sentence"))
    b.key("End")
    expect("both results", "Result 282" in text(b, "result") and "Result 282" in text(b, "result-2"))
    b.key("Home")
    b.key("p", "KeyP")
    expect("predicted for each", b.js("document.querySelectorAll('#predict-form input').length") == 4)
    b.key("Escape")
    b.media("light")
    b.js("document.getElementById('speed').value = '4'; document.getElementById('speed').dispatchEvent(new Event('change'))")
    b.click("play")
    expect("played to the end, together", b.until("document.body.dataset.playing === 'false' && +document.body.dataset.step === 7", 30))
    b.size(PHONE, 2)
    b.open(folder / "compare.html")
    places = b.js("[...document.querySelectorAll('#views .view')].map(e => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.bottom]; })")
    expect("one above the other on a phone", places[0][0] == places[1][0] and places[0][2] <= places[1][1] + 1)
    fits(b, "compare, phone")
    expect("no message in the console %s" % b.problems, not b.problems)


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
        for drive in (work, words, tree, faults, predict, prints, compare):
            try:
                drive(b, folder)
            except Exception as problem:
                expect("%s: driven to the end: %s" % (drive.__name__, problem), False)
    except Exception as problem:
        expect("driven to the end: %s" % problem, False)
    finally:
        b.close()
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    sys.exit(failed > 0)


main()

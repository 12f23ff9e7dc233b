# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/notebooks.py NOTEBOOK...: runs each in Jupyter's kernel for Octave and looks at what its
# cells show; tests/notebooks.sh calls it.  The notebooks with their outputs stay where they are.
"""Runs notebooks and looks at what they show."""
import sys

import nbclient
import nbformat

# What a notebook must show: text, and how many pictures and pages.
SHOWN = {
    "01-first-steps": (["all that is needed is there", "ans = 500500", "#################", "out of bounds in bug_off_by_one at bug_off_by_one.cu:23"], 1, 1),
    "02-the-ladder": (["#.#.#.#.", "shared_strided               256    4096", "Better: idle threads put to work"], 1, 0),
    "03-memory": (["ans = 1", "stride  4:  512 sectors, needed 128", "PLAIN_REDUCE (with_stride, float)"], 1, 0),
    "04-your-own-kernel": (["a __syncthreads () is missing between line", " 4097 elements:  24578, right", "two_each"], 0, 0),
    "05-on-a-gpu": (["sequential", "ans = 1"], 1, 0),
}


def outputs_of(name, notebook):
    """The faults of a notebook that was run: what it was to show and does not."""
    text, pictures, pages, wrong = "", 0, 0, []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                wrong.append("error: " + output.evalue)
            elif output.output_type == "stream":
                text += output.text
            else:
                pictures += "image/png" in output.data or "image/svg+xml" in output.data
                pages += "<iframe" in output.data.get("text/html", "")
                text += output.data.get("text/plain", "")
    wanted, most_pictures, most_pages = SHOWN[name]
    wrong += ["does not show " + part for part in wanted if part not in text]
    wrong += [line for line in text.splitlines() if line.startswith("error:")]
    if pictures != most_pictures:
        wrong.append("%d pictures, not %d" % (pictures, most_pictures))
    if pages != most_pages:
        wrong.append("%d pages, not %d" % (pages, most_pages))
    return wrong, text


def main():
    """All notebooks; says what failed, and the counts."""
    failed = 0
    for file in sys.argv[1:]:
        name = file.rsplit(".", 1)[0]
        notebook = nbformat.read(file, as_version=4)
        client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="octave", allow_errors=True)
        client.execute()
        nbformat.write(notebook, file)
        wrong, text = outputs_of(name, notebook)
        if wrong:
            failed += 1
            print("FAILED: %s: %s\n%s" % (file, "; ".join(wrong), text))
    print("%d passed, %d failed" % (len(sys.argv) - 1 - failed, failed))
    return failed > 0


sys.exit(main())

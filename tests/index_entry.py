# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/index_entry.py FILE VERSION: an entry for the index of Octave's packages has the
# keys, the order and the values that the index asks for.
import datetime
import re
import sys

import yaml

text = open(sys.argv[1]).read()
assert text.startswith("---\n") and text.endswith("\n---\n"), "the first and the last line must be ---"
entry = next(yaml.safe_load_all(text))

assert list(entry) == ["layout", "permalink", "description", "icon", "links", "maintainers", "versions"], list(entry)
assert entry["layout"] == "package"
assert entry["permalink"] == "gpureduce/"
assert len(entry["description"]) > 80
for link in entry["links"]:
    assert list(link) == ["icon", "label", "url"] and link["url"].startswith("https://"), link
for person in entry["maintainers"]:
    assert list(person) == ["name", "contact"] and person["name"], person

newest = entry["versions"][0]
assert list(newest) == ["id", "date", "sha256", "url", "depends"], newest
assert newest["id"] == sys.argv[2], newest["id"]
datetime.date.fromisoformat(newest["date"])
assert re.fullmatch("[0-9a-f]{64}", newest["sha256"]), newest["sha256"]
assert newest["url"].endswith("/gpureduce-" + sys.argv[2] + ".tar.gz"), newest["url"]
assert newest["depends"] == ["octave (>= 7.1.0)", "pkg"], newest["depends"]

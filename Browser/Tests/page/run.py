"""Runs the tests of the page in Chromium, prints a line for each, and exits with 1 after a failure.

    python3 run.py --browse daybook-browse --daybook daybook --fixture browse-fixture --axe axe.min.js

With --url and --token it tests a running server instead, which must have the data of the fixture.
--only WORD runs the tests whose names contain the word.
"""

import argparse
import sys
import time

from playwright.sync_api import sync_playwright

import access_tests, failure_tests, keyboard_tests, launch_tests, safety_tests, scale_tests  # noqa: E401,F401
import screenshot_tests, time_tests, view_tests, work_tests, write_tests  # noqa: E401,F401
from harness import CHROMIUM, Failure, Reader, expect, serve, tests

parser = argparse.ArgumentParser()
for name in ("browse", "daybook", "fixture", "screenshots", "url", "token", "only"):
    parser.add_argument(f"--{name}")
parser.add_argument("--axe", required=True, help="the file axe.min.js")
parser.add_argument("--chromium", default=CHROMIUM)
options = parser.parse_args()
if not options.url and not (options.browse and options.daybook and options.fixture):
    parser.error("give --browse, --daybook and --fixture, or --url and --token")


def run(chromium, site, function):
    reader = Reader(chromium, site)
    try:
        reader.open()
        function(reader, options)
        expect(reader.problems == [], f"the browser reports nothing: {reader.problems}")
    finally:
        reader.context.close()


failures = count = 0
with sync_playwright() as playwright, serve(options, "--hostile") as site:
    chromium = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
    for sentence, function in tests:
        if options.only and options.only not in sentence:
            continue
        count += 1
        start = time.monotonic()
        try:
            run(chromium, site, function)
            print(f"passed  {sentence} ({time.monotonic() - start:.1f} s)", flush=True)
        except Exception as error:  # A timeout of the browser is a failure like any other.
            failures += 1
            cause = error if isinstance(error, Failure) else f"{type(error).__name__}: {error}"
            print(f"FAILED  {sentence}\n        {cause}", flush=True)
    chromium.close()
if count == 0:
    sys.exit(f"No test has the word {options.only!r} in its name.")
print(f"{failures} of {count} failed" if failures else f"all {count} passed")
sys.exit(1 if failures else 0)

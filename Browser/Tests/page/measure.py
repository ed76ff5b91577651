"""Measures the page with a large store: the first view, steps of the slider, and the memory of the server.

    python3 measure.py --browse daybook-browse --fixture browse-fixture [--persons 1000000] [--commits 1000]

Use programs that were built with `-c release`. The times are those of the page: from the begin of the navigation, or
from the input of the slider, until the table of the moment is shown.
"""

import argparse
import random
import statistics
import subprocess

from playwright.sync_api import sync_playwright

from harness import CHROMIUM, Reader, serve

parser = argparse.ArgumentParser()
for name in ("browse", "daybook", "fixture", "url", "token"):
    parser.add_argument(f"--{name}")
parser.add_argument("--chromium", default=CHROMIUM)
parser.add_argument("--persons", type=int, default=1_000_000)
parser.add_argument("--commits", type=int, default=1_000)
options = parser.parse_args()

STEP = """sequence => new Promise(done => {
    const slider = document.querySelector("#slider"), main = document.querySelector("main");
    const start = performance.now();
    slider.value = sequence;
    slider.dispatchEvent(new Event("input"));
    const look = () => location.hash.includes(`at=${sequence}`) && !main.hasAttribute("aria-busy")
        && main.querySelector("tbody tr") ? done(performance.now() - start) : requestAnimationFrame(look);
    requestAnimationFrame(look);
})"""

FIRST = """() => new Promise(done => {
    const look = () => document.querySelector("main tbody tr") ? done(performance.now()) : requestAnimationFrame(look);
    look();
})"""


def steps(reader, sequences):
    return [reader.page.evaluate(STEP, sequence) for sequence in sequences]


def line(name, milliseconds):
    ordered = sorted(milliseconds)
    print(f"{name}: median {statistics.median(ordered):.0f} ms, longest {ordered[-1]:.0f} ms, of {len(ordered)}", flush=True)


def memory(process_name):
    """The peak of the resident memory of the server, in MiB."""
    pid = subprocess.run(["pgrep", "-n", "-f", process_name], capture_output=True, text=True).stdout.split()[0]
    with open(f"/proc/{pid}/status") as status:
        return max(int(entry.split()[1]) for entry in status if entry.startswith("VmHWM")) // 1024


with sync_playwright() as playwright, serve(
        options, "--persons", str(options.persons), "--commits", str(options.commits)) as site:
    chromium = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
    reader = Reader(chromium, site)
    reader.page.set_default_timeout(120_000)
    reader.open("#/objects/Person")
    first = []
    for _ in range(7):
        reader.page.reload(wait_until="commit")
        first.append(reader.page.evaluate(FIRST))
    line("first view", first)
    newest = reader.newest()
    middle = newest // 2
    reader.go(f"#/objects/Person?at={middle}")
    line("slider to the next commit", steps(reader, range(middle + 1, middle + 41)))
    random.seed(1)
    line("slider to any commit", steps(reader, random.sample(range(4, newest), 40)))
    print(f"memory of the server: {memory(site.directory)} MiB at most")
    chromium.close()

"""The store, the server and the browser of a test."""

import contextlib
import json
import subprocess
import tempfile
import time
import urllib.parse

CHROMIUM = "/usr/bin/chromium-headless-shell"
PATIENCE_MILLISECONDS = 15_000

tests = []


def test(sentence):
    """Registers a function as a test whose name is a sentence."""
    def register(function):
        tests.append((sentence, function))
        return function
    return register


class Failure(Exception):
    """A test found something else than it expects."""


def expect(condition, sentence):
    if not condition:
        raise Failure(sentence)


class Site:
    """A running server, or the given address of one."""

    def __init__(self, address, token, directory=None, writer=None, daybook=None):
        self.address = address
        self.token = token
        self.directory = directory
        self.writer = writer
        self.daybook = daybook


@contextlib.contextmanager
def serve(options, *fixture_options, writes=False):
    """Creates a store with the fixture program, and serves it. With --url, it uses that server."""
    if options.url:
        yield Site(options.url, options.token)
        return
    keeps_writing = "--keep-writing" in fixture_options
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        directory, token_file = f"{folder}/Store", f"{folder}/token"
        fixture = [options.fixture, directory, *fixture_options]
        writer = None
        if keeps_writing:
            writer = subprocess.Popen(fixture, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
            stack.callback(end, writer)
        else:
            subprocess.run(fixture, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        command = [options.browse, directory, "--port", "0", "--token-file", token_file]
        # A store that its writer has yet to create needs some attempts.
        for _ in range(20 if keeps_writing else 1):
            server = subprocess.Popen(command + (["--allow-writes"] if writes else []), stdout=subprocess.PIPE, text=True)
            stack.callback(end, server)
            address = server.stdout.readline().strip()
            if address:
                break
            time.sleep(0.5)
        expect(address.startswith("http://127.0.0.1:"), f"the first line of the server is its address, not {address!r}")
        with open(token_file) as file:
            token = file.read().strip()
        yield Site(address, token, directory, writer, options.daybook)


def end(process):
    """Ends a process that this file started."""
    if process.stdin:
        process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5)
    if process.poll() is None:
        process.terminate()
        process.wait(20)


class Reader:
    """Somebody who reads the page: a browser tab that records everything that must not happen."""

    def __init__(self, chromium, site, width=1280, height=900, scheme="light"):
        self.site = site
        self.context = chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, accept_downloads=True)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE_MILLISECONDS)
        self.problems = []
        self.page.on("dialog", self.dismiss)
        self.page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        self.page.on("console", self.hear)
        self.page.on("requestfailed", self.miss)

    def dismiss(self, dialog):
        self.problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def hear(self, message):
        # The browser itself reports each status above 399, which some tests cause on purpose.
        if message.type in ("error", "warning") and "the server responded with a status of" not in message.text:
            self.problems.append(f"console: {message.text}")

    def miss(self, request):
        # The page aborts requests for a moment that the slider has left.
        if "/api/" not in request.url:
            self.problems.append(f"request failed: {request.url}")

    def open(self, route="", signs_in=True):
        self.page.goto(self.site.address + route)
        if signs_in:
            self.page.get_by_label("Enter the token that the command printed").fill(self.site.token)
            self.page.keyboard.press("Enter")
            self.page.wait_for_selector("#navigation:not([hidden])", state="attached")
        self.settle()
        return self

    def go(self, route):
        """Opens a view as a bookmark in the same tab does."""
        # The page listens to the same event, and was there first.
        self.page.evaluate("""route => new Promise(done => {
            if (location.hash === route) return done();
            addEventListener("hashchange", () => done(), { once: true });
            location.hash = route })""", route)
        self.settle()

    def wait(self, condition, argument=None):
        """Waits for a condition. The policy of the page forbids the same function of the browser's driver."""
        deadline = time.monotonic() + PATIENCE_MILLISECONDS / 1000
        while not self.page.evaluate(condition, argument):
            if time.monotonic() > deadline:
                raise Failure(f"the page never satisfies {condition}")
            self.page.wait_for_timeout(40)

    def settle(self):
        """Waits until the page shows the view of its address."""
        self.page.wait_for_timeout(60)
        self.wait("!document.querySelector('main').hasAttribute('aria-busy')")

    def heading(self):
        return self.page.locator("main h1").inner_text()

    def text(self, selector="main"):
        return self.page.locator(selector).first.inner_text()

    def ask(self, name, **parameters):
        """An answer of the server, with the session of the page."""
        address = f"/api/{name}?{urllib.parse.urlencode(parameters)}"
        return self.page.evaluate("address => fetch(address).then(answer => answer.json())", address)

    def work(self, name, **parameters):
        """The result of a long request."""
        address = f"/api/{name}?{urllib.parse.urlencode(parameters)}"
        lines = self.page.evaluate("address => fetch(address).then(answer => answer.text())", address)
        return json.loads(lines.strip().split("\n")[-1])["result"]

    def send(self, name, body):
        """A change by the server, with the session of the page."""
        return self.page.evaluate(
            """([name, body]) => fetch(`/api/${name}`, { method: "POST", body,
            headers: { "Content-Type": "application/json", "X-Daybook": "browse" } }).then(answer => answer.json())""",
            [name, json.dumps(body)])

    def updated_person(self):
        """The id of a person with at least two versions, who still exists."""
        page = {"next": self.newest() + 1}
        while "next" in page:
            page = self.ask("commits", entity="Person", kind="put", limit=50, before=page["next"])
            for line in page["commits"]:
                for change in self.ask("commit", sequence=line["sequence"])["objects"]:
                    if change["entity"] == "Person" and change["kind"] == "update":
                        if "code" not in self.ask("object", entity="Person", id=change["id"]):
                            return change["id"]
        raise Failure("the fixture has no updated person")

    def newest(self):
        return self.ask("store")["newest"]["sequence"]


def route(path, **parameters):
    """The address of a view."""
    return f"#/{path}?{urllib.parse.urlencode(parameters)}" if parameters else f"#/{path}"

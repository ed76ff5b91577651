"""Long requests: their progress, their rate, and their end when the reader leaves the view."""

import json
import time

from harness import expect, route, test

# Replaces the answer of the server by one that the test controls: it shows two lines and then waits for its end.
SLOW = """([name, lines]) => {
  const fetch = window.fetch;
  window.ended = 0;
  window.fetch = (address, options) => {
    if (!String(address).includes(`/api/${name}`)) return fetch(address, options);
    const text = lines.map(line => JSON.stringify(line) + "\\n").join("");
    const stream = new ReadableStream({ start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      options.signal.addEventListener("abort", () => { window.ended++; controller.error(options.signal.reason) });
    } });
    return Promise.resolve(new Response(stream, { status: 200 }));
  };
}"""

WORK = {"Verify the store": "verification", "Measure": "measurement"}


def begin(reader, label, name, progress):
    reader.page.evaluate(SLOW, [name, [{"progress": progress}]])
    reader.page.get_by_role("button", name=label, exact=True).click()
    return reader.page.locator(".work-line:not([hidden])")


@test("a long request shows its progress and its rate, and can be cancelled and begun again")
def progress(reader, options):
    for label, name in WORK.items():
        reader.go("#/entities")
        reader.page.reload()
        reader.page.wait_for_selector("main table")
        reader.go("#/store")
        line = begin(reader, label, name, {"fraction": 0.42, "done": 44 << 20, "seconds": 4})
        line.get_by_text("42%, 44 MiB, 11 MiB per second").wait_for()
        expect(line.locator("progress").get_attribute("value") == "0.42", "the bar has the same progress")
        line.get_by_role("button", name=f"Cancel: {label}").click()
        reader.page.get_by_text("Cancelled.").wait_for()
        expect(reader.page.evaluate("window.ended") == 1, "the request has ended")
        expect(reader.page.get_by_role("button", name=label, exact=True).is_enabled(), "it can begin again")


@test("a long request ends when the reader leaves the view")
def leaving(reader, options):
    reader.go("#/store")
    begin(reader, "Measure", "measurement", {"fraction": 0.1, "done": 1, "seconds": 1}).wait_for()
    reader.go("#/entities")
    reader.wait("window.ended === 1")
    reader.page.reload()
    reader.page.wait_for_selector("main table")
    reader.go(route("query", text="Person"))
    line = begin(reader, "Export CSV", "export", {"done": 5000, "seconds": 2})
    line.get_by_text("5,000 rows, 2,500 rows per second").wait_for()
    expect(line.locator("progress").get_attribute("value") is None, "nobody knows when an export ends")
    reader.go("#/entities")
    reader.wait("window.ended === 1")


@test("the problem of a long request is shown")
def problem(reader, options):
    reader.go("#/store")
    reader.page.evaluate(SLOW, ["measurement", [{"problem": {"code": "corruption", "message": "A segment is damaged."}}]])
    reader.page.get_by_role("button", name="Measure", exact=True).click()
    reader.page.locator(".work-result .error", has_text="A segment is damaged.").wait_for()
    reader.page.evaluate("() => { window.fetch = () => Promise.resolve(new Response('{\"progress\": {\"done\": 1, \"seconds\": 1}}\\n')) }")
    reader.page.get_by_role("button", name="Measure", exact=True).click()
    reader.page.locator(".work-result .error", has_text="The server does not answer").wait_for()


@test("a search continues until it has a page of commits, with its progress, and ends when the reader leaves")
def search(reader, options):
    page, requested = reader.page, []

    def answer(call):
        before = int(dict(part.split("=") for part in call.request.url.split("?")[1].split("&")).get("before", 1_000_001))
        requested.append(before)
        time.sleep(0.05)
        found = [] if before > 900_000 else [{"sequence": before - 1, "microseconds": 1, "author": "Rare", "metadata": [], "counts": []}]
        call.fulfill(status=200, content_type="application/json", body=json.dumps({"commits": found, "next": before - 20_000}))
    page.route("**/api/commits*", answer)
    reader.go(route("commits", author="Rare"))
    line = page.locator(".work-line:not([hidden])")
    line.wait_for()
    reader.wait("/[0-9,]+ commits, [0-9,]+ commits per second/.test(document.querySelector('.work-line').innerText)")
    reader.wait("document.querySelectorAll('.commits > li').length > 2")
    line.get_by_role("button", name="Cancel: Search for commits").click()
    reader.wait("document.querySelector('.work-line').hidden")
    page.wait_for_timeout(200)
    count = len(requested)
    page.wait_for_timeout(300)
    expect(len(requested) == count > 5, "a cancelled search asks for nothing more")
    expect("The search has reached commit" in reader.text(), "the view tells how far the search came")
    page.get_by_role("button", name="Show older commits").click()
    line.wait_for()
    reader.go("#/entities")
    page.wait_for_timeout(200)
    count = len(requested)
    page.wait_for_timeout(300)
    expect(len(requested) == count, "a search ends with its view")


@test("more new commits than a page has end a search, and the list begins with them")
def overtaken(reader, options):
    page, requested, newest = reader.page, [], [1_000_000]

    def fulfill(call, answer):
        call.fulfill(status=200, content_type="application/json", body=json.dumps(answer))

    def commits(call):
        before = int(dict(part.split("=") for part in call.request.url.split("?")[1].split("&")).get("before", newest[0] + 1))
        requested.append(before)
        time.sleep(0.05)
        count = 10 if before > newest[0] else 1
        found = [{"sequence": before - 1 - number, "microseconds": 1, "author": "Rare", "metadata": [], "counts": []} for number in range(count)]
        fulfill(call, {"commits": found, "next": before - 20_000})

    page.route("**/api/commits*", commits)
    page.route("**/api/state*", lambda call: fulfill(call, {"sequence": newest[0], "microseconds": 2}))
    page.reload()
    page.wait_for_selector("main h1")
    reader.go(route("commits", author="Rare"))
    page.locator(".work-line:not([hidden])").wait_for()
    newest[0] = 2_000_000
    reader.wait("document.querySelector('.commits > li')?.dataset.sequence === '2000000'")
    reader.wait("document.querySelector('.work-line').hidden")
    page.wait_for_timeout(300)
    sequences = [int(each) for each in page.locator(".commits > li").evaluate_all("nodes => nodes.map(node => node.dataset.sequence)")]
    expect(sequences == list(range(2_000_000, 1_999_990, -1)), f"the list has the new commits only, not {sequences}")
    page.get_by_role("button", name="Show older commits").click()
    reader.wait("document.querySelectorAll('.commits > li').length > 12")
    expect(1_980_001 in requested, "the list continues after its last commit")

"""Failures of the server, which these tests answer in its place."""

import json

from harness import expect, route, test

PROBLEMS = {
    "historyTruncated": (410, "The store no longer has this moment"),
    "corruption": (500, "The store is damaged"),
    "closed": (409, "The store is closed"),
    "storeMissing": (404, "The store is missing"),
    "somethingElse": (500, "The page cannot show this"),
}


def answer(page, request, status, body):
    page.route(f"**/api/{request}*", lambda call: call.fulfill(
        status=status, content_type="application/json", body=json.dumps(body)))


@test("each failure of the server is explained, with a way on")
def problems(reader, options):
    page = reader.page
    for code, (status, title) in PROBLEMS.items():
        answer(page, "objects", status, {"code": code, "message": f"Message of {code}."})
        reader.go(route("objects/Person", at=60))
        expect(reader.heading() == title, f"the heading for {code} is {reader.heading()!r}")
        expect(f"Message of {code}." in reader.text() and code in reader.text(), f"{code} has its message")
        expect(page.get_by_role("link", name="Return to now").first.is_visible(), f"{code} has a way to the newest state")
        page.unroute("**/api/objects*")
        page.get_by_role("button", name="Try again").click()
        page.wait_for_selector("table.rows")
        reader.go("#/entities")


@test("a server that ends is explained, and the page recovers when it answers again")
def unreachable(reader, options):
    page = reader.page
    # Each of these causes a report of the browser.
    before = list(reader.problems)
    page.route("**/api/**", lambda call: call.abort())
    reader.go(route("objects/Person"))
    expect(reader.heading() == "The server does not answer", f"the heading is {reader.heading()!r}")
    page.unroute("**/api/**")
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector("table.rows")
    reader.problems[:] = before


@test("an answer that is no JSON is explained")
def not_json(reader, options):
    reader.page.route("**/api/commits*", lambda call: call.fulfill(status=200, content_type="text/html", body="<p>hello"))
    reader.go("#/commits")
    expect("cannot read" in reader.text(), "the page says that it cannot read the answer")


@test("a store without commits shows a page without a slider position")
def empty(reader, options):
    store = {**reader.ask("store"), "entities": []}
    del store["newest"], store["oldest"]
    answer(reader.page, "store", 200, store)
    answer(reader.page, "schema", 200, [])
    answer(reader.page, "state", 200, None)
    reader.page.reload()
    reader.page.wait_for_selector("#navigation:not([hidden])", state="attached")
    reader.settle()
    expect("no commits" in reader.text(".moment") and reader.page.locator("#slider").is_disabled(), "the slider says that there are no commits")
    for place in ("entities", "query", "compare"):
        reader.go(f"#/{place}")
        expect(reader.page.locator("main [role=alert]:not(:empty)").count() == 0, f"{place} is not a failure")

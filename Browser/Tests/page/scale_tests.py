"""Large entities, whose pages these tests invent."""

import json
import time
import urllib.parse

from harness import expect, route, test

MILLION = 1_000_000


def invent(reader, entity_name, columns, count):
    """Answers requests for objects with invented ones, and returns the list of requested pages."""
    page, requested = reader.page, []
    schema = reader.ask("schema")
    entity = next(each for each in schema if each["name"] == entity_name)
    entity.update(properties=[{"name": name, "type": "int", "isOptional": False} for name in columns], count=count, relations=[])
    page.route("**/api/schema*", lambda call: call.fulfill(status=200, content_type="application/json", body=json.dumps(schema)))

    def objects(call):
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(call.request.url).query))
        after, limit = int(query.get("after", 0)), int(query["limit"])
        requested.append(after)
        # The page scrolls on while it waits.
        time.sleep(0.04)
        last = min(after + limit, count)
        answer = {"columns": columns, "count": count, "rows": [
            {"id": str(id), "values": [{"kind": "integer", "text": str(id)}] * len(columns)} for id in range(after + 1, last + 1)]}
        if last < count:
            answer["next"] = str(last)
        call.fulfill(status=200, content_type="application/json", body=json.dumps(answer))
    page.route("**/api/objects*", objects)
    return requested


@test("a million objects have few rows in the page, and the page forgets what is far away")
def million(reader, options):
    requested = invent(reader, "Team", ["title"], MILLION)
    reader.go(route("objects/Team"))
    expect("1,000,000 objects" in reader.text(), "the view counts a million")
    scroller = reader.page.locator(".rows-scroller")
    scroller.evaluate("""async node => { for (let frame = 0; frame < 200; frame++) {
        node.scrollTop = node.scrollHeight - node.clientHeight - frame % 2 * 40;
        await new Promise(requestAnimationFrame) } }""")
    last = max(requested)
    expect(len(requested) == len(set(requested)), "the page requests each part once")
    expect(last > 2000, f"scrolling loads pages, up to {last}")
    expect(reader.page.locator("tbody tr").count() < 200, "the page has few rows")
    ids = reader.page.locator("tbody td.id").all_inner_texts()
    expect([int(each) for each in ids] == list(range(int(ids[0]), int(ids[0]) + len(ids))), "the rows are in order, each once")
    requested.clear()
    scroller.evaluate("node => { node.scrollTop = 0 }")
    reader.wait("document.querySelector('tbody td.id')?.textContent === '1'")
    expect(0 in requested, "the first page was forgotten, and is loaded again")
    reader.page.get_by_label("Go to id").fill("987654")
    reader.page.keyboard.press("Enter")
    reader.wait("document.querySelector('tbody td.id')?.textContent === '987654'")


@test("an entity with five thousand properties is shown in parts")
def wide(reader, options):
    columns = [f"column{number}" for number in range(5000)]
    requested = invent(reader, "Team", columns, 300)
    reader.go(route("objects/Team"))
    page = reader.page
    expect(page.locator("table.rows th").count() < 50, "the table begins with some columns")
    page.locator(".chooser summary").click()
    page.get_by_label("Find a column").fill("column4321")
    page.get_by_label("column4321", exact=True).check()
    expect("column4321" in page.locator("table.rows th").all_inner_texts(), "each column can be found and shown")
    page.wait_for_timeout(1500)
    requested.clear()
    for _ in range(20):
        page.locator(".rows-scroller").evaluate("node => { node.scrollTop += 100 }")
        page.wait_for_timeout(20)
    expect(0 < len(requested) == len(set(requested)), "the page requests each part once")
    expect(page.evaluate("document.querySelectorAll('*').length") < 5000, "the page stays small")

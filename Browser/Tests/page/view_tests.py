"""Each view shows its content."""

import json
import os
import re
import subprocess

from harness import expect, route, test


@test("the objects of an entity are a table with links, and with the number that the store has")
def objects(reader, options):
    reader.go(route("objects/Person"))
    page = reader.page
    count = reader.ask("objects", entity="Person", limit=1)["count"]
    expect(f"{count:,} objects" in reader.text(), f"the view shows {count} objects")
    heads = page.locator("table.rows th").all_inner_texts()
    expect({"id", "name", "age", "boss"} <= set(heads), f"the table has the columns of a person, not {heads}")
    if reader.site.directory:
        answer = subprocess.run([options.daybook, "query", reader.site.directory, "Person", "--count"],
                                capture_output=True, text=True, check=True)
        expect(json.loads(answer.stdout)["count"] == count, "the command counts the same objects")
    page.locator("table.rows td.id a").first.click()
    reader.settle()
    expect(re.fullmatch(r"Person \d+", reader.heading()), "a click opens the object")


@test("scrolling loads all objects, and keeps few rows in the page")
def scrolling(reader, options):
    reader.go(route("objects/Person"))
    page = reader.page
    last = reader.ask("query", text="Person order by id desc limit 1", limit=1)["rows"]
    rows = []
    while True:
        page.locator(".rows-scroller").evaluate("node => { node.scrollTop += 1500 }")
        page.wait_for_timeout(150)
        now = page.locator("tbody tr[data-index]").count()
        expect(now < 300, f"the page has {now} rows")
        ids = page.locator("tbody td.id").all_inner_texts()
        if rows == ids:
            break
        rows = ids
    count = reader.ask("objects", entity="Person", limit=1)["count"]
    index = page.locator("tbody tr[data-index]").last.get_attribute("data-index")
    expect(int(index) == count - 1, f"the last row is row {count}, not {int(index) + 1}")
    expect(not last or rows[-1] == last[0]["id"], "the last row is the object with the largest id")


@test("the chosen columns stay chosen")
def columns(reader, options):
    reader.go(route("objects/Person"))
    page = reader.page
    page.locator(".chooser summary").click()
    page.locator(".chooser").get_by_label("age", exact=True).uncheck()
    expect("age" not in page.locator("table.rows th").all_inner_texts(), "the column disappears")
    page.reload()
    reader.settle()
    page.wait_for_selector("table.rows")
    expect("age" not in page.locator("table.rows th").all_inner_texts(), "the column is still hidden after a reload")


@test("a jump shows the objects from an id")
def jump(reader, options):
    reader.go(route("objects/Person"))
    reader.page.get_by_label("Go to id").fill("50")
    reader.page.keyboard.press("Enter")
    reader.settle()
    first = int(reader.page.locator("tbody td.id").first.inner_text())
    expect(50 <= first < 60, f"the first row is near 50, not {first}")


@test("the schema shows properties, relations, backlinks and its history")
def schema(reader, options):
    reader.go(route("schema/Person"))
    text = reader.text()
    for word in ("Properties", "email", "Relations", "boss", "teams", "Team", "Backlinks", "History of the schema"):
        expect(word in text, f"the schema names {word}")
    reader.go("#/entities")
    expect("Person" in reader.text("main table") and "Team" in reader.text("main table"), "the overview names the entities")


@test("the history of the schema is read when the reader opens it")
def schema_history(reader, options):
    requested = []
    reader.page.on("request", lambda request: requested.append(request.url))
    reader.go(route("schema/Person"))
    expect(not any("schema-history" in url for url in requested), "the view itself does not read the log")
    reader.page.locator("main summary").click()
    reader.page.wait_for_selector("main details table")
    expect("added the entity" in reader.text("main details"), "the history names the changes")
    reader.page.locator("main summary").click()
    reader.page.locator("main summary").click()
    expect(sum("schema-history" in url for url in requested) == 1, "the history is read once")


@test("an object shows its values, its links, and its history with differences")
def an_object(reader, options):
    person = reader.updated_person()
    reader.go(route(f"object/Person/{person}"))
    text = reader.text()
    for word in ("name", "email", "boss", "teams", "History", "updated"):
        expect(word in text, f"the object shows {word}")
    versions = reader.page.locator(".history > li")
    expect(versions.count() >= 2, "the history has versions")
    expect("Before" in versions.first.inner_text() and "After" in versions.first.inner_text(), "a version has differences")
    first = reader.page.locator(".history > li h3 a").first.inner_text()
    second = reader.page.locator(".history > li h3 a").nth(1).inner_text()
    number = lambda label: int(re.sub(r"\D", "", label))
    expect(number(first) > number(second), "the newest version is first")


@test("a photo is shown as an image")
def image(reader, options):
    rows = reader.ask("objects", entity="Person", limit=100)["rows"]
    person = next(row["id"] for row in rows if any("image" in value for value in row["values"]))
    reader.go(route(f"object/Person/{person}"))
    image = reader.page.locator("main img").first
    image.scroll_into_view_if_needed()
    reader.wait("document.querySelector('main img').complete")
    expect(image.evaluate("node => node.naturalWidth") > 0, "the browser decodes the image")


@test("a query shows its rows in order, and its plan")
def query(reader, options):
    reader.go("#/query")
    reader.page.get_by_role("combobox", name="Query").fill("Person where age > 30 order by name")
    reader.page.get_by_role("button", name="Run").click()
    reader.settle()
    names = reader.page.locator("tbody tr[data-index] td:nth-child(2)").all_inner_texts()
    expect(len(names) > 5 and names == sorted(names), "the rows are in the order of the names")
    expect(reader.page.locator(".plan li").count() >= 1, "the plan has steps")


@test("a click on a column orders by it")
def ordering(reader, options):
    reader.go(route("objects/Person"))
    reader.page.get_by_role("button", name="age", exact=True).click()
    reader.settle()
    box = reader.page.get_by_role("combobox", name="Query")
    expect(box.input_value() == "Person order by age", f"the query is {box.input_value()}")
    reader.page.get_by_role("button", name="age", exact=True).click()
    reader.settle()
    expect(box.input_value() == "Person order by age desc", "a second click reverses the order")


@test("groups have a chart, and exports are downloads")
def groups(reader, options):
    reader.go(route("query", text="Person group by age select age, count"))
    expect(reader.page.locator("svg.chart rect").count() > 2, "the chart has bars")
    for name in ("Export JSON lines", "Export CSV"):
        with reader.page.expect_download() as download:
            reader.page.get_by_role("button", name=name, exact=True).click()
        expect(os.path.getsize(download.value.path()) > 0, f"{name} has content")
        count = reader.text(".count-line").rstrip(".")
        reader.page.get_by_text(f"Exported {count}, ").last.wait_for()


@test("an error in a query is marked at its place")
def query_error(reader, options):
    text = "Person where agee > 3"
    reader.go(route("query", text=text))
    expect(reader.page.locator(".query-error [role=alert]").inner_text() != "", "the view shows the error")
    mark = reader.page.locator(".error-place mark")
    before = mark.evaluate("node => node.previousSibling.textContent")
    expect(text[len(before):].startswith("agee"), f"the mark is at agee, not after {before!r}")
    box = reader.page.get_by_role("combobox", name="Query")
    expect(box.get_attribute("aria-invalid") == "true" and box.input_value() == text, "the line keeps its text")


@test("commits have filters, and open to their changes")
def commits(reader, options):
    reader.go("#/commits")
    page = reader.page
    expect(page.locator(".commits > li").count() >= 20, "the list has commits")
    page.get_by_label("Author", exact=True).fill("Bob")
    page.get_by_role("button", name="Filter").click()
    reader.settle()
    authors = set(page.locator(".commits .author").all_inner_texts())
    expect(authors == {"Bob"}, f"the authors are {authors}")
    page.locator(".commits summary").first.click()
    page.wait_for_selector(".commits .object-change, .commits .link-changes")
    before = page.locator(".commits > li").count()
    page.get_by_role("button", name="Show older commits").click()
    reader.wait("count => document.querySelectorAll('.commits > li').length > count", before)
    page.locator(".commits h2 a").first.click()
    reader.settle()
    expect(reader.heading().startswith("Commit "), "a commit has its own view")


@test("a comparison counts the differences between two moments")
def compare(reader, options):
    reader.go(route("compare", entity="Person", **{"from": 100, "to": 140}))
    answer = reader.ask("compare", entity="Person", **{"from": 100, "to": 140})
    totals = re.findall(r"\d+", reader.text(".totals"))
    expect([int(each) for each in totals] == [answer["inserted"], answer["updated"], answer["removed"]], f"the totals are {totals}")
    expect(sum(map(int, totals)) > 0 and reader.page.locator(".object-change").count() > 0, "objects differ")


@test("the store shows its files, its consumers and their lag, and a verification finds it sound")
def store(reader, options):
    reader.go("#/store")
    for word in ("Segments", "Snapshots", "Quarantine", "Identity", "Retention"):
        expect(word in reader.text(), f"the view shows {word}")
    expect(reader.page.locator(".two-bars").count() >= 1, "each segment has bars")
    consumers = reader.page.get_by_role("table", name="Named consumers").locator("tbody tr").all_inner_texts()
    newest = reader.newest()
    expect([line.split("\t")[0] for line in consumers] == ["archive", "mailer"], f"the consumers are {consumers}")
    expect(consumers[0].split("\t")[3:] == ["0", "none", "none"], f"archive is at the newest commit: {consumers[0]}")
    expect(consumers[1].split("\t")[1::2][0] == "100" and consumers[1].split("\t")[3] == str(newest - 100), f"mailer has a lag: {consumers[1]}")
    reader.page.get_by_role("button", name="Verify the store").click()
    reader.page.wait_for_selector(".verification[data-state=sound]")


@test("a measurement draws the live, superseded and removed bytes of each segment and of the log")
def measurement(reader, options):
    reader.go("#/store")
    expect(reader.page.locator(".stack").count() == 0, "the view itself does not measure")
    reader.page.get_by_role("button", name="Measure", exact=True).click()
    reader.page.wait_for_selector(".stack.total")
    found = reader.work("measurement")
    total = sum(found["total"].values())
    for name in ("live", "superseded", "removed", "other"):
        share = found["total"][name] / total
        width = reader.page.locator(f".stack.total .{name}").evaluate(
            "node => node.getBoundingClientRect().width / node.parentElement.getBoundingClientRect().width")
        expect(share > 0 and abs(width - share) < 0.01, f"the part {name} has {width:.3f} of the bar, and {share:.3f} of the bytes")
    expect(reader.page.locator(".stack:not(.total)").count() == len(found["segments"]), "each segment has a bar")
    lines = reader.page.get_by_role("table", name="Bytes of the log by use").locator("tbody tr").all_inner_texts()
    expect([line.split("\t")[0].strip() for line in lines] == ["Live", "Superseded", "Removed", "Other"], f"the lines are {lines}")


@test("an unknown place or object is explained, and never a blank page")
def unknown(reader, options):
    for place in ("objects/Nothing", "object/Person/999999999", "commit/999999999", "nowhere", "objects/Person?at=999999999"):
        reader.go(f"#/{place}")
        expect(reader.page.locator("main [role=alert]").count() == 1, f"{place} has an explanation")
        expect(reader.page.get_by_role("button", name="Try again").is_visible(), f"{place} has a way on")

"""The slider, the past, new commits, and the Back button."""

from harness import Failure, Reader, expect, route, serve, test


def row_count(reader):
    return int(reader.text(".count-line").split()[0].replace(",", ""))


@test("the slider changes the table, and marks the page as past")
def slider(reader, options):
    reader.go(route("objects/Person"))
    page, now = reader.page, row_count(reader)
    page.locator("#slider").focus()
    page.keyboard.press("Home")
    reader.wait("location.hash.includes('at=')")
    reader.settle()
    page.locator("#slider").evaluate("node => { node.value = 60; node.dispatchEvent(new Event('input')) }")
    reader.wait("location.hash.includes('at=60')")
    reader.settle()
    expected = reader.ask("objects", entity="Person", limit=1, at=60)["count"]
    expect(row_count(reader) == expected != now, f"the table has the {expected} objects of commit 60")
    expect(page.locator("#past").is_visible() and "commit 60" in reader.text("#past"), "a banner names the moment")
    expect(page.evaluate("document.activeElement.id") == "slider", "the slider keeps the focus")
    page.get_by_role("button", name="Now").click()
    reader.settle()
    expect(page.locator("#past").is_hidden(), "Now shows the newest state")


@test("a fast drag shows the last moment, not one that it passed")
def drag(reader, options):
    reader.go(route("objects/Person"))
    for sequence in (*range(20, 200, 6), 77):
        reader.page.locator("#slider").evaluate(
            "(node, value) => { node.value = value; node.dispatchEvent(new Event('input')) }", sequence)
        if sequence % 24 == 8:
            reader.page.wait_for_timeout(140)
    reader.wait("location.hash.includes('at=77')")
    reader.settle()
    reader.page.wait_for_timeout(400)
    expect(row_count(reader) == reader.ask("objects", entity="Person", limit=1, at=77)["count"], "the table is of commit 77")


@test("the buttons step by one commit, and Play steps until Pause")
def steps(reader, options):
    reader.go(route("commits", at=50))
    page = reader.page
    page.get_by_role("button", name="Next commit").click()
    reader.wait("location.hash.includes('at=51')")
    page.get_by_role("button", name="Previous commit").click()
    reader.wait("location.hash.includes('at=50')")
    page.get_by_role("button", name="Play").click()
    reader.wait("location.hash.includes('at=52')")
    page.get_by_role("button", name="Pause").click()
    place = page.evaluate("location.hash")
    page.wait_for_timeout(1200)
    expect(page.evaluate("location.hash") == place, "Pause stops at the shown commit")


@test("a time shows the last commit at or before it")
def time(reader, options):
    reader.go(route("objects/Person"))
    microseconds = reader.ask("moment", sequence=30)["microseconds"]
    local = reader.page.evaluate(
        """value => { const date = new Date(value / 1000); date.setMinutes(date.getMinutes() - date.getTimezoneOffset());
        return date.toISOString().slice(0, 19) }""", microseconds)
    second = microseconds // 1_000_000 * 1_000_000 + 999_999
    expected = reader.ask("moment", microseconds=second)["sequence"]
    reader.page.get_by_label("Go to time").fill(local)
    reader.page.keyboard.press("Enter")
    reader.wait("value => location.hash.includes(`at=${value}`)", expected)


@test("the Back button returns to the previous view and moment")
def back(reader, options):
    reader.go(route("objects/Person", at=40))
    reader.go(route("objects/Team", at=40))
    reader.go(route("commits", at=90))
    reader.page.go_back()
    reader.settle()
    expect(reader.heading() == "Team" and "commit 40" in reader.text("#past"), "Back shows the teams of commit 40")
    reader.page.go_back()
    reader.settle()
    expect(reader.heading() == "Person", "Back shows the persons")
    reader.page.go_forward()
    reader.settle()
    expect(reader.heading() == "Team", "Forward shows the teams")


@test("a bookmark shows the same view and moment in a new tab")
def bookmark(reader, options):
    tab = Reader(reader.context.browser, reader.site)
    try:
        tab.open(route("objects/Person", at=40))
        expect(tab.heading() == "Person" and "commit 40" in tab.text("#past"), "the bookmark shows commit 40")
        expect(row_count(tab) == reader.ask("objects", entity="Person", limit=1, at=40)["count"], "the table is of commit 40")
        expect(tab.problems == [], f"nothing fails: {tab.problems}")
    finally:
        tab.context.close()


@test("each link keeps the moment")
def links(reader, options):
    reader.go(route("objects/Person", at=40))
    for area in ("main", "#navigation"):
        addresses = reader.page.locator(f"{area} a[href^='#']").evaluate_all("nodes => nodes.map(node => node.getAttribute('href'))")
        expect(len(addresses) > 5 and all("at=40" in each for each in addresses), f"the links of {area} have the moment")
    reader.page.locator("td.id a").first.click()
    reader.settle()
    expect("commit 40" in reader.text("#past"), "the object is of the same moment")


@test("a version in the history leads to the store at this version")
def version(reader, options):
    person = reader.updated_person()
    reader.go(route(f"object/Person/{person}"))
    link = reader.page.locator(".history > li:not(.remove)").nth(1).get_by_role("link", name="Show the store at this version")
    sequence = link.get_attribute("aria-label").split()[-1]
    link.click()
    reader.settle()
    expect(reader.page.locator("#slider").input_value() == sequence, "the slider moves to the version")
    expect(reader.ask("object", entity="Person", id=person, at=sequence)["sequence"] == int(sequence), "the version is of this commit")


@test("new commits appear on top of the list while the page follows them")
def live(reader, options):
    with serve(options, "--keep-writing") as site:
        tab = Reader(reader.context.browser, site)
        try:
            tab.open("#/commits")
            # The fixture makes its 400 commits first.
            while tab.newest() < 400:
                tab.page.wait_for_timeout(200)
            tab.page.reload()
            tab.page.wait_for_selector(".commits > li")
            first = int(tab.page.locator(".commits > li").first.get_attribute("data-sequence"))
            objects = tab.ask("objects", entity="Person", limit=1)["count"]
            if site.writer is None:
                write_person(tab)
            tab.wait("value => Number(document.querySelector('.commits > li').dataset.sequence) > value", first)
            sequences = [int(each) for each in tab.page.locator(".commits > li").evaluate_all("nodes => nodes.map(node => node.dataset.sequence)")]
            expect(sequences == sorted(set(sequences), reverse=True), "the list stays in order, and names each commit once")
            tab.go(route("objects/Person"))
            if site.writer is None:
                write_person(tab)
            tab.wait("value => parseInt(document.querySelector('.count-line').textContent.replaceAll(',', '')) > value", objects)
            slider = tab.page.locator("#slider")
            expect(slider.get_attribute("max") == slider.input_value(), "the slider follows")
            slider.evaluate("node => { node.value = 70; node.dispatchEvent(new Event('input')) }")
            if site.writer is None:
                write_person(tab)
            tab.wait("location.hash.includes('at=70')")
            tab.settle()
            tab.go("#/entities")
            tab.page.locator("main table a", has_text="Person").first.focus()
            before = tab.text("main table")
            if site.writer is None:
                write_person(tab)
            tab.wait("before => document.querySelector('main table').innerText !== before", before)
            expect(tab.page.evaluate("document.activeElement.textContent") == "Person", "the focus stays on the link")
            tab.go(route("objects/Person", at=40))
            before = row_count(tab)
            if site.writer is None:
                write_person(tab)
            tab.page.wait_for_timeout(900)
            expect(row_count(tab) == before, "the past does not change")
            expect(tab.problems == [], f"nothing fails: {tab.problems}")
        finally:
            tab.context.close()


def write_person(tab):
    properties = next(each for each in tab.ask("schema") if each["name"] == "Person")["properties"]
    values = [{"name": each["name"], "text": "[]" if each["type"].startswith("list") else "Someone"}
              for each in properties if not each["isOptional"]]
    if "sequence" not in tab.send("put", {"entity": "Person", "values": values}):
        raise Failure("the given server accepts no changes")

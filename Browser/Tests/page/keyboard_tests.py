"""The page without a mouse."""

from harness import expect, route, test


def press_until(reader, key, condition, limit=80):
    """Presses a key until the focused element satisfies a condition."""
    for _ in range(limit):
        reader.page.keyboard.press(key)
        if reader.page.evaluate(f"() => {{ const node = document.activeElement; return Boolean({condition}) }}"):
            return
    expect(False, f"{key} reaches an element where {condition}")


@test("Tab, arrows and Enter open an object and its history")
def open_object(reader, options):
    page = reader.page
    reader.go("#/entities")
    press_until(reader, "Tab", "node.closest('main') && node.textContent === 'Person'")
    page.keyboard.press("Enter")
    reader.settle()
    expect(reader.heading() == "Person", "Enter opens the objects")
    press_until(reader, "Tab", "node.closest('td.id')")
    for _ in range(40):
        page.keyboard.press("ArrowDown")
    row = page.evaluate("Number(document.activeElement.closest('tr').dataset.index)")
    expect(row == 40, f"forty steps down lead to row 41, not {row + 1}")
    page.keyboard.press("ArrowUp")
    expected = page.evaluate("document.activeElement.textContent")
    box = page.evaluate("""() => { const a = document.activeElement.getBoundingClientRect();
        const b = document.querySelector('.rows-scroller').getBoundingClientRect(); return a.top >= b.top && a.bottom <= b.bottom }""")
    expect(box, "the focused row is visible")
    page.keyboard.press("Enter")
    reader.settle()
    expect(reader.heading() == f"Person {expected}", "Enter opens the focused object")
    press_until(reader, "Tab", "node.closest('.history') && node.tagName === 'A'")
    page.keyboard.press("Enter")
    reader.settle()
    expect(reader.heading().startswith("Commit "), "Enter opens the commit of the version")


@test("the focus moves to the main heading after navigation, and the title names the view")
def focus(reader, options):
    for place, title in (("objects/Person", "Person"), ("commits", "Commits"), ("store", "Store")):
        reader.page.evaluate("place => { location.hash = `#/${place}` }", place)
        reader.wait("title => document.title.startsWith(title)", title)
        focused = reader.page.evaluate("[document.activeElement.tagName, document.activeElement.textContent]")
        expect(focused == ["H1", title], f"the focus is on the heading {title}, not on {focused}")


@test("the skip link leads to the content, and keeps the address")
def skip(reader, options):
    reader.page.goto(reader.site.address + route("objects/Person"))
    reader.page.reload()
    reader.page.wait_for_selector("table.rows")
    reader.page.keyboard.press("Tab")
    expect(reader.page.evaluate("document.activeElement.id") == "skip", "the skip link is the first stop")
    expect(reader.page.locator("#skip").bounding_box()["y"] >= 0, "the focused skip link is visible")
    reader.page.keyboard.press("Enter")
    expect(reader.page.evaluate("document.activeElement.tagName") == "H1", "the focus is on the heading")
    expect(reader.page.evaluate("location.hash").startswith("#/objects/Person"), "the address stays")


@test("completion works with the arrow keys, Enter and Escape")
def completion(reader, options):
    page = reader.page
    reader.go("#/query")
    box = page.get_by_role("combobox", name="Query")
    expect(box.evaluate("node => node === document.activeElement"), "the line has the focus")
    page.keyboard.type("Per")
    expect(box.get_attribute("aria-expanded") == "true", "the list opens")
    page.keyboard.press("ArrowDown")
    active = box.get_attribute("aria-activedescendant")
    expect(page.locator(f"#{active}").get_attribute("aria-selected") == "true", "the chosen option is marked")
    page.keyboard.press("Enter")
    expect(box.input_value() == "Person ", f"Enter takes the option, and the line is {box.input_value()!r}")
    page.keyboard.type("where boss.em")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    expect(box.input_value() == "Person where boss.email ", "a path completes names of its target")
    page.keyboard.type("== \"na")
    expect(box.get_attribute("aria-expanded") == "false", "a string has no completion")
    box.fill("Person ")
    page.keyboard.type("o")
    page.keyboard.press("Escape")
    expect(box.get_attribute("aria-expanded") == "false", "Escape closes the list")
    box.fill("Person limit 3")
    page.keyboard.press("Enter")
    page.wait_for_selector("table.rows")
    expect(page.locator("tbody tr[data-index]").count() == 3, "Enter without a choice runs the query")


@test("each stop of the Tab key has a visible focus")
def visible_focus(reader, options):
    reader.go(route("objects/Person"))
    for _ in range(40):
        reader.page.keyboard.press("Tab")
        shown = reader.page.evaluate("""() => { const node = document.activeElement; const style = getComputedStyle(node);
            return node === document.body || style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1 || node.id === "skip" }""")
        expect(shown, "the focus is visible on " + reader.page.evaluate("document.activeElement.outerHTML.slice(0, 100)"))

"""Accessibility of all views: the rules of axe-core and more, in both colour schemes, on a screen and on a phone."""

from checks import AXE, DRAWINGS, OVERFLOW, STRUCTURE, complaints, expect_none, load_axe
from harness import Reader, expect, route, serve, test

WINDOWS = [(scheme, size) for scheme in ("light", "dark") for size in ((1280, 900), (380, 740))]


def places(reader):
    person = reader.updated_person()
    return [
        "#/entities", route("schema/Person"), route("objects/Person"), route("objects/Person", at=60), route(f"object/Person/{person}"),
        "#/query", route("query", text="Person where age > 30 order by name"), route("query", text="Person group by age select age, count"),
        route("query", text="Person where agee > 3"), "#/commits", route("commits", author="Nobody"), "#/commit/60",
        route("compare", entity="Person", **{"from": 100, "to": 110}), "#/store", "#/objects/Nothing", route("objects/Hostile"),
        route("object/Hostile/1"),
    ] + ([route(f"edit/Person/{person}"), route("new/Person")] if reader.ask("store")["allowsWrites"] else [])


def with_tab(reader, action, site=None, signs_in=True, **options):
    tab = Reader(reader.context.browser, site or reader.site, **options)
    try:
        tab.open(signs_in=signs_in)
        action(tab)
        expect(tab.problems == [], f"nothing fails: {tab.problems}")
    finally:
        tab.context.close()


def in_windows(reader, options, action, **others):
    """Calls an action, which returns complaints, in windows of both colour schemes and sizes."""
    found = []
    for scheme, (width, height) in WINDOWS:
        def check(tab):
            load_axe(tab, options)
            found.extend(f"{scheme} {width}: {sentence}" for sentence in action(tab))
        with_tab(reader, check, scheme=scheme, width=width, height=height, **others)
    expect_none(found)


@test("axe-core finds nothing in any view, in light and dark colours, on a screen and on a phone")
def views(reader, options):
    def check(tab):
        found = []
        for place in places(tab):
            tab.go(place)
            found += complaints(tab, place, AXE, STRUCTURE, DRAWINGS)
        return found
    in_windows(reader, options, check)


@test("axe-core finds nothing in what opens: lists, details, the navigation, progress and results")
def opened(reader, options):
    def check(tab):
        page, found = tab.page, []
        tab.go(route("objects/Person"))
        page.locator(".chooser summary").click()
        found += complaints(tab, "chooser", AXE, STRUCTURE)
        tab.go("#/query")
        page.get_by_role("combobox", name="Query").fill("Per")
        page.keyboard.press("ArrowDown")
        found += complaints(tab, "suggestions", AXE, STRUCTURE)
        tab.go(route("schema/Person"))
        page.locator("main summary").click()
        page.wait_for_selector("main details table")
        found += complaints(tab, "schema history", AXE, STRUCTURE)
        tab.go("#/commits")
        page.locator(".commits summary").first.click()
        page.wait_for_selector(".commits .object-change, .commits .link-changes")
        found += complaints(tab, "changes of a commit", AXE, STRUCTURE)
        tab.go("#/store")
        for name in ("Verify the store", "Measure"):
            page.get_by_role("button", name=name, exact=True).click()
        page.wait_for_selector(".verification[data-state=sound]")
        page.wait_for_selector(".stack.total")
        found += complaints(tab, "results", AXE, STRUCTURE)
        hold(page)
        page.get_by_role("button", name="Measure", exact=True).click()
        page.wait_for_selector(".work-line:not([hidden])")
        found += complaints(tab, "progress", AXE, STRUCTURE)
        tab.go("#/entities")
        if page.locator("#menu").is_visible():
            page.locator("#menu").click()
            found += complaints(tab, "menu", AXE, STRUCTURE)
        return found
    in_windows(reader, options, check)


def hold(page):
    """Makes the next measurement last as long as the view."""
    page.evaluate("""() => { const fetch = window.fetch;
        window.fetch = (address, options) => String(address).includes("/api/measurement") ? new Promise((_, reject) =>
            options.signal.addEventListener("abort", () => reject(options.signal.reason))) : fetch(address, options) }""")


@test("axe-core finds nothing in the forms and confirmations of changes, and in the sign-in")
def forms(reader, options):
    def check(tab):
        page, found, person = tab.page, [], tab.updated_person()
        for place in (route(f"edit/Person/{person}"), route("new/Person")):
            tab.go(place)
            found += complaints(tab, place, AXE, STRUCTURE)
        for place, name in ((route(f"object/Person/{person}"), "Put this version back"), (route(f"object/Person/{person}"), "Remove"),
                            ("#/commit/60", "Undo")):
            tab.go(place)
            page.get_by_role("button", name=name).first.click()
            page.wait_for_selector(".confirmation")
            found += complaints(tab, f"{place} {name}", AXE, STRUCTURE)
        return found
    with serve(options, writes=True) as site:
        in_windows(reader, options, check, site=site)
    in_windows(reader, options, lambda tab: complaints(tab, "sign-in", AXE, STRUCTURE), signs_in=False)


@test("axe-core finds what is wrong in a page")
def finds(reader, options):
    load_axe(reader, options)
    reader.page.evaluate("document.querySelector('main').append(Object.assign(document.createElement('button')))")
    found = complaints(reader, "a button without a name", AXE)
    expect(any("button-name" in sentence for sentence in found), f"axe-core finds a button without a name, not {found}")


@test("a screen of any width shows each view without a horizontal scroll of the page")
def widths(reader, options):
    found = []
    for width, height in ((360, 740), (2200, 1200)):
        def check(tab):
            for place in places(tab):
                tab.go(place)
                found.extend(complaints(tab, f"{width}: {place}", OVERFLOW))
        with_tab(reader, check, width=width, height=height)
    expect_none(found)


@test("the navigation of a phone opens and closes with a button")
def menu(reader, options):
    def check(tab):
        link = tab.page.get_by_role("link", name="Commits", exact=True)
        expect(not link.is_visible(), "the navigation is closed")
        tab.page.get_by_role("button", name="Menu").click()
        link.click()
        tab.settle()
        expect(tab.heading() == "Commits" and not link.is_visible(), "a link closes the navigation")
    with_tab(reader, check, width=380, height=740)

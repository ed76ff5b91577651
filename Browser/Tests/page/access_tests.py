"""Names, headings, contrast, and narrow screens, in all views."""

from checks import CONTRAST, NAMES, OVERFLOW, complaints
from harness import Reader, expect, route, test


def places(reader):
    person = reader.updated_person()
    return [
        "#/entities", route("schema/Person"), route("objects/Person"), route("objects/Person", at=60), route(f"object/Person/{person}"),
        route("query", text="Person where age > 30 order by name"), route("query", text="Person group by age select age, count"),
        route("query", text="Person where agee > 3"), "#/commits", "#/commit/60",
        route("compare", entity="Person", **{"from": 100, "to": 110}), "#/store", "#/objects/Nothing", route("objects/Hostile"),
    ] + ([route(f"edit/Person/{person}"), route("new/Person")] if reader.ask("store")["allowsWrites"] else [])


def check_all(reader, *checks):
    found = []
    for place in places(reader):
        reader.go(place)
        for check in checks:
            found += complaints(reader, check, place)
    expect(found == [], "\n".join(found[:20]))


@test("each control has a label, each button a name, and the headings are in order")
def names(reader, options):
    check_all(reader, NAMES)


@test("the contrast of each text is at least 4.5 in light colours")
def light(reader, options):
    check_all(reader, CONTRAST)


@test("the contrast of each text is at least 4.5 in dark colours")
def dark(reader, options):
    with_tab(reader, lambda tab: check_all(tab, CONTRAST), scheme="dark")


@test("a phone shows each view without a horizontal scroll of the page")
def phone(reader, options):
    for width in (360, 380):
        with_tab(reader, lambda tab: check_all(tab, OVERFLOW, NAMES), width=width, height=740)


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


@test("a wide screen has no horizontal scroll")
def wide(reader, options):
    with_tab(reader, lambda tab: check_all(tab, OVERFLOW), width=2200, height=1200)


def with_tab(reader, action, **options):
    tab = Reader(reader.context.browser, reader.site, **options)
    try:
        tab.open()
        action(tab)
        expect(tab.problems == [], f"nothing fails: {tab.problems}")
    finally:
        tab.context.close()

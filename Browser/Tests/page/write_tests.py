"""Changes to the store, and a page that must not change it."""

import subprocess

from harness import Reader, expect, route, serve, test


def with_writes(reader, options, action):
    with serve(options, writes=True) as site:
        tab = Reader(reader.context.browser, site)
        try:
            tab.open()
            action(tab)
            expect(tab.problems == [], f"nothing fails: {tab.problems}")
        finally:
            tab.context.close()
        if site.directory:
            subprocess.run([options.daybook, "verify", site.directory], check=True, stdout=subprocess.DEVNULL)


@test("an edit, a removal, an old version and an undo are commits with an author")
def changes(reader, options):
    def check(tab):
        page, person = tab.page, tab.updated_person()
        place = route(f"object/Person/{person}")
        tab.go(place)
        page.get_by_role("link", name=f"Edit Person {person}").click()
        tab.settle()
        page.get_by_label("name (").fill("Zoë \"Z\" <b>")
        page.get_by_label("age is null").check()
        page.get_by_label("Author of the commit").fill("Carol")
        page.get_by_role("button", name="Store the changes").click()
        tab.wait("document.querySelector('h1').textContent.startsWith('Person ')")
        tab.settle()
        shown = {each["name"]: each["value"] for each in tab.ask("object", entity="Person", id=person)["properties"]}
        expect(shown["name"]["text"] == "Zoë \"Z\" <b>" and shown["age"]["kind"] == "null", "the store has the new values")
        expect("Carol" in tab.text(".history > li"), "the commit has the author")

        page.locator(".history > li").nth(1).get_by_role("button", name="Put this version back").click()
        page.locator(".confirmation").get_by_role("button", name="Put this version back").click()
        tab.wait("!document.querySelector('.properties').textContent.includes('Zoë')")

        page.get_by_role("button", name=f"Remove Person {person}").click()
        page.keyboard.press("Escape")
        expect(page.locator(".confirmation").count() == 0, "Escape cancels")
        page.get_by_role("button", name=f"Remove Person {person}").click()
        page.locator(".confirmation").get_by_role("button", name=f"Remove Person {person}").click()
        tab.wait("document.querySelector('h1').textContent === 'Person'")
        tab.settle()
        expect("code" in tab.ask("object", entity="Person", id=person), "the object is removed")
        tab.go(place)
        expect("removed" in tab.text(".history > li"), "its history remains")

        tab.go(route(f"commit/{tab.newest()}"))
        page.get_by_role("button", name="Undo this commit").click()
        page.locator(".confirmation").get_by_role("button", name="Undo this commit").click()
        page.wait_for_selector(".object-change .kind.insert")
        expect("code" not in tab.ask("object", entity="Person", id=person), "the undo brings the object back")
    with_writes(reader, options, check)


@test("a new object is stored, and an invalid value is explained")
def new(reader, options):
    def check(tab):
        tab.go(route("objects/Team"))
        tab.page.get_by_role("link", name="New Team").click()
        tab.settle()
        tab.page.get_by_label("title (").fill("Painters")
        for box in tab.page.get_by_label("labels (").all():
            box.fill("{}")
        tab.page.get_by_role("button", name="Store a new Team").click()
        tab.wait("/^Team \\d+$/.test(document.querySelector('h1').textContent)")
        expect("Painters" in tab.text(".properties"), "the new object has the title")
        tab.go(route(f"edit/Person/{tab.updated_person()}"))
        tab.page.get_by_label("age (").fill("many")
        tab.page.get_by_role("button", name="Store the changes").click()
        tab.page.wait_for_selector(".edit [role=alert]:not(:empty)")
        expect(tab.page.get_by_label("age (").input_value() == "many", "the form keeps the text")
    with_writes(reader, options, check)


@test("a page of the past, or without the right to write, has no control that changes the store")
def read_only(reader, options):
    person = reader.updated_person()
    at = "" if not reader.ask("store")["allowsWrites"] else f"?at={reader.newest()}"
    for place in (f"objects/Person{at}", f"object/Person/{person}{at}"):
        reader.go(f"#/{place}")
        for name in ("New Person", "Edit Person", "Remove Person"):
            for role in ("link", "button"):
                expect(reader.page.get_by_role(role, name=name).count() == 0, f"{place} has no {name}")

"""Pictures of six views, which are compared with those of the documents."""

import os
import tempfile

from harness import Reader, expect, route, test
from pictures import SHARE_MAX, compare, has_font, picture

PICTURES = os.path.join(os.path.dirname(__file__), "../../Pictures")
SIZES = {"screen": (1280, 900), "phone": (380, 800)}
WHOLE = ("object", "query", "store")


def places(reader):
    return {
        "objects": route("objects/Person", at=200), "object": route(f"object/Person/{reader.updated_person()}"),
        "query": route("query", text="Person where age > 30 order by name limit 10"), "commits": "#/commits",
        "compare": route("compare", entity="Person", **{"from": 100, "to": 110}), "store": "#/store",
    }


def draw(tab, name, place):
    tab.go(place)
    if name == "store":
        tab.page.get_by_role("button", name="Measure", exact=True).click()
        tab.page.wait_for_selector(".stack.total")
        tab.wait("!document.querySelector('.status').textContent")
    return picture(tab.page, is_whole=name in WHOLE)


def with_window(reader, scheme, size, action):
    tab = Reader(reader.context.browser, reader.site, *SIZES[size], scheme)
    try:
        tab.open()
        return action(tab)
    finally:
        tab.context.close()


@test("six views look like the pictures of the documents")
def pictures(reader, options):
    if not has_font(reader.page):
        print("        The pictures are not compared: the font DejaVu Sans is missing.")
        return
    version = reader.context.browser.version.split(".")[0]
    if options.screenshots is None and version != made_by():
        print(f"        The pictures are not compared: Chromium {made_by()} drew them, and this is {version}.")
        return
    folder = options.screenshots or tempfile.mkdtemp(prefix="daybook-pictures-")
    os.makedirs(folder, exist_ok=True)
    write(f"{folder}/chromium", f"{version}\n".encode())
    found = []

    def check(tab):
        for name, place in places(tab).items():
            drawn = draw(tab, name, place)
            write(f"{folder}/{name}.png", drawn)
            with open(f"{PICTURES}/{name}.png", "rb") as file:
                share, difference = compare(reader.context.browser, file.read(), drawn)
            if share > SHARE_MAX:
                write(f"{folder}/{name}-difference.png", difference)
                found.append(f"{name}: {share:.2%} differs, and {SHARE_MAX:.2%} may; see {folder}/{name}-difference.png")
    with_window(reader, "light", "screen", check)
    expect(found == [], "\n        ".join(found + ["If the change is wanted, copy the new pictures to Browser/Pictures."]))


@test("six views can be drawn in dark colours and on a phone")
def others(reader, options):
    def check(tab, window):
        for name, place in places(tab).items():
            drawn = draw(tab, name, place)
            expect(len(drawn) > 5000, f"{name} has content")
            if options.screenshots:
                os.makedirs(options.screenshots, exist_ok=True)
                write(f"{options.screenshots}/{name}-{'-'.join(window)}.png", drawn)
    for window in (("dark", "screen"), ("light", "phone"), ("dark", "phone")):
        with_window(reader, *window, lambda tab: check(tab, window))


@test("a comparison of pictures finds what is missing, moved or coloured, and not the edges of letters")
def comparison(reader, options):
    changes = {
        "a section is missing": ("document.querySelector('main .plan').remove()", True),
        "a section has moved": ("document.querySelector('main .plan').style.marginLeft = '40px'", True),
        "everything has moved down by a line": ("document.querySelector('main').style.paddingTop = '24px'", True),
        "a column is missing": ("document.querySelectorAll('tr > :nth-child(3)').forEach(node => { node.textContent = '' })", True),
        "a part has another colour": ("document.querySelector('.navigation').style.background = '#c0c8ff'", True),
        "the edges of letters differ": ("document.body.style.textShadow = '0.3px 0 0.4px currentColor'", False),
        "letters are a little bolder": ("document.body.style.webkitTextStroke = '0.2px'", False),
    }

    def check(tab):
        place = places(tab)["query"]
        original = draw(tab, "query", place)
        for name, (change, is_found) in changes.items():
            tab.page.reload()
            tab.settle()
            tab.page.wait_for_selector("main .plan")
            tab.page.evaluate(f"() => {{ {change} }}")
            share, _ = compare(reader.context.browser, original, picture(tab.page, is_whole=True))
            expect((share > SHARE_MAX) == is_found, f"{name}: {share:.2%} differs")
    with_window(reader, "light", "screen", check)


def made_by():
    """The major version of Chromium that drew the pictures of the documents; others draw letters differently."""
    with open(f"{PICTURES}/chromium") as file:
        return file.read().strip()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)

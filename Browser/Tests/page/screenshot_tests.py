"""Pictures of six views, for people to look at."""

import os
import tempfile

from harness import Reader, expect, route, test


@test("six views are pictures in light and dark colours, on a screen and on a phone")
def pictures(reader, options):
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.screenshots or temporary
        os.makedirs(folder, exist_ok=True)
        draw(reader, folder)


def draw(reader, folder):
    """Writes a picture of each view to a folder."""
    person = reader.updated_person()
    places = {
        "objects": route("objects/Person", at=200), "object": route(f"object/Person/{person}"),
        "query": route("query", text="Person where age > 30 order by name limit 10"), "commits": "#/commits",
        "compare": route("compare", entity="Person", **{"from": 100, "to": 110}), "store": "#/store",
    }
    for scheme in ("light", "dark"):
        for size, (width, height) in {"screen": (1280, 900), "phone": (380, 800)}.items():
            tab = Reader(reader.context.browser, reader.site, width, height, scheme)
            try:
                tab.open()
                for name, place in places.items():
                    tab.go(place)
                    file = f"{folder}/{name}-{size}-{scheme}.png"
                    tab.page.screenshot(path=file, full_page=name in ("object", "query"))
                    expect(os.path.getsize(file) > 5000, f"{file} has content")
            finally:
                tab.context.close()

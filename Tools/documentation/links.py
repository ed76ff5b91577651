"""Checks the links of a documentation site that `docc` made.

    links.py SITE CATALOG

A page is a JSON file in SITE/data; the links between pages are its references. Prints the page and
the link of each link that leads to no page, to no section of its page, or to no file. Also prints
the pages that no other page leads to, and the articles of CATALOG that have no page, because a type
of the same name has their address. Does not check links to other sites.
"""

import json
import pathlib
import sys
import urllib.parse

START = "/documentation/daybook"


class Site:
    def __init__(self, folder):
        self.folder = folder
        self.pages = {}
        for path in (folder / "data").rglob("*.json"):
            page = json.loads(path.read_text(encoding="utf-8"))
            url = "/" + path.relative_to(folder / "data").with_suffix("").as_posix()
            self.pages[url] = page
        self.anchors = {url: set(anchors(page)) for url, page in self.pages.items()}

    def problem(self, page, url):
        """Returns the reason why a link of a page is dead, or nothing."""
        parts = urllib.parse.urlsplit(url)
        if parts.scheme in ("http", "https", "mailto"):
            return None
        if parts.scheme or parts.netloc:
            return "is neither a page nor a web address"
        target = urllib.parse.unquote(parts.path).lower().rstrip("/") or page
        if not target.startswith("/"):
            return "is a relative path, which a site does not have"
        if target not in self.pages:
            return "leads to no page"
        if not (self.folder / target[1:] / "index.html").exists():
            return "leads to a page without HTML"
        if parts.fragment and urllib.parse.unquote(parts.fragment) not in self.anchors[target]:
            return "leads to no section of its page"
        return None


def nodes(value):
    """Yields every object of a page."""
    if isinstance(value, dict):
        yield value
        value = value.values()
    if isinstance(value, (list, type({}.values()))):
        for one in value:
            yield from nodes(one)


def anchors(page):
    """Yields the sections that a link may lead to."""
    for node in nodes({key: page[key] for key in page if key != "references"}):
        if "anchor" in node:
            yield node["anchor"]
    # Sections that the renderer adds.
    for section in page.get("topicSections", []):
        yield section.get("anchor", (section.get("title") or "").replace(" ", "-"))
    yield from ("overview", "topics", "Overview", "Topics")


def files(reference):
    """Yields the files that an image, a video or a download needs."""
    for variant in reference.get("variants", []):
        yield variant["url"]
    if reference["type"] == "download":
        yield reference["url"]


def links(page):
    """Yields each link of a page: its identifier, and its URL, or nothing if it has no target."""
    references = page.get("references", {})
    for node in nodes({key: page[key] for key in page if key != "references"}):
        # A list of conformances also names protocols of other modules, without links.
        identifiers = [] if node.get("kind") == "relationships" else node.get("identifiers", [])
        if node.get("type") == "reference":
            identifiers = [node["identifier"]]
        for identifier in identifiers:
            if references.get(identifier, {"type": "unresolvable"})["type"] == "unresolvable":
                yield identifier, None
    for identifier, reference in references.items():
        if reference["type"] in ("topic", "link", "section"):
            yield identifier, reference["url"]


def dead(site):
    for name, page in sorted(site.pages.items()):
        for identifier, url in links(page):
            if url is None:
                yield f"{name}: the link {identifier} has no target"
            elif reason := site.problem(name, url):
                yield f"{name}: the link {url} {reason}"
        for reference in page.get("references", {}).values():
            for file in files(reference):
                if file.startswith("/") and not (site.folder / file[1:]).exists():
                    yield f"{name}: the file {file} does not exist"


def unreachable(site):
    """Yields the pages to which no sequence of links leads from the first one."""
    reached, pending = {START}, [START]
    while pending:
        for _, url in links(site.pages[pending.pop()]):
            target = urllib.parse.unquote(urllib.parse.urlsplit(url or "").path).lower()
            if target in site.pages and target not in reached:
                reached.add(target)
                pending.append(target)
    yield from (f"{name}: no page leads to it" for name in sorted(site.pages.keys() - reached))


def replaced(site, catalog):
    """Yields the articles whose page is that of a symbol, for which `docc` prints no warning."""
    for path in sorted(catalog.rglob("*.md")):
        if path.read_text(encoding="utf-8").startswith("# ``"):
            continue
        name = f"{START}/{path.stem.lower()}"
        if name not in site.pages:
            yield f"{path}: the article has no page"
        elif site.pages[name]["kind"] != "article":
            yield f"{path}: a symbol has the page {name}; rename the article"


def main(folder, catalog):
    site = Site(folder)
    if START not in site.pages:
        sys.exit(f"{folder} has no page {START}.")
    problems = [*replaced(site, catalog), *dead(site), *unreachable(site)]
    for problem in problems:
        print(problem)
    count = sum(1 for page in site.pages.values() for _ in links(page))
    if problems:
        sys.exit(f"{len(problems)} problems in {len(site.pages)} pages with {count} links.")
    print(f"{len(site.pages)} pages, {count} links between them, none dead")


main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))

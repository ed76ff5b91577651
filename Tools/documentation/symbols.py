"""Moves the types that Daybook exports again into its symbol graph.

    symbols.py FOLDER SOURCE

Modules below Daybook declare types such as `DaybookError`, and Daybook exports them again one by
one, in the file SOURCE. A symbol graph has only the declarations of its own module, so readers
would not find these types. FOLDER has the symbol graphs of the products. Its folder `lower` has
those of the modules below Daybook, and once more that of Daybook with the members of its extensions
as members of the types.
"""

import json
import pathlib
import re
import sys


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def write(path, graph):
    path.write_text(json.dumps(graph), encoding="utf-8")


def add(graph, other, exported):
    """Adds the symbols of a graph that belong to an exported type. Returns the types found."""
    known = {symbol["identifier"]["precise"] for symbol in graph["symbols"]}
    found, added = set(), set()
    for symbol in other["symbols"]:
        root, identifier = symbol["pathComponents"][0], symbol["identifier"]["precise"]
        if root not in exported:
            continue
        found.add(root)
        if identifier not in known:
            known.add(identifier)
            added.add(identifier)
            if "swiftExtension" in symbol:
                symbol["swiftExtension"]["extendedModule"] = "Daybook"
            graph["symbols"].append(symbol)
    graph["relationships"] += [one for one in other["relationships"] if one["source"] in added]
    return found


def main(folder, source):
    exports = re.findall(r"^@_exported public import \w+ (\w+)\.(\w+)$", source.read_text(), re.M)
    exported = {name for _, name in exports}
    daybook = folder / "Daybook.symbols.json"
    graph, found = read(daybook), set()
    for path in sorted((folder / "lower").glob("*.json")):
        found |= add(graph, read(path), exported)
        path.unlink()
    if not exported or found != exported:
        sys.exit("No symbol graph declares: " + ", ".join(sorted(exported - found)))
    write(daybook, graph)
    # Extensions of these types in the other products.
    for module in sorted({module for module, _ in exports}):
        for path in sorted(folder.glob(f"*@{module}.symbols.json")):
            product = path.name.split("@")[0]
            target = folder / f"{product}@Daybook.symbols.json"
            if product != "Daybook":
                members = read(path)
                empty = members | {"symbols": [], "relationships": []}
                merged = read(target) if target.exists() else empty
                add(merged, members, exported)
                write(target, merged)
            path.unlink()


main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))

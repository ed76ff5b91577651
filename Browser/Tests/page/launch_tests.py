"""The option --open, which starts the default web browser."""

import os
import stat
import subprocess
import tempfile

from harness import PATIENCE_MILLISECONDS, end, expect, test

# Stands in for the program that opens a file in the default web browser.
OPENER = """#!/bin/sh
printf '%s' "$*" > "$OPENED.part"
mv "$OPENED.part" "$OPENED"
"""


@test("--open signs the default web browser in, with a token that is in no URL and that only the user can read")
def opens(reader, options):
    if not reader.site.directory:
        return
    with tempfile.TemporaryDirectory() as folder:
        for name in ("xdg-open", "open"):
            with open(f"{folder}/{name}", "w") as file:
                file.write(OPENER)
            os.chmod(file.name, 0o700)
        opened = f"{folder}/opened"
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "OPENED": opened}
        server = subprocess.Popen([options.browse, reader.site.directory, "--open"], stdout=subprocess.PIPE, text=True, env=environment)
        try:
            address = server.stdout.readline().strip()
            token = server.stdout.readline().split()[-1]
            for _ in range(PATIENCE_MILLISECONDS // 50):
                if os.path.exists(opened):
                    break
                reader.page.wait_for_timeout(50)
            with open(opened) as file:
                path = file.read()
            expect(token not in path and path.startswith("/"), f"the argument is the path of a file, not {path}")
            modes = [stat.S_IMODE(os.stat(each).st_mode) for each in (path, os.path.dirname(path))]
            expect(modes == [0o600, 0o700], f"only the user can read the file and its folder, not {modes}")
            urls = []
            context = reader.context.browser.new_context()
            page = context.new_page()
            page.on("request", lambda request: urls.append(request.url))
            page.goto(f"file://{path}")
            page.wait_for_selector("#navigation:not([hidden])", state="attached", timeout=PATIENCE_MILLISECONDS)
            expect(page.url.startswith(address), f"the browser shows the page, not {page.url}")
            expect(not any(token in url for url in urls), "the token is in no URL")
            context.close()
        finally:
            end(server)
        expect(not os.path.exists(os.path.dirname(path)), "the file is removed with the end of the command")

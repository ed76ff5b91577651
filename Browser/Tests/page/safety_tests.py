"""Sign-in, hostile data, and the rules of the browser for the page."""

from harness import Reader, expect, route, test


@test("the page asks for the token, and a wrong one is refused")
def sign_in(reader, options):
    tab = Reader(reader.context.browser, reader.site)
    try:
        tab.open(signs_in=False)
        box = tab.page.get_by_label("Enter the token that the command printed")
        expect(box.get_attribute("type") == "password" and box.get_attribute("autocomplete") == "off", "the token stays hidden")
        box.fill("wrong")
        tab.page.keyboard.press("Enter")
        tab.page.wait_for_selector("main [role=alert]:not(:empty)")
        expect(tab.page.locator("#navigation").is_hidden(), "nothing of the store is visible")
        box.fill(reader.site.token)
        tab.page.keyboard.press("Enter")
        tab.page.wait_for_selector("#navigation:not([hidden])")
        expect(reader.site.token not in tab.page.content() and reader.site.token not in tab.page.url, "the page forgets the token")
        expect("session" not in tab.page.evaluate("document.cookie"), "no script can read the session")
        expect(tab.problems == [], f"nothing fails: {tab.problems}")
    finally:
        tab.context.close()


@test("an expired session shows the sign-in form again")
def expired(reader, options):
    reader.go(route("objects/Person"))
    reader.context.clear_cookies()
    reader.page.evaluate("location.hash = '#/store'")
    reader.page.get_by_label("Enter the token that the command printed").fill(reader.site.token)
    reader.page.keyboard.press("Enter")
    reader.wait("document.querySelector('h1').textContent === 'Store'")


@test("hostile data is text, and runs no script")
def hostile(reader, options):
    page = reader.page
    page.on("request", lambda request: expect(
        request.url.startswith(reader.site.address), f"the page requests {request.url}"))
    rows = reader.ask("objects", entity="Hostile", limit=50)["rows"]
    places = [route("objects/Hostile"), route("schema/Hostile"), "#/commits", route("query", text="Hostile"),
              route("query", text="Hostile where <script>alert(1)</script>"),
              route("compare", entity="Hostile", **{"from": 1, "to": reader.newest()}),
              "#/objects/%3Cscript%3Ealert(1)%3C%2Fscript%3E", "#/object/Hostile/%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E"]
    places += [route(f"object/Hostile/{row['id']}") for row in rows]
    for place in places:
        reader.go(place)
        added = page.evaluate("document.querySelectorAll('main script, main iframe, main [onerror], main [onload], main object').length")
        expect(added == 0, f"{place} has no element from the data")
        for link in page.locator("main a").evaluate_all("nodes => nodes.map(node => node.protocol)"):
            expect(link.startswith("http"), f"{place} has no link with the scheme {link}")
    reader.go(route("objects/Hostile"))
    expect("<script>" in reader.text(), "markup is visible as text")


@test("characters without a shape are shown by their codes")
def hidden_characters(reader, options):
    reader.go(route("objects/Hostile"))
    raw = [value["text"] for row in reader.ask("objects", entity="Hostile", limit=50)["rows"] for value in row["values"]]
    has_hidden = any(character in text[:200] for text in raw for character in "\u0000\u0007\u001b\u202e")
    expect(has_hidden, "the fixture has such characters")
    expect(reader.page.locator("main .code-point").count() > 0, "the page marks them")


@test("a script or style that the page does not bring is blocked")
def policy(reader, options):
    before = list(reader.problems)
    ran = reader.page.evaluate("""() => { const script = document.createElement("script"); script.textContent = "window.injected = true";
        document.body.append(script); script.remove(); return window.injected === true }""")
    expect(not ran, "the policy blocks an inline script")
    # This test causes a report of the browser on purpose.
    reader.page.wait_for_timeout(100)
    reader.problems[:] = before

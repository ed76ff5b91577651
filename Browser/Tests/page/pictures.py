"""Pictures of a page, and their comparison with a tolerance, in the browser, which decodes them."""

import base64

# The pictures have these texts in the place of times, identities and paths, which differ in each run. They are drawn in
# one font, because the default font depends on the system.
PREPARE = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`* { font-family: "DejaVu Sans" !important; caret-color: transparent !important; animation: none !important }
    code, pre, .hex, .bytes, .lines, .combobox input, .suggestions li, .error-place { font-family: "DejaVu Sans Mono" !important }`);
  document.adoptedStyleSheets = [sheet];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    walker.currentNode.data = walker.currentNode.data
      .replace(/\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d/g, "2026-11-21 10:00:00")
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "0198a5b2-7c3d-4e5f-8a6b-1c2d3e4f5a6b")
      .replace(/^\\/.*\\/Store$/, "/srv/Packages.daybook");
  }
}"""

# The share of squares that differ, and a picture that marks them. A square of `side` pixels differs if the mean of a
# colour differs by more than `amount`, of 255. The mean hides the edges of letters, which each version of the browser
# draws a little differently.
COMPARE = """async ([before, after, side, amount]) => {
  const load = async text => {
    const image = new Image();
    image.src = "data:image/png;base64," + text;
    await image.decode();
    return image;
  };
  const images = [await load(before), await load(after)];
  const [width, height] = ["width", "height"].map(name => Math.max(...images.map(image => image[name])));
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const pixels = images.map(image => {
    context.clearRect(0, 0, width, height);
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, width, height).data;
  });
  const mean = (data, left, top, channel) => {
    let [sum, count] = [0, 0];
    for (let y = top; y < Math.min(top + side, height); y++) {
      for (let x = left; x < Math.min(left + side, width); x++, count++) sum += data[(y * width + x) * 4 + channel];
    }
    return sum / count;
  };
  let [differing, total] = [0, 0];
  context.globalAlpha = 0.5;
  context.fillStyle = "#e00000";
  for (let top = 0; top < height; top += side) {
    for (let left = 0; left < width; left += side, total++) {
      const differs = [0, 1, 2, 3].some(channel =>
        Math.abs(mean(pixels[0], left, top, channel) - mean(pixels[1], left, top, channel)) > amount);
      if (differs) { differing++; context.fillRect(left, top, side, side); }
    }
  }
  return { share: differing / total, difference: canvas.toDataURL("image/png").split(",")[1] };
}"""

SIDE = 6
AMOUNT = 40
SHARE_MAX = 0.001


def has_font(page):
    """Whether the font of the pictures is installed."""
    return page.evaluate("""() => { const context = document.createElement("canvas").getContext("2d");
        const width = font => { context.font = font; return context.measureText("Wim00il").width };
        return ["serif", "monospace"].every(other => width(`20px "DejaVu Sans", ${other}`) === width(`20px "DejaVu Sans", sans-serif`))
            && width('20px "DejaVu Sans", serif') !== width("20px serif") }""")


def picture(page, is_whole=False):
    """A picture of the page in a form that does not depend on the run."""
    page.evaluate(PREPARE)
    page.mouse.move(0, 0)
    page.wait_for_timeout(50)
    return page.screenshot(full_page=is_whole)


def compare(browser, before, after):
    """The share of the squares that differ, 0 to 1, and the second picture with marks on them."""
    page = browser.new_page()
    try:
        texts = [base64.b64encode(each).decode() for each in (before, after)]
        found = page.evaluate(COMPARE, [*texts, SIDE, AMOUNT])
    finally:
        page.close()
    return found["share"], base64.b64decode(found["difference"])

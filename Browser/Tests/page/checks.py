"""Checks of accessibility that a machine can do, as functions that run in the page."""

# Each function returns sentences about what is wrong.
NAMES = """() => {
  const wrong = [];
  const say = (sentence, node) => wrong.push(`${sentence}: ${node.outerHTML.slice(0, 120)}`);
  const isShown = node => node.checkVisibility();
  const named = node => (node.getAttribute("aria-label") ?? "").trim()
    || (node.getAttribute("aria-labelledby") ?? "").split(/\\s+/).some(id => document.getElementById(id)?.textContent.trim());
  for (const node of document.querySelectorAll("input, select, textarea, progress, meter")) {
    if (isShown(node) && !named(node) && ![...node.labels ?? []].some(label => label.textContent.trim())) say("A control has no label", node);
  }
  for (const node of document.querySelectorAll("button, a[href], summary, [role=button]")) {
    if (isShown(node) && !named(node) && !node.textContent.trim()) say("A button or link has no name", node);
  }
  for (const node of document.querySelectorAll("img")) if (!node.hasAttribute("alt")) say("An image has no text", node);
  for (const node of document.querySelectorAll("svg[role=img], [role=region], section[role], nav")) if (!named(node)) say("A part has no name", node);
  for (const node of document.querySelectorAll("table")) {
    if (!node.querySelector("caption, thead th")) say("A table has no head", node);
  }
  let level = 0;
  for (const node of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    if (!isShown(node)) continue;
    const next = Number(node.tagName[1]);
    if (next > level + 1) say("A heading skips a level", node);
    level = next;
  }
  if (document.querySelectorAll("h1").length !== 1) wrong.push("The page does not have exactly one main heading");
  if (document.querySelectorAll("main").length !== 1) wrong.push("The page does not have exactly one main part");
  const ids = [...document.querySelectorAll("[id]")].map(node => node.id);
  for (const id of ids.filter((id, index) => ids.indexOf(id) !== index)) wrong.push(`Two elements have the id ${id}`);
  for (const node of document.querySelectorAll("[for], [aria-controls], [aria-describedby]")) {
    for (const name of ["for", "aria-controls", "aria-describedby"]) {
      const id = node.getAttribute(name);
      if (id && !document.getElementById(id)) say(`The id ${id} does not exist`, node);
    }
  }
  if (!document.documentElement.lang || !document.title) wrong.push("The page has no language or no title");
  return wrong;
}"""

# Compares the colour of each text with the colours behind it, as WCAG 2 defines the ratio.
CONTRAST = """() => {
  const wrong = new Set();
  const parse = text => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return { r, g, b, a }; };
  const over = (top, under) => ({ r: top.r * top.a + under.r * (1 - top.a), g: top.g * top.a + under.g * (1 - top.a),
    b: top.b * top.a + under.b * (1 - top.a), a: 1 });
  const behind = node => {
    const layers = [];
    for (let each = node; each; each = each.parentElement) {
      const color = parse(getComputedStyle(each).backgroundColor);
      layers.push(color);
      if (color.a === 1) break;
    }
    return layers.reverse().reduce((under, top) => over(top, under), { r: 255, g: 255, b: 255, a: 1 });
  };
  const light = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map(value => value / 255).map(value => value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4);
    return .2126 * x + .7152 * y + .0722 * z;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !node.checkVisibility() || node.closest(":disabled, .unseen, noscript, option")) continue;
    const style = getComputedStyle(node);
    const under = behind(node);
    const paint = parse(node.ownerSVGElement ? style.fill : style.color);
    const [a, b] = [light(over(paint, under)), light(under)].sort((x, y) => y - x);
    const ratio = (a + .05) / (b + .05);
    if (ratio < 4.5) wrong.add(`The contrast is ${ratio.toFixed(2)}: ${node.outerHTML.slice(0, 100)}`);
  }
  return [...wrong];
}"""

# The widest element helps to find the cause.
OVERFLOW = """() => {
  const extra = document.documentElement.scrollWidth - innerWidth;
  if (extra <= 0) return [];
  const widest = [...document.querySelectorAll("body *")].filter(node => !node.closest(".scroller"))
    .sort((a, b) => b.getBoundingClientRect().right - a.getBoundingClientRect().right)[0];
  return [`The page is ${extra} pixels too wide: ${widest.outerHTML.slice(0, 120)}`];
}"""


def complaints(reader, check, place):
    return [f"{place}: {sentence}" for sentence in reader.page.evaluate(check)]

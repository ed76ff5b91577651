"""Checks of accessibility that a machine can do, as functions that run in the page.

axe-core has most of them. The others are here.
"""

from harness import expect

# Runs axe-core with its default rules. Each violation is a sentence with the elements.
AXE = """async () => (await axe.run({ resultTypes: ["violations"] })).violations.flatMap(({ id, help, nodes }) =>
  nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 160)} (${failureSummary.split("\\n").slice(1).join("; ").slice(0, 160)})`))"""

# Each function returns sentences about what is wrong.
STRUCTURE = """() => {
  const wrong = [];
  const say = (sentence, node) => wrong.push(`${sentence}: ${node.outerHTML.slice(0, 120)}`);
  const named = node => node.getAttribute("aria-label")?.trim()
    || (node.getAttribute("aria-labelledby") ?? "").split(/\\s+/).some(id => document.getElementById(id)?.textContent.trim());
  for (const node of document.querySelectorAll("[role=region], section[role], nav")) if (!named(node)) say("A part has no name", node);
  for (const node of document.querySelectorAll("table")) if (!node.querySelector("caption, thead th")) say("A table has no head", node);
  if (document.querySelectorAll("h1").length !== 1) wrong.push("The page does not have exactly one main heading");
  const ids = [...document.querySelectorAll("[id]")].map(node => node.id);
  for (const id of ids.filter((id, index) => ids.indexOf(id) !== index)) wrong.push(`Two elements have the id ${id}`);
  for (const node of document.querySelectorAll("[for]")) {
    if (!document.getElementById(node.htmlFor)) say(`The id ${node.htmlFor} does not exist`, node);
  }
  return wrong;
}"""

# axe-core does not check the contrast of text in drawings, whose ratio WCAG 2 defines.
DRAWINGS = """() => {
  const parse = text => text.match(/[\\d.]+/g).map(Number);
  const light = color => {
    const [x, y, z] = color.map(value => value / 255).map(value => value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4);
    return .2126 * x + .7152 * y + .0722 * z;
  };
  const behind = node => {
    const color = parse(getComputedStyle(node).backgroundColor);
    return (color[3] ?? 1) === 1 ? color : node.parentElement ? behind(node.parentElement) : [255, 255, 255];
  };
  return [...document.querySelectorAll("svg text")].flatMap(node => {
    const [a, b] = [light(parse(getComputedStyle(node).fill).slice(0, 3)), light(behind(node).slice(0, 3))].sort((x, y) => y - x);
    const ratio = (a + .05) / (b + .05);
    return ratio < 4.5 ? [`The contrast is ${ratio.toFixed(2)}: ${node.outerHTML.slice(0, 100)}`] : [];
  });
}"""

# The widest element helps to find the cause.
OVERFLOW = """() => {
  const extra = document.documentElement.scrollWidth - innerWidth;
  if (extra <= 0) return [];
  const widest = [...document.querySelectorAll("body *")].filter(node => !node.closest(".scroller"))
    .sort((a, b) => b.getBoundingClientRect().right - a.getBoundingClientRect().right)[0];
  return [`The page is ${extra} pixels too wide: ${widest.outerHTML.slice(0, 120)}`];
}"""


def complaints(reader, place, *checks):
    """What the checks find in the page as it is, with the name of the place."""
    return [f"{place}: {sentence}" for check in checks for sentence in reader.page.evaluate(check)]


def load_axe(reader, options):
    """Loads axe-core into the page, which the page's policy forbids to everybody else."""
    with open(options.axe) as file:
        reader.page.evaluate(file.read())


def expect_none(sentences):
    expect(sentences == [], "\n        ".join(sentences[:20]))

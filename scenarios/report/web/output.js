// The page as a whole: theme, pictures, clipboard, printing.

/** light → dark → as the system has it. */
function nextTheme() {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const order = dark ? [undefined, "light", "dark"] : [undefined, "dark", "light"];
  const next = order[(order.indexOf(root.dataset.theme) + 1) % order.length];
  if (next) root.dataset.theme = next;
  else delete root.dataset.theme;
  return next ?? "as the system has it";
}

/** Copies a text. A page from the disk may have no clipboard of the new kind: then the old one. */
async function copyText(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(shown);
  }
}

/** Selects an element's text, and copies it if the browser lets a page do that. */
function copySelected(shown) {
  const selection = getSelection();
  selection.removeAllRanges();
  const range = document.createRange();
  range.selectNodeContents(shown);
  selection.addRange(range);
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  }
}

/** Adds what the page can do as a whole: as keys, and as buttons of the toolbar. */
function addPageCommands(app) {
  const { commands, toolbar } = app.controls;
  const add = (key, label, run) => commands.add(key, label, run);
  add("k", "Show a cut that the arrow keys move, and take it away", () => app.toggleCut(app.active));
  add("l", "Light, dark, or as the system has it", () => app.announce(`Theme: ${nextTheme()}.`));
  add("p", "Save what is seen as a PNG picture", () => app.savePicture(app.active, "png"));
  add("g", "Save what is seen as an SVG picture", () => app.savePicture(app.active, "svg"));
  add("?", "Help: what the shapes mean, and all keys", () => app.help.open());
  toolbar.add("Cut", [toolbar.press("cut", "k")]);
  if (app.views.length > 1) toolbar.add("Runs", runButtons(app));
  toolbar.add("Page", [panelButton(), toolbar.press("PNG", "p"), toolbar.press("SVG", "g"), toolbar.press("◐", "l"), toolbar.press("?", "?")]);
}

/** A button that is pressed or not. */
function toggleButton(text, label, change) {
  const b = toolButton(text, label, () => {
    const on = b.getAttribute("aria-pressed") !== "true";
    b.setAttribute("aria-pressed", on);
    change(on);
  });
  b.setAttribute("aria-pressed", "false");
  return b;
}

/** The button that leaves all the width to the diagrams. */
function panelButton() {
  const b = toggleButton("panel", "Show the panel beside the diagram, or not", (on) => document.getElementById("app").classList.toggle("wide", !on));
  b.setAttribute("aria-pressed", "true");
  return b;
}

/** Of several runs: whether they keep the same time, and how they lie. */
function runButtons(app) {
  const lock = toolButton("same time", "Move all runs together", () => app.setLock(app.unlocked));
  const { classList } = app.controls.places.views;
  const side = toggleButton("side by side", "Side by side, or one above the other", (on) => classList.toggle("beside", on));
  followWidth(side, app.views.length);
  app.onLock = (on) => lock.setAttribute("aria-pressed", on);
  app.onLock(true);
  return [lock, side];
}

/** Two runs lie side by side where there is room, also as the window changes, until somebody has chosen. */
function followWidth(side, runs) {
  const paper = matchMedia("print"); // whose width is none of the window's
  let chosen = runs !== 2;
  const follow = () => {
    if (!chosen && !paper.matches && (innerWidth >= 1200) !== (side.getAttribute("aria-pressed") === "true")) side.click();
  };
  follow();
  window.addEventListener("resize", follow);
  side.addEventListener("click", (e) => { chosen ||= e.isTrusted; });
}

/** Opens, for printing, what a reader of paper wants and cannot open. */
function openForPrint(selectors) {
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll(selectors)].filter((d) => !d.open);
    for (const d of opened) d.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const d of opened) d.open = false;
  });
}

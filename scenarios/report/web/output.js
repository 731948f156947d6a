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

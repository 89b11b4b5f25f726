import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { allPages, type Page } from "./support/pages.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const pages = allPages();

/** As the usual renderers make them. */
function anchorsOf({ text }: Page): Set<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return new Set(headings);
}

it.each(pages)("$path links only to what exists", (page) => {
  const links = [...page.text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  const broken = links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [file = "", anchor] = link.split("#");
    const path = file === "" ? page.path : join(dirname(page.path), file);
    if (!existsSync(join(ROOT, path))) return true;
    const target = pages.find((known) => known.path === path);
    return anchor !== undefined && target !== undefined && !anchorsOf(target).has(anchor);
  });
  expect(broken).toEqual([]);
});

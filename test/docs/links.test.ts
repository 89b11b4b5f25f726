import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { allPages, type Page } from "./support/pages.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const pages = allPages();

/** As the usual renderers make them. A `#` in code is no heading. */
function anchorsOf({ text }: Page): Set<string> {
  const prose = text.replaceAll(/^```.*?^```$/gms, "");
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return new Set(headings);
}

it("every page of the documentation can be reached from the README", () => {
  const readme = pages.find(({ path }) => path === "README.md")?.text ?? "";
  const unlinked = pages.filter(({ path }) => path !== "README.md" && !readme.includes(`](${path})`));
  expect(unlinked.map(({ path }) => path)).toEqual([]);
});

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

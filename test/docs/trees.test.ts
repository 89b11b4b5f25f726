import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { Store } from "../../src/store/contract.js";
import { MortalProcess } from "../../src/testing/mortal-process.js";
import { fullestTree, hasTree, withTree } from "./support/drawn-tree.js";
import { extractCode } from "./support/extract.js";
import { codeFiles, isProgram, pagesWithFiles } from "./support/pages.js";

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Pages of components that are made of other components. */
const composites = readdirSync(at("src/components/patterns"))
  .filter((file) => /^[A-Z].*\.tsx$/.test(file))
  .map((file) =>
    file
      .replace(".tsx", "")
      .replaceAll(/(?<!^)[A-Z]/g, "-$&")
      .toLowerCase(),
  );

const pages = pagesWithFiles();
const drawn = pages.filter(({ text }) => hasTree(text));
const extract = extractCode(drawn);
// What an example creates in the folder for temporary files goes with the rest.
vi.stubEnv("TMPDIR", extract.folder);
afterAll(() => extract.remove());

describe("the trees in the documentation", () => {
  it("are on the page of every composite", () => {
    const expected = composites.map((name) => `docs/components/${name}.md`);
    expect(drawn.map(({ path }) => path)).toEqual(expect.arrayContaining(expected));
  });

  it.each(drawn)("$path shows what its example mounts", async (page) => {
    const stores = new Set<Store>();
    const open = MortalProcess.prototype.open;
    const watched = vi.spyOn(MortalProcess.prototype, "open").mockImplementation(function (
      this: MortalProcess,
      store,
    ) {
      stores.add(store);
      return open.call(this, store);
    });
    for (const file of codeFiles(page).filter(isProgram)) {
      await import(/* @vite-ignore */ extract.pathOf(file));
    }
    watched.mockRestore();
    await expect(
      withTree(page.text, await fullestTree(stores)),
      `${page.path} is out of date: run \`npm run docs:trees\` and commit the result`,
    ).toMatchFileSnapshot(at(page.path));
  });
});

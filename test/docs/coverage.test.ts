import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import { componentNames, memberTables, signatures } from "./support/declared.js";
import { allPages, codeFiles, isProgram } from "./support/pages.js";
import { publicNames } from "./support/public-names.js";

const pages = allPages();
const tables = pages.flatMap(memberTables);
const stated = pages.flatMap(signatures).map(({ name }) => name);

/** Agents, tools and their like have pages of their own kind. */
const FOLDERS = new Set(["components", "engine", "errors", "hosts", "operations", "service", "store"]);
const isComponent = (name: string) => Object.hasOwn(components, name) && /^[A-Z]/.test(name);
const functions = publicNames()
  .filter(({ isType, folder, name }) => !isType && FOLDERS.has(folder) && !isComponent(name))
  .map(({ name }) => name);

describe("what the documentation covers", () => {
  it.each(componentNames())("%s has a table of its props on a page of the components", (name) => {
    const own = tables.filter(({ owner }) => owner === name).map(({ page }) => page);
    expect(own).toEqual([expect.stringMatching(/^docs\/components\/[a-z-]+\.md$/)]);
  });

  it.each(functions)("%s has its signature on a page", (name) => {
    expect(stated.filter((other) => other === name)).toEqual([name]);
  });

  it.each(pages.filter(({ path }) => path.startsWith("docs/components/")))(
    "$path is about a component and runs it",
    (page) => {
      expect(memberTables(page).length).toBeGreaterThan(0);
      expect(codeFiles(page).some(isProgram)).toBe(true);
    },
  );
});

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { areaOf } from "../support/architecture/house-plan.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(ROOT, "docs/internals.md"), "utf8");
const named = [...page.matchAll(/`((?:src|test|jsx-runtime)(?:\/[\w./-]+)?)(?:#(\w+))?`/g)].map(
  ([, path = "", name]) => ({ path, name }),
);

it("names only files and folders that exist", () => {
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
});

it("names only what those files export", () => {
  const missing = named.filter(({ path, name }) => {
    if (name === undefined) return false;
    const exported = new RegExp(
      `^export (?:abstract |async )*(?:function|const|class|interface|type) ${name}\\b`,
      "m",
    );
    return !exported.test(readFileSync(join(ROOT, path), "utf8"));
  });
  expect(missing).toEqual([]);
});

it("has each folder at its rank, and every folder of the code", () => {
  const rows = [...page.matchAll(/^\| (\d+) \| ([^|]+)\|/gm)];
  const ranks = rows.flatMap(([, rank, folders = ""]) =>
    [...folders.matchAll(/`([^`]+)`/g)].map(([, folder = ""]) => [folder, Number(rank)] as const),
  );
  expect(ranks.length).toBeGreaterThan(20);
  for (const [folder] of ranks) expect(areaOf(`${folder}/x.ts`)?.name, folder).toBe(folder);
  // The page counts only the ranks that have something in them.
  const order = ranks.map(([folder]) => areaOf(`${folder}/x.ts`)?.rank ?? -1);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});

it("follows seven flows, and says where to look for what they do not pass", () => {
  expect(page.match(/^### /gm)).toHaveLength(8);
});

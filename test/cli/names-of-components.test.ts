import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const CHUNKS = fileURLToPath(new URL("../../dist/src/chunks", import.meta.url));

/** `function Kanban2(props`: the compiler numbers what stands twice in a chunk, and errors name components. */
const NUMBERED = /\b(?:function|class) ([A-Z][a-z]\w*?\d+)\b/g;

it("no component of the built library has a name that the compiler has numbered", () => {
  const files = readdirSync(CHUNKS).filter((name) => name.endsWith(".js"));
  const numbered = files.flatMap((name) =>
    [...readFileSync(join(CHUNKS, name), "utf8").matchAll(NUMBERED)].map(([, found]) => found),
  );
  expect(files.length).toBeGreaterThan(0);
  expect(numbered).toEqual([]);
});

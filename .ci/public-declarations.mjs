// The declarations that the package's entry points reach. The rest of what tsc writes describes the
// inside of the bundles: nobody can import it, and its imports would be ours to keep installed.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { throughDoors } from "./through-doors.mjs";

const IMPORT = /(?:from|import\()\s*"([^"]+)"/g;

/** Who has not installed one of these gets `any` for what is typed by it, instead of an error in our declarations. */
const OPTIONAL = /^(?=import type .*"effect";$)/gm;

/** Types of Node are there for whoever imports us: compilers no longer add every package of types by themselves. */
const NODES_OWN = /from "node:/;
const NODE_TYPES = '/// <reference types="node" />\n';

/** `entries` are paths of `.d.ts` files. Answers the packages that the kept declarations import. */
export function keepPublicDeclarations(dist, entries) {
  const reached = new Map();
  const packages = new Set();
  const follow = (file) => {
    if (reached.has(file)) return;
    const text = throughDoors(file, readFileSync(file, "utf8"));
    reached.set(file, text);
    for (const [, name] of text.matchAll(IMPORT)) {
      if (name.startsWith(".")) follow(join(dirname(file), name.replace(/\.js$/, ".d.ts")));
      else packages.add(name);
    }
  };
  for (const entry of entries) follow(entry);
  for (const [file, text] of reached) {
    const tolerant = text.replace(OPTIONAL, "// @ts-ignore\n");
    const complete = NODES_OWN.test(text) ? NODE_TYPES + tolerant : tolerant;
    writeFileSync(file, complete);
  }
  for (const name of readdirSync(dist, { recursive: true })) {
    const file = join(dist, String(name));
    if (file.endsWith(".d.ts") && !reached.has(file)) rmSync(file);
  }
  return packages;
}

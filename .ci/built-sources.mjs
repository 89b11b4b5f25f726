// What dist/ was built from: an installation builds it, and the tests that follow need not do it again.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const note = `${root}node_modules/.cache/built-sources`;

/** Everything that a build reads; packages by their lock. */
const SOURCES = ["src", "jsx-runtime", ".ci", "package.json", "package-lock.json", "tsconfig.json"];

function stateOfSources() {
  const hash = createHash("sha256");
  const add = (path) => hash.update(`${path}\n`).update(readFileSync(`${root}${path}`));
  for (const place of SOURCES) {
    if (statSync(`${root}${place}`).isFile()) {
      add(place);
      continue;
    }
    const inside = readdirSync(`${root}${place}`, { recursive: true, withFileTypes: true });
    const paths = inside
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`);
    for (const path of paths.sort()) add(path.slice(root.length));
  }
  return hash.digest("hex");
}

/** A build that breaks off leaves no note. */
export function beginBuild() {
  rmSync(note, { force: true });
  const state = stateOfSources();
  return {
    end() {
      mkdirSync(`${root}node_modules/.cache`, { recursive: true });
      writeFileSync(note, state);
    },
  };
}

export function isBuilt() {
  if (!existsSync(note) || !existsSync(`${root}dist/src/cli/main.js`)) return false;
  return readFileSync(note, "utf8") === stateOfSources();
}

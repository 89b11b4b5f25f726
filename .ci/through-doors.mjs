import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";

/** Imports from a folder with an `index.ts` that lists what others may use of it. */
const DOOR =
  /^(import|export)( type)? \{([^}]*)\} from "(\.[^"]*\/(?:engine|operations|scheduler|store)\/index)\.js";$/gm;
const ENTRY = /^export (?:type )?\{([^}]*)\} from "(\.[^"]+)\.js";$/gm;

const names = (list) =>
  list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
const bare = (name) => name.replace(/^type /, "").replace(/ as .*/, "");

const known = new Map();

/** Where each name of a door comes from. */
function sources(door) {
  const found = known.get(door) ?? new Map();
  if (known.has(door)) return found;
  known.set(door, found);
  const index = [`${door}.ts`, `${door}.d.ts`].find((path) => existsSync(path));
  for (const [, list, path] of readFileSync(index, "utf8").matchAll(ENTRY)) {
    for (const name of names(list)) found.set(bare(name), resolve(dirname(door), path));
  }
  return found;
}

/**
 * A source or a declaration with imports of the files behind the doors. Bundlers count every file that a door lists
 * as reached by whoever asks it for one name: the library would carry what only the command line uses.
 * @throws Error for a name that the door does not list
 */
export function throughDoors(path, text) {
  return text.replaceAll(DOOR, (line, word, type = "", list, target) => {
    const door = resolve(dirname(path), target);
    const lines = names(list).map((name) => {
      const source = sources(door).get(bare(name));
      if (source === undefined) throw new Error(`${path}: ${door} does not list ${name}.`);
      const from = relative(dirname(path), source);
      return `${word}${type} { ${name} } from ${JSON.stringify(from.startsWith(".") ? `${from}.js` : `./${from}.js`)};`;
    });
    // Line for line, so that places in the source stay where they are.
    return lines.join(" ") + "\n".repeat(line.split("\n").length - 1);
  });
}

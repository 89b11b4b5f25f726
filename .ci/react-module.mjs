// Node looks through a CommonJS module for the names that it exports before it lets an import have them, and
// React is large: what Node loads requires it instead. Bundlers get the import, by `#react` in package.json.
import { readFileSync, writeFileSync } from "node:fs";

const IMPORT = /^import \{([^}]*)\} from "react";$/gm;

/** `chunks` import `#react` from now on, which is `module` in Node. */
export function requireReact(chunks, module) {
  const names = new Set();
  for (const path of chunks) {
    const source = readFileSync(path, "utf8");
    const changed = source.replaceAll(IMPORT, (_, list) => {
      for (const name of list.split(",")) names.add(name.split(" as ")[0].trim());
      return `import {${list}} from "#react";`;
    });
    if (changed === source) continue;
    if (/from "react"/.test(changed)) throw new Error(`${path} imports React in another way.`);
    writeFileSync(path, changed);
  }
  const lines = [
    'const { createRequire } = process.getBuiltinModule("node:module");',
    `export const { ${[...names].join(", ")} } = createRequire(import.meta.url)("react");`,
    "",
  ];
  writeFileSync(module, lines.join("\n"));
}

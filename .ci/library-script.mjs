// The chunk that holds the library becomes three files: `library.js`, the chunk as it was, for bundlers;
// `library.cjs`, a script whose bytecode can be kept; `library.node.js`, which evaluates the script and exports
// what the chunk has exported. `#library` in package.json chooses between the first and the last.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, dirname } from "node:path";
import { init, parse } from "es-module-lexer";
import { bindingsOf } from "./import-bindings.mjs";

/** @param others the built modules beside it: one has `evaluateScript`, and those that import the chunk are to import `#library` */
export async function makeLibraryScript(chunk, others) {
  await init;
  const loader = others.find((path) => readFileSync(path, "utf8").includes("\nfunction evaluateScript("));
  const source = readFileSync(chunk, "utf8");
  const [imports, exported] = parse(source);
  const modules = [];
  const bindings = [];
  let code = "";
  let at = 0;
  const replace = (start, end, text) => {
    code += source.slice(at, start) + text;
    at = end;
  };
  for (const { n: name, ss, se, s, d } of imports) {
    if (d === -2) replace(ss, se, "__meta");
    else if (d >= 0) replace(ss, s, source.slice(ss, s).replace("import", "__import"));
    else {
      const statement = source.slice(ss, se);
      const value = `__modules[${indexIn(modules, name)}]`;
      // What a required module exports as a whole is its default.
      bindings.push(bindingsOf(statement, value, isRequired(name) ? value : `${value}.default`));
      replace(ss, se, lineBreaks(statement));
    }
  }
  code += source.slice(at);
  // esbuild ends a chunk with the one list of what it exports.
  const [list] = [...code.matchAll(/^export \{[^}]*\};$/gm)].slice(-1);
  const members = exported.map(({ n, ln }) => (n === ln ? n : `${n}: ${ln}`));
  if (list === undefined || list[0].split(",").length !== members.length) {
    throw new Error(`${chunk} does not end with one list of exports.`);
  }
  code =
    code.slice(0, list.index) +
    `return { ${members.join(", ")} };${lineBreaks(list[0])}` +
    code.slice(list.index + list[0].length);
  const map = code.match(/^\/\/# sourceMappingURL=.*$/m)?.[0] ?? "";
  // Bindings stand in the first line, so that every other line stays where the source map says.
  const script = `(function (__modules, __meta, __import) { "use strict"; ${bindings.join(" ")} ${code.replace(map, "")}})\n${map}\n`;
  const folder = dirname(chunk);
  writeFileSync(`${folder}/library.cjs`, toAscii(script));
  const names = {
    modules,
    exported,
    loader: modules.findIndex((path) => loader !== undefined && basename(path) === basename(loader)),
  };
  if (names.loader === -1) throw new Error("The library imports no module that has evaluateScript.");
  writeFileSync(`${folder}/library.node.js`, facade(names));
  renameSync(chunk, `${folder}/library.js`);
  const name = basename(chunk);
  for (const path of others) {
    const other = readFileSync(path, "utf8");
    const changed = other.replaceAll(/^(.*\bimport |\} from )"([^"]*)";$/gm, (text, start, from) =>
      from.startsWith(".") && basename(from) === name ? `${start}"#library";` : text,
    );
    if (changed !== other) writeFileSync(path, changed);
  }
}

function facade({ modules, exported, loader }) {
  const names = modules.map((name, index) =>
    isRequired(name) ? `require(${JSON.stringify(name)})` : `m${index}`,
  );
  return [
    ...modules.flatMap((name, index) =>
      isRequired(name) ? [] : [`import * as m${index} from ${JSON.stringify(name)};`],
    ),
    'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);',
    'const path = process.getBuiltinModule("node:url").fileURLToPath(new URL("./library.cjs", import.meta.url));',
    `const library = m${loader}.evaluateScript(path);`,
    `export const { ${exported.map(({ n }) => n).join(", ")} } = library([${names.join(", ")}], import.meta, (name) => import(name));`,
    "",
  ].join("\n");
}

/** Importing these costs more than requiring them: see `react-module.mjs`; of a builtin, all that it makes on first use is made. */
function isRequired(name) {
  return isBuiltin(name) || name === "react";
}

function indexIn(modules, name) {
  if (!modules.includes(name)) modules.push(name);
  return modules.indexOf(name);
}

const lineBreaks = (text) => text.replaceAll(/[^\n]/g, "");

/** Text of one byte per character is read faster; what is left of others stands in literals and comments. */
function toAscii(text) {
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

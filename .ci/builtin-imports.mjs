// When a module imports one of Node's own modules, Node makes everything that the builtin makes on first use, for
// `node:fs` all of its streams: some milliseconds of every start. What is asked for by a call comes without that.
import { readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { init, parse } from "es-module-lexer";
import { bindingsOf } from "./import-bindings.mjs";

/** The built modules at `paths` ask for Node's own modules instead of importing them; every line stays where it is. */
export async function askForBuiltins(paths) {
  await init;
  for (const path of paths) {
    const source = readFileSync(path, "utf8");
    const [imports] = parse(source);
    const bindings = [];
    let code = "";
    let at = 0;
    for (const { n: name, ss, se, d } of imports) {
      if (d !== -1 || !isBuiltin(name)) continue;
      const statement = source.slice(ss, se);
      if (!statement.startsWith("import")) throw new Error(`${path} exports ${name} again.`);
      const value = `process.getBuiltinModule(${JSON.stringify(name)})`;
      bindings.push(bindingsOf(statement, value, value));
      code += source.slice(at, ss) + statement.replaceAll(/[^\n]/g, "");
      at = se;
    }
    if (bindings.length === 0) continue;
    code += source.slice(at);
    const [shebang = ""] = code.match(/^#!.*\n/) ?? [];
    writeFileSync(path, `${shebang}${bindings.join(" ")} ${code.slice(shebang.length)}`);
  }
}

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { ModuleImport } from "./function-module.js";

interface LoadedFunction {
  imports: readonly ModuleImport[];
  run(modules: readonly Record<string, unknown>[]): Promise<Record<string, unknown>>;
}

/**
 * Runs a generation that is a function. Neither the module system nor other code
 * keeps it: it is free with the last run, attempt or component that uses it.
 * @param file absolute, with the ending `.cjs`
 * @throws what its code throws
 */
export async function runFunctionModule(file: string): Promise<Record<string, unknown>> {
  // A `require` of its own: every other one would remember the module as its child.
  const require = createRequire(file);
  const { imports, run } = require(file) as LoadedFunction;
  delete require.cache[file];
  return run(await Promise.all(imports.map(importOutside)));
}

/** Runs a generation that has to be a module, which stays in memory until the process ends. @throws as runFunctionModule */
export async function runModule(file: string): Promise<Record<string, unknown>> {
  return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
}

async function importOutside({ url, names, isJson }: ModuleImport): Promise<Record<string, unknown>> {
  const importing: Promise<unknown> = isJson ? import(url, { with: { type: "json" } }) : import(url);
  const module = (await importing) as Record<string, unknown>;
  const missing = names.find((name) => !(name in module));
  if (missing !== undefined) await refusedByNode(url, missing);
  return module;
}

/** The error of a module that imports the name, in Node's own words. @throws SyntaxError */
function refusedByNode(url: string, name: string): Promise<unknown> {
  const code = `import { ${name} as missing } from ${JSON.stringify(url)};`;
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}

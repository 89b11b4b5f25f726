import { createRequire } from "node:module";

/** As CommonJS, which it is: importing it would first search its whole text for exports. */
const require = createRequire(import.meta.url);

/** The compiler; loaded with the first workflow, not with the command line. */
export function loadCompiler(): typeof import("esbuild") {
  return require("esbuild") as typeof import("esbuild");
}

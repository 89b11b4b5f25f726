import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { evaluateScript, keepCompiledCode } from "../../../src/startup/compiled-script.js";

// Runs `script.cjs` beside it as the library runs its own code: with what an earlier process has compiled.
type Program = (require: NodeJS.Require, module: object, exports: object, url: string) => void;
const path = fileURLToPath(new URL("./script.cjs", import.meta.url));
const program = evaluateScript(path) as Program;
keepCompiledCode();
program(createRequire(path), { exports: {} }, {}, pathToFileURL(path).href);

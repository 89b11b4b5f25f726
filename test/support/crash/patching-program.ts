/**
 * Applies a patch, and kills itself once the change of the file system with the number `diesAfter` has been made.
 *
 *   node program.mjs <application as JSON>
 */
import { promises } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { applyPatch } from "../../../src/sandbox/patches/apply-patch.js";

const { diesAfter, ...application } = JSON.parse(process.argv[2] ?? "");

let changes = 0;
const all = promises as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
for (const name of ["mkdir", "rename", "rm", "rmdir", "writeFile"]) {
  const change = all[name];
  all[name] = async (...given) => {
    const result = await change?.(...given);
    changes += 1;
    if (changes === diesAfter) process.kill(process.pid, "SIGKILL");
    return result;
  };
}
syncBuiltinESMExports();
await applyPatch({ ...application, signal: new AbortController().signal });

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** A script of this folder, compiled to one file that any Node process can run. */
export async function bundleScript(name: string): Promise<string> {
  const entry = fileURLToPath(new URL(name, import.meta.url));
  const outfile = join(temporaryFolder(), "script.mjs");
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    // Packages that are loaded at run time are found from here, not from the temporary folder.
    define: { "import.meta.url": JSON.stringify(pathToFileURL(entry).href) },
  });
  return outfile;
}

/** Runs a script in a process of its own and gives what it printed. */
export async function runScript(script: string, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) throw new Error(`the process ended with ${code}`);
  return printed;
}

/** Runs a script that kills its own process. */
export async function runUntilKilled(script: string, ...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const [, signal] = (await once(child, "exit")) as [number | null, string | null];
  if (signal !== "SIGKILL") throw new Error(`the process ended with ${signal ?? "no signal"}`);
}

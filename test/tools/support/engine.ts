import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { onTestFinished } from "vitest";
import type { ToolContextOptions } from "../../../src/tools/index.js";
import { workspace } from "./workspace.js";

/** A process that runs one command with the bash tool, and nothing else. */
export async function engineRunning(cmd: string, options: ToolContextOptions & { marker: string }) {
  const folder = await workspace();
  const script = join(folder, "engine.mjs");
  await build({
    stdin: {
      contents: `
        import { createTools } from "./index.ts";
        const { bash } = createTools({
          rootDir: ${JSON.stringify(folder)},
          allowNetwork: ${options.allowNetwork},
          toolIsolation: ${JSON.stringify(options.toolIsolation ?? "required")},
          env: { MARKER: ${JSON.stringify(options.marker)} },
        });
        await bash.execute({ cmd: ${JSON.stringify(cmd)} });
      `,
      resolveDir: fileURLToPath(new URL("../../../src/tools/", import.meta.url)),
      loader: "ts",
    },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: script,
    logLevel: "error",
  });
  const engine = spawn(process.execPath, [script], { stdio: "inherit" });
  onTestFinished(() => {
    engine.kill("SIGKILL");
  });
  return engine;
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ToolContextOptions } from "../../src/tools/index.js";
import { newId } from "../../src/util/ids.js";
import { networks } from "./support/isolation.js";
import { eventually, processesWith } from "./support/processes.js";
import { workspace } from "./support/workspace.js";

/** A process that runs one command with the bash tool, and nothing else. */
async function engineRunning(cmd: string, options: ToolContextOptions & { marker: string }) {
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
      resolveDir: fileURLToPath(new URL("../../src/tools/", import.meta.url)),
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

const command = `
  sleep 60 &
  (sleep 60 &)
  setsid sleep 60 &
  sh -c 'trap "" TERM HUP; sleep 60; sleep 60' &
  wait
`;

describe.each(networks)(
  "the death of the engine (allowNetwork: $allowNetwork, isolation: $toolIsolation)",
  (network) => {
    it.each(["SIGKILL", "SIGTERM"] as const)(
      "by %s leaves no process of a running command behind",
      async (signal) => {
        const marker = `marker-${newId()}`;
        const engine = await engineRunning(command, { ...network, marker });
        const left = async () => (await processesWith(marker)).filter((pid) => pid !== engine.pid);
        await eventually(async () => (await left()).length >= 5, 10_000);
        engine.kill(signal);
        await once(engine, "exit");
        await eventually(async () => (await left()).length === 0, 5_000);
        expect(await left()).toEqual([]);
      },
    );
  },
);

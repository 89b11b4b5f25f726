import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { SandboxProps } from "../../src/components/patterns/Sandbox.js";
import { createService, runWorkflow, type RunEvent, type RunOptions } from "../../src/index.js";
import { type FolderContent, writeFolder } from "./folder-content.js";
import { temporaryFolder } from "./temporary-folder.js";

/** A run of one sandbox in a folder of its own, whose database lies elsewhere. */
export function sandboxedRun(files: FolderContent, props: Partial<Omit<SandboxProps, "output">>) {
  const folder = temporaryFolder("sandboxed");
  const rootDir = join(folder, "root");
  mkdirSync(rootDir);
  writeFolder(rootDir, files);
  const dbPath = join(folder, "service.db");
  const { Workflow, Sandbox, service, outputs } = createService(
    { input: z.object({}), output: z.object({ text: z.string() }) },
    { dbPath },
  );
  const workflow = service(() => (
    <Workflow name="parent">
      <Sandbox id="box" workflow="child.tsx" output={outputs.output} retries={0} {...props} />
    </Workflow>
  ));
  const events: RunEvent[] = [];
  const run = (options: Pick<RunOptions, "resume" | "signal"> = {}) =>
    runWorkflow(workflow, { runId: "r", rootDir, onProgress: (event) => events.push(event), ...options });
  return { folder, rootDir, dbPath, workflow, events, run, types: () => events.map(({ type }) => type) };
}

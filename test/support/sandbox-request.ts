import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { SandboxRequest } from "../../src/model/sandbox-provider.js";
import { type FolderContent, writeFolder } from "./folder-content.js";
import { temporaryFolder } from "./temporary-folder.js";

/** A workflow file whose one task runs `body`, which returns the text of its row. */
export function childFile(body: string): string {
  return `
import { createService } from "treadle";
import { z } from "zod";
const { Workflow, Task, service, outputs } = createService({
  input: z.object({ text: z.string().default("") }),
  output: z.object({ text: z.string() }),
});
export default service((ctx) => (
  <Workflow name="child">
    <Task id="work" output={outputs.output} noRetry>{async () => ({ text: String(await (async () => { ${body} })()) })}</Task>
  </Workflow>
));
`;
}

/** A request to a runtime, and the folders that it names: \`root\` as the run has it, \`files\` as the copy of it. */
export function sandboxRequest(files: FolderContent, more: Partial<SandboxRequest> = {}) {
  const folder = temporaryFolder("sandbox");
  const [root, copy, asked, result] = ["root", "files", "request", "result"].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  for (const each of [root, copy, asked, result]) mkdirSync(each);
  writeFolder(root, files);
  writeFolder(copy, files);
  const request: SandboxRequest = {
    runId: "parent",
    sandboxId: "box",
    rootDir: root,
    workspacePath: copy,
    requestBundlePath: asked,
    resultBundlePath: result,
    workflow: "child.tsx",
    modules: [],
    executeChildWorkflow: () => Promise.reject(new Error("not in this process")),
    allowNetwork: false,
    env: {},
    volumes: [],
    memoryBytes: 8 * 1024 ** 3,
    maxOutputBytes: 200_000,
    toolTimeoutMs: 60_000,
    config: {},
    signal: new AbortController().signal,
    heartbeat: () => undefined,
    ...more,
  };
  return { folder, root, copy, result, request };
}

import { once } from "node:events";
import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { startServer } from "../../../src/index.js";
import { Workspace } from "../../cli/support/treadle.js";

const FLOW = (db: string) => `
import { createService } from "treadle";
import { z } from "zod";
import { words } from "./lib.js";
const { Workflow, Task, Sequence, Signal, service, outputs } = createService(
  { go: z.object({}), output: z.object({ text: z.string() }) },
  { dbPath: ${JSON.stringify(db)} },
);
export default service(() => (
  <Workflow name="greeting">
    <Sequence>
      <Signal id="go" schema={outputs.go} />
      <Task id="send" output={outputs.output}>{() => ({ text: words() })}</Task>
    </Sequence>
  </Workflow>
));
`;

async function serving(workspace: Workspace) {
  const server = startServer({ port: 0, rootDir: workspace.folder });
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  onTestFinished(close);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const post = async (route: string, body: unknown) => {
    const response = await fetch(`http://127.0.0.1:${port}${route}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { post, close };
}

it("a server does not load code that a run was not started with, unless that is accepted", async () => {
  const workspace = new Workspace({ "lib.ts": 'export const words = () => "Hello";' });
  const db = workspace.path("runs.db");
  workspace.write("flow.tsx", FLOW(db));
  const first = await serving(workspace);
  await first.post("/v1/runs", { workflowPath: "flow.tsx", runId: "r", input: {} });
  await first.close();
  const trace = JSON.stringify(workspace.path("ran"));
  workspace.write("lib.js", `require("node:fs").writeFileSync(${trace}, ""); exports.words = () => "new";`);

  const { post } = await serving(workspace);
  // Another flow of the same database: the server then knows where the run is.
  workspace.write(
    "other.tsx",
    FLOW(db).replace('import { words } from "./lib.js";', "const words = () => '';"),
  );
  await post("/v1/runs", { workflowPath: "other.tsx", runId: "other", input: {} });
  expect(await post("/v1/runs/r/resume", {})).toMatchObject({
    status: 409,
    body: {
      error: {
        code: "RESUME_METADATA_MISMATCH",
        details: {
          files: [
            { path: "lib.js", change: "added" },
            { path: "lib.ts", change: "removed" },
          ],
        },
      },
    },
  });
  expect(existsSync(workspace.path("ran"))).toBe(false);
  expect((await post("/v1/runs/r/resume", { acceptWorkflowChange: true })).status).toBe(200);
  expect(existsSync(workspace.path("ran"))).toBe(true);
});

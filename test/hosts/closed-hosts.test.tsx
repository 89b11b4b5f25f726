import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import {
  createServeApp,
  getRun,
  listRuns,
  runWorkflow,
  ServiceDb,
  ServiceError,
  type ServiceWorkflow,
  startServer,
} from "../../src/index.js";
import { callIn } from "../cli/support/in-process.js";
import { Workspace } from "../cli/support/treadle.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { openGateway } from "./gateway/support/gateway.js";
import { held } from "./gateway/support/workflows.js";

/*
 * A host that is closed releases the runs that it drives: they are stopped, on purpose, until a
 * process continues them. That the process lives on or ends says nothing about that.
 */

/** What every surface says of the run once its host is closed. */
async function told(workflow: ServiceWorkflow, folder: string, runId: string) {
  const one = await getRun(workflow, runId);
  const { runs } = await listRuns(workflow, {});
  const ps = await callIn(folder, ["ps", "--json"]);
  const why = await callIn(folder, ["why", runId, "--json"]);
  const listed = (JSON.parse(ps.stdout) as { runs: { runId: string; runState: string }[] }).runs;
  return {
    getRun: one.runState,
    listRuns: runs.find((run) => run.runId === runId)?.runState,
    ps: listed.find((run) => run.runId === runId)?.runState,
    why: (JSON.parse(why.stdout) as { runState: string }).runState,
    stopped: one.stopped?.reason,
  };
}

const STOPPED = { getRun: "stopped", listRuns: "stopped", ps: "stopped", why: "stopped" };

it("a run of a gateway that is closed is stopped", async () => {
  let workflow: ServiceWorkflow | undefined;
  const gateway = await openGateway((host, folder) => {
    workflow = held(folder).workflow;
    host.register("held", workflow);
  });
  const { runId } = await gateway.call<{ runId: string }>("launchRun", { workflow: "held" });
  await gateway.until(runId, "running");
  await gateway.gateway.close();
  expect(await told(workflow as ServiceWorkflow, gateway.folder, runId)).toEqual({
    ...STOPPED,
    stopped: expect.stringContaining("closed"),
  });
});

const LONG = (dbPath: string) => `
import { createService } from "treadle";
import { z } from "zod";
const { Workflow, Task, service, outputs } = createService(
  { output: z.object({ ok: z.boolean() }) },
  { dbPath: ${JSON.stringify(dbPath)} },
);
export default service(() => (
  <Workflow name="long">
    <Task id="hold" output={outputs.output}>
      {(_needs, { signal }) => new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      })}
    </Task>
  </Workflow>
));
`;

it("a run of a server that is closed is stopped", async () => {
  const workspace = new Workspace();
  workspace.write("long.tsx", LONG(workspace.path("service.db")));
  const server = startServer({ port: 0, rootDir: workspace.folder });
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  onTestFinished(close);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const runs = `http://127.0.0.1:${port}/v1/runs`;
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ workflowPath: "long.tsx", runId: "run", input: {} });
  expect((await fetch(runs, { method: "POST", headers, body })).status).toBe(201);
  await expect
    .poll(async () => {
      const { nodes } = (await (await fetch(`${runs}/run`)).json()) as { nodes: Record<string, number> };
      return nodes["in-progress"];
    })
    .toBe(1);
  await close();
  const { stdout } = await callIn(workspace.folder, ["ps", "--json"]);
  expect((JSON.parse(stdout) as { runs: unknown[] }).runs).toMatchObject([
    { runId: "run", runState: "stopped", stopped: { reason: expect.stringContaining("closed") } },
  ]);
});

it("a run behind an app of its own that is shut down is stopped", async () => {
  const folder = temporaryFolder();
  const { workflow } = held(folder);
  const abort = new AbortController();
  const app = createServeApp({ workflow, adapter: new ServiceDb(workflow.db), runId: "run", abort });
  const driven = runWorkflow(workflow, { runId: "run", input: {}, signal: abort.signal });
  await expect
    .poll(async () => ((await (await app.request("/")).json()) as { runState?: string }).runState)
    .toBe("running");
  abort.abort(new ServiceError("PROCESS_ABORTED", "The program that serves it closed"));
  await driven;
  expect(await told(workflow, folder, "run")).toEqual({
    ...STOPPED,
    stopped: expect.stringContaining("closed"),
  });
});

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createServeApp, runWorkflow, ServiceDb, startServer } from "../../../../src/index.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { asking } from "../../gateway/support/workflows.js";
import type { Case, Credentials } from "./credentials.js";
import { httpSurface, SECRET, type Surface, USUAL } from "./surface.js";

export const SERVER_TOKEN = "the token of the server";

/** A server and an app of one run have one token: nothing expires, and there are no scopes or lists of origins. */
export const SERVER_CREDENTIALS: Partial<Record<Case, Credentials>> = {
  none: { headers: {} },
  wrong: { headers: { authorization: "Bearer another" } },
  right: { headers: { "x-service-key": SERVER_TOKEN } },
};

const RUN = `run-${SECRET}`;

/** A run that waits for a person. */
async function waitingRun() {
  const workflow = asking(temporaryFolder());
  await runWorkflow(workflow, { runId: RUN, input: {} });
  return workflow;
}

export async function serverSurfaces(): Promise<Surface[]> {
  const workflow = await waitingRun();
  const server = startServer({ port: 0, db: workflow.db, authToken: SERVER_TOKEN });
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const run = `${url}/v1/runs/${RUN}`;
  return [
    httpSurface("REST: the runs", `${url}/v1/runs`),
    httpSurface("REST: a run", run),
    httpSurface("REST: its frames", `${run}/frames`),
    httpSurface("REST: a node", `${run}/nodes/gate`),
    httpSurface("REST: the approvals", `${url}/v1/approvals`),
    httpSurface("REST: a decision", `${run}/nodes/gate/approve`, { body: { note: SECRET } }),
    httpSurface("REST: a signal", `${run}/signals/go`, { body: { data: { n: 1 } } }),
    httpSurface("REST: a cancel", `${run}/cancel`, { body: { reason: SECRET } }),
    // Last: the run has ended by now, and so does the stream.
    httpSurface("SSE", `${run}/events`),
    httpSurface("SSE: output of tasks", `${run}/output`),
    httpSurface("/metrics", `${url}/metrics`),
    httpSurface("a path that there is not", `${url}/nothing`, { statuses: { ...USUAL, right: 404 } }),
  ];
}

export async function serveAppSurfaces(): Promise<Surface[]> {
  const workflow = await waitingRun();
  const app = createServeApp({
    workflow,
    adapter: new ServiceDb(workflow.db),
    runId: RUN,
    abort: new AbortController(),
    authToken: SERVER_TOKEN,
    resumes: false,
  });
  const at = (path: string, init: { method?: string; right?: number } = {}): Surface => ({
    name: `serve app: ${path}`,
    statuses: { ...USUAL, right: init.right ?? 200 },
    async attempt({ headers }) {
      const response = await app.request(path, { method: init.method ?? "GET", headers });
      return { status: response.status, received: await response.text() };
    },
  });
  return [
    at("/"),
    at("/frames"),
    at("/graph"),
    at("/metrics"),
    at("/approve/gate", { method: "POST" }),
    at("/deny/gate", { method: "POST", right: 409 }),
    at("/signal/go", { method: "POST" }),
    at("/cancel", { method: "POST" }),
    at("/events"),
    at("/output"),
    at("/nothing", { right: 404 }),
  ];
}

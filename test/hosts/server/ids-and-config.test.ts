import { once } from "node:events";
import { rmSync, symlinkSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startServer } from "../../../src/index.js";
import { Workspace } from "../../cli/support/treadle.js";
import { ASKS } from "../support/workflows.js";

/** A server of this process over two workflows, each with a database of its own by default. */
async function serving(databaseIn = (folder: string, name: string) => join(folder, `${name}.db`)) {
  const workspace = new Workspace({});
  const path = (name: string) => databaseIn(workspace.folder, name);
  for (const name of ["asks", "apart"]) {
    const options = JSON.stringify({ dbPath: path(name) });
    workspace.write(
      `${name}.tsx`,
      ASKS.replace("});\nexport", `}, ${options});\nexport`).replace('"asks"', `"${name}"`),
    );
  }
  const server = startServer({ port: 0, rootDir: workspace.folder });
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
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
  const get = async (route: string) =>
    (await (await fetch(`http://127.0.0.1:${port}${route}`)).json()) as Record<string, unknown>;
  return { workspace, get, post };
}

it("a start under the id of a run in another database is refused: ids alone tell runs apart", async () => {
  const { post } = await serving();
  const start = { runId: "one", input: { n: 1, ask: "person" } };
  expect((await post("/v1/runs", { ...start, workflowPath: "asks.tsx" })).status).toBe(201);
  expect(await post("/v1/runs", { ...start, workflowPath: "apart.tsx" })).toMatchObject({
    status: 400,
    body: { error: { code: "INVALID_INPUT", details: { runId: "one", workflowName: "asks" } } },
  });
});

it("a start that is made again is the same run, also where another workflow reaches its database by a symbolic link", async () => {
  const { post } = await serving((folder, name) => {
    const link = `${folder}-link`;
    if (name === "asks") return join(folder, "one.db");
    symlinkSync(folder, link);
    onTestFinished(() => rmSync(link));
    return join(link, "one.db");
  });
  const input = { n: 1, ask: "person" };
  expect((await post("/v1/runs", { workflowPath: "asks.tsx", runId: "zero", input })).status).toBe(201);
  const start = { workflowPath: "apart.tsx", runId: "one", input };
  expect((await post("/v1/runs", start)).status).toBe(201);
  expect(await post("/v1/runs", start)).toMatchObject({ status: 200, body: { runId: "one" } });
  expect((await post("/v1/runs", { ...start, workflowPath: "asks.tsx" })).status).toBe(400);
});

it("workflows with databases in memory have one each", async () => {
  const { get, post } = await serving(() => ":memory:");
  const input = { n: 1, ask: "person" };
  for (const workflow of ["asks", "apart"]) {
    const start = { workflowPath: `${workflow}.tsx`, runId: workflow, input };
    expect((await post("/v1/runs", start)).status).toBe(201);
  }
  for (const workflow of ["asks", "apart"]) {
    await expect.poll(async () => (await get(`/v1/runs/${workflow}`)).status).toBe("waiting-approval");
    expect((await post(`/v1/runs/${workflow}/nodes/gate/approve`, {})).status).toBe(200);
    await expect.poll(async () => (await get(`/v1/runs/${workflow}`)).status).toBe("finished");
  }
});

/** Fails the first time; then says how many of its three tasks were at work together. */
const PEAK = `
import { createService } from "treadle";
import { z } from "zod";
const { Workflow, Sequence, Parallel, Task, service, outputs } = createService(
  { first: z.object({}), side: z.object({}), output: z.object({ peak: z.number() }) },
  { dbPath: ":memory:" },
);
let tries = 0;
let live = 0;
let peak = 0;
const work = async () => {
  live += 1;
  peak = Math.max(peak, live);
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  live -= 1;
  return {};
};
export default service(() => (
  <Workflow name="peak">
    <Sequence>
      <Task id="first" output={outputs.first} retries={0}>
        {() => {
          tries += 1;
          if (tries === 1) throw new Error("not yet");
          return {};
        }}
      </Task>
      <Parallel>
        {["a", "b", "c"].map((id) => <Task key={id} id={id} output={outputs.side}>{work}</Task>)}
      </Parallel>
      <Task id="end" output={outputs.output}>{() => ({ peak })}</Task>
    </Sequence>
  </Workflow>
));
`;

it("a resume by POST /v1/runs takes its config, as a start does", async () => {
  const { workspace, get, post } = await serving();
  workspace.write("peak.tsx", PEAK);
  const start = { workflowPath: "peak.tsx", runId: "one" };
  const statusOf = async () => (await get("/v1/runs/one")).status;
  await post("/v1/runs", { ...start, config: { maxConcurrency: 1 } });
  await expect.poll(statusOf).toBe("failed");
  await post("/v1/runs", { ...start, resume: true, config: { maxConcurrency: 3 } });
  await expect.poll(statusOf).toBe("finished");
  expect(await get("/v1/runs/one/nodes/end")).toMatchObject({ output: { peak: 3 } });
});

it("a start under an id that a schedule of a gateway may want is refused", async () => {
  const { post } = await serving();
  const start = { workflowPath: "asks.tsx", input: { n: 1, ask: "person" } };
  expect(await post("/v1/runs", { ...start, runId: "cron:nightly:2026-01-01" })).toMatchObject({
    status: 400,
    body: { error: { code: "INVALID_INPUT", details: { option: "runId" } } },
  });
});

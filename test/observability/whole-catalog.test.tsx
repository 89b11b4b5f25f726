import type { SandboxProvider } from "../../src/model/sandbox-provider.js";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type AgentLike,
  approvalDecision,
  approveNode,
  cancelRun,
  createOpenApiToolSync,
  createServeApp,
  denyNode,
  renderPrometheusMetrics,
  replayRun,
  ServiceDb,
  serviceMetrics,
} from "../../src/index.js";
import { createMemoryStore } from "../../src/memory/index.js";
import { retryBusy } from "../../src/store/sqlite/retry-busy.js";
import { createTools } from "../../src/tools/index.js";
import { runVcs } from "../../src/vcs/run-vcs.js";
import { newRun, step } from "../conformance/store/fixtures.js";
import { counting } from "../hosts/gateway/cron/support/workflows.js";
import { openGateway } from "../hosts/gateway/support/gateway.js";
import { SocketClient } from "../hosts/gateway/support/socket-client.js";
import { asking } from "../hosts/gateway/support/workflows.js";
import { post, SECRET } from "../hosts/gateway/webhooks/support/hooks.js";
import { databasePath, openStore } from "../store/support/database.js";
import { holdLock } from "../store/support/lock-holder.js";
import { specOf } from "../openapi/support/spec-builder.js";
import { flow, openHotScene, task } from "../hot/support/hot-scene.js";
import { openScene } from "../support/engine/scene.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { settle } from "../support/engine/virtual-time.js";

/** A foreign parser, no stricter than Prometheus. */
const parse = createRequire(import.meta.url)("parse-prometheus-text-format") as (text: string) => {
  name: string;
  help: string;
  type: string;
  metrics: { value?: string; count?: string; buckets?: Record<string, string> }[];
}[];

type Key = keyof typeof serviceMetrics;

/** By a metric's name: the number of everything that was recorded in it, and for gauges their value. */
function totals(): Map<string, number> {
  return new Map(
    parse(renderPrometheusMetrics()).map(({ name, metrics }) => [
      name,
      // Of histograms with labels it keeps the buckets alone.
      metrics.reduce(
        (sum, { value, count, buckets }) => sum + Number(value ?? count ?? buckets?.["+Inf"]),
        0,
      ),
    ]),
  );
}

let before: Map<string, number>;
/** The largest that was seen while things were continuing, and what was left in the end. */
const seen = new Map<string, number>();
const look = () => {
  for (const [name, value] of totals()) seen.set(name, Math.max(value, seen.get(name) ?? -1));
};

const row = z.object({ n: z.number() });
const schemas = { row, gate: approvalDecision };
type LiveScene = ReturnType<typeof openScene<typeof schemas>>;

const keeper: AgentLike & { model: string } = {
  id: "keeper",
  model: "large-1",
  supportsNativeStructuredOutput: true,
  generate: async () => ({
    output: { n: 1 },
    usage: { inputTokens: 9, outputTokens: 8, cachedInputTokens: 3, cacheWriteTokens: 2, reasoningTokens: 4 },
  }),
};

const doingNothing: SandboxProvider = {
  id: "nothing",
  run({ heartbeat }) {
    look();
    heartbeat();
    return Promise.resolve({ status: "finished", output: { n: 1 } });
  },
};

/** Things queue, fail, are retried, are asked for, and time passes. */
async function liveThrough({ api, drive, run, resume, time }: LiveScene): Promise<void> {
  const { Workflow, Parallel, Sequence, Task, Timer, Approval, service, outputs } = api;
  const busy = service(() => (
    <Workflow name="busy">
      <Sequence>
        <Parallel maxConcurrency={1}>
          <Task id="slow" output={outputs.row}>
            {() => time.pause(1000).then(() => ({ n: 1 }))}
          </Task>
          <Task id="flaky" output={outputs.row} retries={1}>
            {(_inputs, { attempt }) => {
              if (attempt === 1) throw new Error("Not yet.");
              return { n: 1 };
            }}
          </Task>
        </Parallel>
        <Task id="ask" output={outputs.row} agent={keeper} cache={{}}>
          How many?
        </Task>
        <Approval id="gate" output={outputs.gate} request={{ title: "Continue?" }} onDeny="continue" />
        <Timer id="nap" duration="1h" />
      </Sequence>
    </Workflow>
  ));
  for (const [runId, decide] of [
    ["granted", approveNode],
    ["denied", denyNode],
  ] as const) {
    const suspended = drive(busy, { runId, maxConcurrency: 1 });
    await settle();
    look();
    expect((await time.until(suspended)).status).toBe("waiting-approval");
    look();
    await decide(busy, { runId, nodeId: "gate" });
    await time.advance(1000);
    expect((await drive(busy, { runId, resume: true })).status).toBe("waiting-timer");
    look();
    if (runId === "granted") {
      await time.sleepThrough(2 * 3_600_000);
      expect((await resume(busy, { runId })).status).toBe("finished");
    } else await cancelRun(busy, { runId });
  }
  const failing = service(() => (
    <Workflow name="failing">
      <Task id="failing" output={outputs.row} retries={0}>
        {() => {
          throw new Error("No.");
        }}
      </Task>
    </Workflow>
  ));
  expect((await run(failing, { runId: "failing" })).status).toBe("failed");
  const boxed = service(() => (
    <Workflow name="boxed">
      <api.Sandbox id="box" workflow={failing} provider={doingNothing} output={outputs.row} />
    </Workflow>
  ));
  const rootDir = temporaryFolder();
  expect((await run(boxed, { runId: "boxed", rootDir })).status).toBe("finished");
  const twice = service((ctx) => (
    <Workflow name="twice">{ctx.continuation === undefined && <api.ContinueAsNew state={2} />}</Workflow>
  ));
  await run(twice, { runId: "first" });
  await replayRun(failing, { runId: "failing" });
  const app = createServeApp({
    workflow: busy,
    adapter: new ServiceDb(busy.db),
    runId: "granted",
    abort: new AbortController(),
  });
  await app.request("/health");
}

async function callTools(): Promise<void> {
  const rootDir = temporaryFolder();
  writeFileSync(join(rootDir, "a.txt"), "needle\n".repeat(1000));
  const { read, grep } = createTools({ rootDir, maxOutputBytes: 100 });
  await grep.execute({ pattern: "needle" });
  await expect(read.execute({ path: "b.txt" })).rejects.toThrow();
  const spec = specOf({ "/pets": { get: { operationId: "pets" } } });
  const pets = createOpenApiToolSync(spec, "pets", { baseUrl: "http://127.0.0.1:9" });
  await expect(pets.execute({}, { abortSignal: AbortSignal.abort() })).rejects.toThrow();
  await runVcs("git", ["--version"], { cwd: rootDir });
}

function troubleTheDatabase({ store }: LiveScene): void {
  const policy = { path: "service.db", busyTimeoutMs: 1000 };
  let tries = 0;
  retryBusy("write", policy, () => {
    tries += 1;
    if (tries === 1) throw Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" });
  });
  const lease = { runId: "granted", ownerId: "somebody-else", epoch: 99 };
  expect(() => store.commit(step({ lease, run: { frameNo: 1 } }))).toThrow();
}

async function waitForALock(): Promise<void> {
  const path = databasePath();
  const store = openStore(path, {});
  store.prepare();
  await holdLock(path, 100);
  await store.createRun(newRun());
}

async function serve(): Promise<void> {
  const { call, until, url } = await openGateway((host, folder) => {
    host.register("count", counting(folder), { schedule: "0 0 1 1 *", webhook: { secret: SECRET } });
    host.register("ask", asking(folder));
  });
  await call("cronRun", { cronId: "gateway:count" });
  await post({ url }, "count", { body: {}, headers: { "x-hub-signature-256": "sha256=00" } });
  const { runId } = await call<{ runId: string }>("launchRun", { workflow: "ask" });
  await until(runId, "waiting-approval");
  const socket = await SocketClient.connect(url);
  await socket.result("streamRunEvents", { runId });
  look();
}

async function remember({ api }: LiveScene): Promise<void> {
  const memory = createMemoryStore(api.db);
  await memory.setFact("user:ada", "tea", "green");
  await memory.getFact("user:ada", "tea");
  await memory.recall({ namespace: "user:ada", query: "green" });
  const { threadId } = await memory.createThread("user:ada");
  await memory.saveMessage({ threadId, role: "user", contentJson: '"Hello."' });
}

/** Once as code that runs, once as code that does not. */
async function saveTwice(): Promise<void> {
  const scene = await openHotScene({ "flow.tsx": flow() });
  await scene.start();
  scene.save("flow.tsx", flow({ after: task("more", '"x"') }));
  await scene.next("WorkflowReloaded");
  scene.save("flow.tsx", "export default");
  await scene.next("WorkflowReloadFailed");
  await scene.finish();
}

describe("in a process that has done everything there is", () => {
  beforeAll(async () => {
    before = totals();
  });

  it("things happen", async () => {
    const scene = openScene(schemas);
    await liveThrough(scene);
    await saveTwice();
    await callTools();
    await remember(scene);
    troubleTheDatabase(scene);
    await waitForALock();
    await serve();
    look();
  });

  const keys = Object.keys(serviceMetrics) as Key[];
  it.each(keys)("%s has moved", (key) => {
    const { name } = serviceMetrics[key];
    expect(seen.get(name)).toBeGreaterThan(before.get(name) ?? Number.POSITIVE_INFINITY);
  });

  it("a foreign parser finds every metric, with its kind and its help", () => {
    const found = parse(renderPrometheusMetrics()).map(({ name, type, help }) => ({
      name,
      type: type.toLowerCase(),
      help,
    }));
    expect(found).toEqual(
      Object.values(serviceMetrics).map(({ name, type, help }) => ({ name, type, help })),
    );
  });
});

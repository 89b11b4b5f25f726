import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import {
  approvalDecision,
  createServeApp,
  type ServeApp,
  type ServeOptions,
  ServiceDb,
  ServiceError,
} from "../../../src/index.js";
import { serviceLog } from "../../../src/observability/log/service-log.js";
import { openScene } from "../../support/engine/scene.js";

/** A run that waits for a person, driven by no process, and its app. */
async function served(options: Partial<ServeOptions> = {}, ask: "person" | "program" = "person") {
  const scene = openScene({
    gate: approvalDecision,
    go: z.object({ n: z.number() }),
    output: z.object({ n: z.number() }),
  });
  const { Workflow, Sequence, Approval, Signal, Task, service, outputs } = scene.api;
  const workflow = service(() => (
    <Workflow name="served">
      <Sequence>
        {ask === "person" ? (
          <Approval id="gate" output={outputs.gate} request={{ title: "Go?" }} />
        ) : (
          <Signal id="go" schema={outputs.go} />
        )}
        <Task id="end" output={outputs.output}>
          {{ n: 1 }}
        </Task>
      </Sequence>
    </Workflow>
  ));
  await scene.run(workflow);
  const abort = new AbortController();
  const adapter = new ServiceDb(workflow.db);
  const app = createServeApp({ workflow, adapter, runId: "run", abort, ...options });
  return { ...scene, app, abort };
}

const post = (app: ServeApp, path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  app.request(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });

describe("the app of one run", () => {
  it("shows the run, its frames, its graph and its health", async () => {
    const { app } = await served();
    expect(await (await app.request("/health")).json()).toEqual({ ok: true, ready: true });
    expect(await (await app.request("/")).json()).toMatchObject({
      runId: "run",
      status: "waiting-approval",
      blockers: [{ kind: "approval", nodeId: "gate" }],
    });
    const { frames } = (await (await app.request("/frames")).json()) as { frames: unknown[] };
    expect(frames).toHaveLength(1);
    expect(await (await app.request("/graph")).json()).toMatchObject({
      frameNo: 1,
      tasks: [{ nodeId: "gate" }, { nodeId: "end" }],
    });
  });

  it("continues with the run once it is approved", async () => {
    const { app, store } = await served();
    expect((await post(app, "/approve/gate", { decidedBy: "ann" })).status).toBe(200);
    await expect.poll(async () => (await store.getRun("run"))?.status).toBe("finished");
    expect((await post(app, "/approve/gate")).status).toBe(409);
  });

  it("takes no decision in a name that hosts give to what is no user", async () => {
    const { app, store } = await served({ resumes: false });
    expect((await post(app, "/approve/gate", { decidedBy: "service:auto" })).status).toBe(400);
    expect((await store.getApproval("run", "gate", 0))?.decision).toBeNull();
  });

  it("continues with the run once it is signalled, and fails it once it is denied", async () => {
    const signalled = await served({}, "program");
    expect((await post(signalled.app, "/signal/go", { data: { n: 2 } })).status).toBe(200);
    const denied = await served();
    expect((await post(denied.app, "/deny/gate", { note: "no" })).status).toBe(200);
    const status = async ({ store }: typeof denied) => (await store.getRun("run"))?.status;
    await expect.poll(() => status(signalled)).toBe("finished");
    await expect.poll(() => status(denied)).toBe("failed");
  });

  it("leaves continuing to others when it is configured so", async () => {
    const { app, store } = await served({ resumes: false });
    expect((await post(app, "/approve/gate")).status).toBe(200);
    expect(await store.getRun("run")).toMatchObject({ status: "waiting-approval", ownerId: null });
  });

  it("cancels the run when it is asked to, and when its controller is aborted", async () => {
    const asked = await served();
    expect((await post(asked.app, "/cancel", { reason: "enough" })).status).toBe(200);
    expect(asked.abort.signal.aborted).toBe(true);
    const aborted = await served();
    aborted.abort.abort();
    for (const { store } of [asked, aborted]) {
      await expect.poll(async () => (await store.getRun("run"))?.status).toBe("cancelled");
    }
    const release = await served();
    release.abort.abort(new ServiceError("PROCESS_ABORTED", "The process ends."));
    await post(release.app, "/");
    expect((await release.store.getRun("run"))?.status).toBe("waiting-approval");
  });

  it("ends its streams with the end of a run that is cancelled, and at once when it releases the run", async () => {
    for (const cancel of [
      ({ app }: Awaited<ReturnType<typeof served>>) => post(app, "/cancel"),
      async ({ abort }: Awaited<ReturnType<typeof served>>) => abort.abort(),
    ]) {
      const scene = await served();
      const streamed = (await scene.app.request("/events")).text();
      await cancel(scene);
      expect(await streamed).toMatch(/\nevent: RunCancelled\n[^]*\nevent: end\ndata: .*"cancelled"/);
    }
    const { app, abort } = await served();
    const streamed = (await app.request("/events")).text();
    abort.abort(new ServiceError("PROCESS_ABORTED", "The process ends."));
    for (const text of [await streamed, await (await app.request("/events")).text()]) {
      expect(text).not.toContain("event: end");
    }
  });

  it("tells the log of a run that it cannot cancel", async () => {
    const { abort, store } = await served();
    vi.spyOn(store, "getRun").mockRejectedValue(new ServiceError("STORAGE_ERROR", "The disk is gone."));
    const logged = vi.spyOn(serviceLog, "log").mockImplementation(() => {});
    abort.abort();
    await expect
      .poll(() => logged.mock.calls)
      .toMatchObject([["Error", expect.any(String), { runId: "run", code: "STORAGE_ERROR" }]]);
    vi.restoreAllMocks();
  });

  it("lets in who has its token, by either header, and everybody to its health", async () => {
    const { app } = await served({ authToken: "correct" });
    const status = async (path: string, headers: Record<string, string>) =>
      (await app.request(path, { headers })).status;
    for (const path of ["/", "/events", "/frames", "/graph", "/metrics", "/nowhere"]) {
      expect(await status(path, {})).toBe(401);
      expect(await status(path, { authorization: "Bearer wrong" })).toBe(401);
      expect(await status(path, { "x-service-key": "wrong" })).toBe(401);
    }
    for (const path of ["/approve/gate", "/deny/gate", "/signal/go", "/cancel"]) {
      expect((await post(app, path)).status).toBe(401);
    }
    expect(await status("/", { authorization: "Bearer correct" })).toBe(200);
    expect(await status("/", { "x-service-key": "correct" })).toBe(200);
    expect(await status("/health", {})).toBe(200);
  });

  it("takes its token from the environment when it is given none", async () => {
    vi.stubEnv("SERVICE_API_KEY", "from-outside");
    const { app } = await served();
    vi.unstubAllEnvs();
    expect((await app.request("/")).status).toBe(401);
    expect((await app.request("/", { headers: { "x-service-key": "from-outside" } })).status).toBe(200);
  });

  it("shows metrics by default", async () => {
    const { app } = await served();
    const metrics = await app.request("/metrics");
    expect(metrics.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(await metrics.text()).toContain("service_runs_total");
    expect((await (await served({ metrics: false })).app.request("/metrics")).status).toBe(404);
  });

  it("is a part of a larger app", async () => {
    const { app } = await served();
    const { Hono } = await import("hono");
    const outer = new Hono().mount("/run", app.fetch);
    expect(await (await outer.request("/run")).json()).toMatchObject({ runId: "run" });
    expect((await outer.request("/run/health")).status).toBe(200);
  });

  it("refuses options that it does not know, or that are not what they should be", async () => {
    for (const options of [{ adapter: {} }, { runId: "" }, { abort: {} }, { metric: false }]) {
      await expect(served(options as Partial<ServeOptions>)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    }
  });
});

it("a stream that is opened after the app has closed, and has no reader, leaves no timer", async () => {
  const { app, abort } = await served();
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  abort.abort(new ServiceError("PROCESS_ABORTED", "The host closes."));
  const before = timers();
  const set = vi.spyOn(globalThis, "setInterval");
  for (const path of ["/events", "/output"]) await app.request(path);
  expect(set).not.toHaveBeenCalled();
  set.mockRestore();
  expect(timers()).toBeLessThanOrEqual(before);
});

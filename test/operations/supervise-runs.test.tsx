import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  createService,
  explainRun,
  getRun,
  listRuns,
  runWorkflow,
  type ServiceWorkflow,
  signalRun,
  superviseRuns,
} from "../../src/index.js";
import { isWorthATry, nextFailure } from "../../src/operations/supervise/back-off.js";
import { openScene } from "../support/engine/scene.js";

function twoWorkflows() {
  const { api, store } = openScene({ go: z.object({ n: z.number() }), output: z.object({ n: z.number() }) });
  const { Workflow, Sequence, Signal, Task, outputs, service } = api;
  const named = (name: string, id = "double") =>
    service(() => (
      <Workflow name={name}>
        <Sequence>
          <Signal id="go" schema={outputs.go} />
          <Task id={id} output={outputs.output} deps={{ go: outputs.go }}>
            {({ go }) => ({ n: go.n * 2 })}
          </Task>
        </Sequence>
      </Workflow>
    ));
  return { store, named };
}

/** Supervises until `isDone`, which sees each report. */
async function superviseUntil(
  workflows: Record<string, ServiceWorkflow>,
  isDone: (told: string) => boolean,
): Promise<string[]> {
  const stop = new AbortController();
  const told: string[] = [];
  const tell = (text: string) => {
    told.push(text);
    if (isDone(text)) stop.abort();
  };
  await superviseRuns(workflows, {
    signal: stop.signal,
    intervalMs: 20,
    onPickUp: ({ run, reason }) => tell(`${run.runId} ${reason}`),
    onEnd: ({ runId, status }) => tell(`${runId} ${status}`),
    onError: (run, error) => tell(`${run?.runId} ${(error as { code?: string }).code}`),
    onUnknown: ({ run }) => tell(`${run.runId} unknown`),
  });
  return told;
}

describe("superviseRuns", () => {
  it("refuses a list of workflows, or one by itself: it would find no run for them", async () => {
    const one = twoWorkflows().named("a");
    for (const given of [[one], one, { a: undefined }]) {
      const supervising = superviseRuns(given as unknown as Record<string, ServiceWorkflow>, {
        signal: AbortSignal.abort(),
      });
      await expect(supervising).rejects.toMatchObject({
        code: "INVALID_INPUT",
        message: expect.stringContaining("workflows by their names"),
      });
    }
  });

  it("continues runs by the name of their workflow, and names once those that it has none for", async () => {
    const { named } = twoWorkflows();
    const [a, b] = [named("a"), named("b")];
    for (const [runId, workflow] of [
      ["run-b", b],
      ["run-a", a],
    ] as const) {
      await runWorkflow(workflow, { runId, input: {} });
      await signalRun(workflow, { runId, signal: "go", data: { n: 2 } });
    }
    const told = await superviseUntil({ a }, (text) => text === "run-a finished");
    expect(told).toEqual(["run-b unknown", "run-a answered", "run-a finished"]);
  });

  it("looks after each of several databases in memory", async () => {
    const workflows = Object.fromEntries(
      ["a", "b"].map((name) => {
        const schemas = { go: z.object({ n: z.number() }), output: z.object({ n: z.number() }) };
        const { Workflow, Signal, service, outputs } = createService(schemas, { dbPath: ":memory:" });
        const workflow = service(() => (
          <Workflow name={name}>
            <Signal id="go" schema={outputs.go} />
          </Workflow>
        ));
        return [name, workflow as ServiceWorkflow];
      }),
    );
    for (const [runId, workflow] of Object.entries(workflows)) {
      expect((await runWorkflow(workflow, { runId, input: {} })).status).toBe("waiting-event");
      await signalRun(workflow, { runId, signal: "go", data: { n: 1 } });
    }
    const ends: string[] = [];
    await superviseUntil(workflows, (text) => text.endsWith("finished") && ends.push(text) === 2);
    expect(ends.sort()).toEqual(["a finished", "b finished"]);
  });

  it("continues whatever its listeners throw, and takes it for no failure of a run", async () => {
    const { named, store } = twoWorkflows();
    const [a, b] = [named("a"), named("b")];
    for (const [runId, workflow] of [
      ["first", a],
      ["second", a],
      ["unknown", b],
    ] as const) {
      await runWorkflow(workflow, { runId, input: {} });
      await signalRun(workflow, { runId, signal: "go", data: { n: 2 } });
    }
    const ended: string[] = [];
    const broken = () => {
      throw new Error("the listener is broken");
    };
    const stop = new AbortController();
    await superviseRuns(
      { a },
      {
        signal: stop.signal,
        intervalMs: 20,
        onPickUp: broken,
        onUnknown: async () => broken(),
        onError: broken,
        onEnd({ runId }) {
          ended.push(runId);
          if (ended.length === 2) stop.abort();
          broken();
        },
      },
    );
    expect(ended.sort()).toEqual(["first", "second"]);
    for (const runId of ended) expect(await store.resumeFailure(runId)).toBeUndefined();
  });

  it("keeps with the run why it could not continue, until it can", async () => {
    const { named, store } = twoWorkflows();
    const before = named("a");
    await runWorkflow(before, { runId: "run", input: {} });
    await signalRun(before, { runId: "run", signal: "go", data: { n: 2 } });
    const changed = named("a", "another");
    const told = await superviseUntil({ a: changed }, (text) => text.endsWith("MISMATCH"));
    expect(told).toEqual(["run answered", "run RESUME_METADATA_MISMATCH"]);
    expect((await explainRun(before, "run")).blockers).toContainEqual(
      expect.objectContaining({
        kind: "code-changed",
        changes: expect.arrayContaining([expect.anything()]),
        remedy: { action: "resume", runId: "run", needsWorkflow: true, acceptWorkflowChange: true },
      }),
    );
    expect((await getRun(before, "run")).resumeFailure).toMatchObject({ failures: 1 });
    await signalRun(before, { runId: "run", signal: "something new" });
    await superviseUntil({ a: before }, (text) => text === "run finished");
    expect(await store.resumeFailure("run")).toBeUndefined();
  });

  it("says nothing of that once another process has brought the run to its end", async () => {
    const { named, store } = twoWorkflows();
    const workflow = named("a");
    await runWorkflow(workflow, { runId: "run", input: {} });
    await signalRun(workflow, { runId: "run", signal: "go", data: { n: 2 } });
    await runWorkflow(workflow, { runId: "run", resume: true });
    const error = { name: "ServiceError", message: "It was busy.", code: "RUN_OWNER_ALIVE" };
    await store.setResumeFailure("run", {
      failures: 1,
      failedAtMs: 1,
      retryAtMs: 2,
      error,
      pendingIntents: 0,
      code: null,
    });
    expect(await getRun(workflow, "run")).toMatchObject({
      status: "finished",
      resumeFailure: null,
      blockers: [],
    });
    expect((await listRuns(workflow)).runs).toMatchObject([{ status: "finished", resumeFailure: null }]);
  });

  it("leaves runs resumable when it is stopped", async () => {
    const { named, store } = twoWorkflows();
    const workflow = named("a");
    await runWorkflow(workflow, { runId: "run", input: {} });
    await signalRun(workflow, { runId: "run", signal: "not this one" });
    await superviseUntil({ a: workflow }, (text) => text === "run answered");
    expect((await store.getRun("run"))?.status).toMatch(/^(waiting-event|running)$/);
  });

  it("refuses to look after nothing", async () => {
    const { signal } = new AbortController();
    await expect(superviseRuns({}, { signal })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});

describe("a run that cannot be continued", () => {
  const error = new Error("no");
  const at = (nowMs: number, pendingIntents = 3, code: string | null = "v1") => ({
    nowMs,
    pendingIntents,
    code,
  });

  it("is tried again after 1, 2, 4 … seconds, never later than after five minutes", () => {
    let failure = nextFailure(undefined, error, at(0));
    const waits: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      waits.push(failure.retryAtMs - failure.failedAtMs);
      failure = nextFailure(failure, error, at(failure.retryAtMs));
    }
    expect(waits.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(waits.at(-1)).toBe(300_000);
  });

  it("is tried at once when there is something new, or the clock was set back", () => {
    const failure = nextFailure(undefined, error, at(10_000));
    expect(isWorthATry(failure, at(10_500))).toBe(false);
    expect(isWorthATry(failure, at(11_000))).toBe(true);
    expect(isWorthATry(failure, at(10_500, 4))).toBe(true);
    expect(isWorthATry(failure, at(10_500, 3, "v2"))).toBe(true);
    expect(isWorthATry(failure, at(10_500, 3, null))).toBe(false);
    expect(isWorthATry(failure, at(9_000))).toBe(true);
  });
});

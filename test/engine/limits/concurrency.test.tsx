import { describe, expect, it } from "vitest";
import { z } from "zod";
import { explainRun, type NamedLimits } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";

function crowd(limits: NamedLimits) {
  const scene = openScene({ row: z.object({ n: z.number() }) }, { limits });
  const { Workflow, Parallel, Task, outputs, service } = scene.api;
  let running = 0;
  const begun: string[] = [];
  const seen = { most: 0 };
  const workflow = (count: number, props: { limit?: string; timeoutMs?: number; retries?: number } = {}) =>
    service(() => (
      <Workflow name="crowd">
        <Parallel>
          {Array.from({ length: count }, (_, n) => (
            <Task key={n} id={`t-${n}`} output={outputs.row} {...props}>
              {async (_inputs, { runId, signal }) => {
                begun.push(runId);
                running += 1;
                seen.most = Math.max(seen.most, running);
                try {
                  await scene.time.pause(1_000, signal);
                } finally {
                  running -= 1;
                }
                return { n };
              }}
            </Task>
          ))}
        </Parallel>
      </Workflow>
    ));
  return { ...scene, workflow, begun, seen };
}

describe("a limit of concurrency", () => {
  it("holds for all runs of the database together", async () => {
    const { workflow, drive, time, seen } = crowd({ "model-x": { concurrency: 2 } });
    const flow = workflow(6, { limit: "model-x" });
    const runs = ["a", "b", "c"].map((runId) => drive(flow, { runId }));
    const results = await time.until(Promise.all(runs));
    expect(results.map(({ status }) => status)).toEqual(["finished", "finished", "finished"]);
    expect(seen.most).toBe(2);
  });

  it("lets tasks without it pass", async () => {
    const scene = openScene(
      { row: z.object({ n: z.number() }) },
      { limits: { "model-x": { concurrency: 1 } } },
    );
    const { Workflow, Parallel, Task, outputs, service } = scene.api;
    const order: string[] = [];
    const task = (id: string, limit?: string) => (
      <Task key={id} id={id} output={outputs.row} {...(limit !== undefined && { limit })}>
        {async () => {
          await scene.time.pause(1_000);
          order.push(id);
          return { n: 1 };
        }}
      </Task>
    );
    const flow = service(() => (
      <Workflow name="mixed">
        <Parallel>
          {["l-1", "l-2", "l-3"].map((id) => task(id, "model-x"))}
          {["free-1", "free-2"].map((id) => task(id))}
        </Parallel>
      </Workflow>
    ));
    await scene.run(flow, { maxConcurrency: 3 });
    expect(order.slice(0, 3).sort()).toEqual(["free-1", "free-2", "l-1"]);
  });

  it("makes a task wait before its attempt begins: no retry is used, and no time of its timeout", async () => {
    const { workflow, run, attempts, time, drive } = crowd({ "model-x": { concurrency: 1 } });
    const flow = workflow(3, { limit: "model-x", timeoutMs: 1_500, retries: 0 });
    const result = await time.until(drive(flow));
    expect(result.status).toBe("finished");
    const rows = await Promise.all([0, 1, 2].map((n) => attempts(`t-${n}`)));
    expect(rows.map((each) => each.length)).toEqual([1, 1, 1]);
    void run;
  });

  it("respects the caps around a task", async () => {
    const scene = openScene(
      { row: z.object({ n: z.number() }) },
      { limits: { "model-x": { concurrency: 3 } } },
    );
    const { Workflow, Parallel, Task, outputs, service } = scene.api;
    let running = 0;
    let most = 0;
    const flow = service(() => (
      <Workflow name="capped">
        <Parallel maxConcurrency={1}>
          {[1, 2, 3, 4, 5].map((n) => (
            <Task key={n} id={`t-${n}`} output={outputs.row} limit="model-x">
              {async () => {
                running += 1;
                most = Math.max(most, running);
                await scene.time.pause(1_000);
                running -= 1;
                return { n };
              }}
            </Task>
          ))}
        </Parallel>
      </Workflow>
    ));
    expect(await scene.run(flow)).toMatchObject({ status: "finished" });
    expect(most).toBe(1);
  });
});

describe("fairness", () => {
  it("gives a run with one task its slot although another has a hundred waiting", async () => {
    const { workflow, drive, time, begun } = crowd({ "model-x": { concurrency: 1 } });
    const large = drive(workflow(100, { limit: "model-x" }), { runId: "large" });
    await time.advance(1_500);
    const small = drive(workflow(1, { limit: "model-x" }), { runId: "small" });
    await time.until(Promise.all([small, large]));
    expect(begun.indexOf("small")).toBeLessThanOrEqual(3);
    expect(begun).toHaveLength(101);
  });
});

describe("a limit per minute", () => {
  it("never lets more start within any minute", async () => {
    const { workflow, drive, time, store } = crowd({ "model-x": { perMinute: 3 } });
    const flow = workflow(8, { limit: "model-x" });
    await time.until(Promise.all(["a", "b"].map((runId) => drive(flow, { runId, maxConcurrency: 8 }))));
    const starts = ["a", "b"]
      .flatMap((runId) => store.listAttempts(runId) as { startedAtMs: number }[])
      .map(({ startedAtMs }) => startedAtMs)
      .sort((one, other) => one - other);
    expect(starts).toHaveLength(16);
    for (let at = 3; at < starts.length; at += 1) {
      expect((starts[at] as number) - (starts[at - 3] as number)).toBeGreaterThanOrEqual(60_000);
    }
    // As fast as that allows, too.
    expect((starts.at(-1) as number) - (starts[0] as number)).toBe(5 * 60_000);
  });
});

describe("what keeps a task from its slot", () => {
  it("is explained: who holds it, who comes first, and when the rate allows the next", async () => {
    const { workflow, drive, time } = crowd({ "model-x": { concurrency: 1, perMinute: 2 } });
    const first = workflow(3, { limit: "model-x" });
    const runs = [drive(first, { runId: "a" })];
    await time.advance(100);
    const { blockers: held } = await explainRun(first, "a");
    expect(held).toMatchObject([
      {
        kind: "limit",
        nodeId: "t-1",
        ahead: 0,
        limits: [{ name: "model-x", holders: [{ runId: "a", nodeId: "t-0" }], opensAtMs: null }],
        summary:
          "t-1 could start, but waits for a slot of the limit model-x (1 at once; 2 a minute; held by t-0 of run a).",
      },
      { kind: "limit", nodeId: "t-2" },
    ]);
    expect(held[0]).not.toHaveProperty("untilMs");
    const begunAtMs = time.now() - 100;
    await time.advance(2_100);
    const { blockers: rated } = await explainRun(first, "a");
    expect(rated).toMatchObject([{ kind: "limit", nodeId: "t-2", untilMs: begunAtMs + 60_000 }]);
    await time.until(Promise.all(runs));
  });
});

describe("a run whose tasks wait for a slot", () => {
  it("can be cancelled", async () => {
    const { workflow, drive, time, begun } = crowd({ "model-x": { concurrency: 1 } });
    const holder = drive(workflow(1, { limit: "model-x" }), { runId: "holder" });
    await time.advance(100);
    const stop = new AbortController();
    const waiting = drive(workflow(2, { limit: "model-x" }), { runId: "waiting", signal: stop.signal });
    await time.advance(100);
    stop.abort();
    await time.advance(0);
    expect((await waiting).status).toBe("cancelled");
    expect((await time.until(holder)).status).toBe("finished");
    expect(begun).toEqual(["holder"]);
  });
});

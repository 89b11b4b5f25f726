import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Scorer } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";
import { scorer, scoresOf } from "./support.js";

const schemas = { note: z.object({ text: z.string() }) };

function scene(score: Scorer["score"], id?: string) {
  const open = openScene(schemas);
  const { Workflow, Task, service, outputs } = open.api;
  const workflow = service(() => (
    <Workflow name="w">
      <Task id="a" output={outputs.note} scorers={{ style: { scorer: scorer(score, id) } }}>
        {{ text: "a" }}
      </Task>
      <Task id="b" output={outputs.note}>
        {{ text: "b" }}
      </Task>
    </Workflow>
  ));
  return { ...open, workflow };
}

const cyclic: Record<string, unknown> = {};
cyclic["self"] = cyclic;

const WAYS: [what: string, score: Scorer["score"], said: string][] = [
  ["throws", () => Promise.reject(new Error("no model")), "threw: no model"],
  [
    "throws at once",
    () => {
      throw new TypeError("x is not a function");
    },
    "threw: x is not a function",
  ],
  ["returns NaN", async () => ({ score: Number.NaN }), "no finite number: NaN"],
  ["returns Infinity", async () => ({ score: Number.POSITIVE_INFINITY }), "no finite number: Infinity"],
  ["returns a text", async () => ({ score: "1" }) as never, 'no finite number: "1"'],
  ["returns nothing", async () => undefined as never, "returned undefined instead of {score}"],
  ["returns null", async () => null as never, "returned null instead of {score}"],
  [
    "gives a reason that is no text",
    async () => ({ score: 1, reason: 5 }) as never,
    "a reason that is no text: 5",
  ],
  ["gives meta that JSON does not hold", async () => ({ score: 1, meta: cyclic }), "no object of plain JSON"],
];

describe("a scorer that fails", () => {
  it.each(WAYS)("because it %s leaves the task and the run as they are", async (_what, score, said) => {
    const healthy = scene(async () => ({ score: 1 }));
    const broken = scene(score);
    expect((await healthy.run(healthy.workflow)).status).toBe("finished");
    expect((await broken.run(broken.workflow)).status).toBe("finished");
    expect(await scoresOf(broken)).toMatchObject([
      {
        state: "failed",
        score: null,
        error: {
          code: "SCORER_FAILED",
          details: { scorer: "style" },
          message: expect.stringContaining(said),
        },
      },
    ]);
    expect(await broken.events("ScorerFailed")).toMatchObject([
      { nodeId: "a", iteration: 0, attempt: 1, scorerId: "style", error: { code: "SCORER_FAILED" } },
    ]);
    const rows = async (of: typeof broken) => [
      await of.store.listOutputs("run", "note"),
      (await of.store.listNodes("run")).map(({ state, failures, error }) => ({ state, failures, error })),
    ];
    expect(await rows(broken)).toEqual(await rows(healthy));
  });

  it("with an uncaught error fails itself, not the process", async () => {
    const open = scene(() => {
      setImmediate(() => {
        throw new Error("stray");
      });
      return new Promise(() => {});
    });
    expect((await open.run(open.workflow)).status).toBe("finished");
    expect(await scoresOf(open)).toMatchObject([{ state: "failed", error: { message: "stray" } }]);
  });

  it("by never answering is given up after scorerTimeoutMs, and its signal fires", async () => {
    let reason: unknown;
    const open = scene(
      ({ signal }) =>
        new Promise(() => {
          signal?.addEventListener("abort", () => {
            reason = signal.reason;
          });
        }),
    );
    const run = open.drive(open.workflow, { scorerTimeoutMs: 5_000 });
    await open.time.advance(4_999);
    expect((await open.store.getRun("run"))?.status).toBe("running");
    await open.time.advance(1);
    expect((await run).status).toBe("finished");
    expect(reason).toMatchObject({ code: "SCORER_FAILED" });
    expect(await scoresOf(open)).toMatchObject([
      { state: "failed", error: { code: "SCORER_FAILED", message: expect.stringContaining("5000 ms") } },
    ]);
  });

  it("keeps a run from its end for 60 seconds unless the run says otherwise", async () => {
    const open = scene(() => new Promise(() => {}));
    const run = open.drive(open.workflow);
    await open.time.advance(59_999);
    expect((await open.store.getRun("run"))?.status).toBe("running");
    await open.time.advance(1);
    expect((await run).status).toBe("finished");
  });

  it("has its score brought into 0 to 1 when it is a number outside of that", async () => {
    const high = scene(async () => ({ score: 7 }));
    const low = scene(async () => ({ score: -7 }));
    await high.run(high.workflow);
    await low.run(low.workflow);
    expect([(await scoresOf(high))[0]?.score, (await scoresOf(low))[0]?.score]).toEqual([1, 0]);
  });
});

it("hundreds of scorers that hang end together, once the run has waited for them as long as for one", async () => {
  const open = openScene(schemas);
  const { Workflow, Parallel, Task, service, outputs } = open.api;
  const stuck = scorer(() => new Promise(() => {}));
  const workflow = service(() => (
    <Workflow name="w">
      <Parallel maxConcurrency={100}>
        {Array.from({ length: 100 }, (_, index) => (
          <Task key={index} id={`t${index}`} output={outputs.note} scorers={{ stuck: { scorer: stuck } }}>
            {{ text: "a" }}
          </Task>
        ))}
      </Parallel>
    </Workflow>
  ));
  const run = open.drive(workflow, { maxConcurrency: 100, scorerTimeoutMs: 1_000 });
  await open.time.advance(1_000);
  expect((await run).status).toBe("finished");
  const scores = await scoresOf(open);
  expect(scores).toHaveLength(100);
  expect(new Set(scores.map(({ state }) => state))).toEqual(new Set(["failed"]));
});

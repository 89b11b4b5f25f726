import type { ReactNode } from "react";
import { taskKey } from "../../src/model/address.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ServiceError, useCtx } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { step: z.object({ n: z.number() }), seen: z.object({ facts: z.array(z.string()) }) };

describe("inside a loop", () => {
  it("a node's plain name means its row of this iteration, and latest() the newest there is", async () => {
    const { api, run, store } = openScene(schemas);
    const { Workflow, Task, Loop, outputs, service } = api;
    function Look() {
      const ctx = useCtx();
      const facts = [
        `iteration ${ctx.iteration} of ${ctx.iterations["rounds"]}`,
        `own ${ctx.outputMaybe("step", { nodeId: "round" })?.["n"]}`,
        `first ${ctx.outputMaybe("step", { nodeId: "round", iteration: 0 })?.["n"]}`,
        `latest ${ctx.latest("step", "round")?.["n"]}`,
        `count ${ctx.iterationCount("step", "round")}`,
        `before ${ctx.outputMaybe("step", { nodeId: "before" })?.["n"]}`,
      ];
      return (
        <Task id="look" output={outputs.seen}>
          {{ facts }}
        </Task>
      );
    }
    await run(
      service(() => (
        <Workflow name="rounds">
          <Task id="before" output={outputs.step}>
            {{ n: 99 }}
          </Task>
          <Loop id="rounds" maxIterations={3}>
            <Task id="round" output={outputs.step}>
              {(_inputs, { iteration }) => ({ n: 10 + iteration })}
            </Task>
            <Look />
          </Loop>
        </Workflow>
      )),
    );
    const rows = await store.listOutputs("run", "seen");
    expect(rows.map(({ facts }) => facts)).toEqual([
      ["iteration 0 of 0", "own 10", "first 10", "latest 10", "count 1", "before 99"],
      ["iteration 1 of 1", "own 11", "first 10", "latest 11", "count 2", "before 99"],
      ["iteration 2 of 2", "own 12", "first 10", "latest 12", "count 3", "before 99"],
    ]);
  });

  it("a row of the last iteration is not this iteration's", async () => {
    const { api, run } = openScene(schemas);
    const { Workflow, Task, Loop, outputs, service } = api;
    const seen: (number | undefined)[] = [];
    function Look() {
      const ctx = useCtx();
      // The first frame of an iteration: its task has not run yet.
      if (ctx.iterationCount("step", "round") === ctx.iteration) {
        seen.push(ctx.outputMaybe("step", { nodeId: "round" })?.["n"] as number | undefined);
      }
      return null;
    }
    await run(
      service(() => (
        <Workflow name="rounds">
          <Loop id="rounds" maxIterations={3}>
            <Look />
            <Task id="round" output={outputs.step}>
              {(_inputs, { iteration }) => ({ n: iteration })}
            </Task>
          </Loop>
        </Workflow>
      )),
    );
    expect(new Set(seen)).toEqual(new Set([undefined]));
  });

  it("nor is a row of an inner loop's last time round, before that has begun anew", async () => {
    const { api, run } = openScene(schemas);
    const { Workflow, Sequence, Task, Loop, outputs, service } = api;
    const seen: string[] = [];
    function Inner() {
      const ctx = useCtx();
      const first = ctx.outputMaybe("step", { nodeId: "first" });
      seen.push(`${ctx.iteration}: ${ctx.outputMaybe("step", { nodeId: "second" })?.["n"]}`);
      return (
        <Loop id="inner" maxIterations={1}>
          <Task id="first" output={outputs.step}>
            {{ n: 1 }}
          </Task>
          {first === undefined ? null : (
            <Task id="second" output={outputs.step}>
              {(_inputs, { nodeId }) => ({ n: Number(nodeId.split("=")[1]) })}
            </Task>
          )}
        </Loop>
      );
    }
    await run(
      service(() => (
        <Workflow name="rounds">
          <Loop id="outer" maxIterations={2}>
            <Sequence>
              <Inner />
            </Sequence>
          </Loop>
        </Workflow>
      )),
    );
    expect(new Set(seen)).toEqual(new Set(["0: undefined", "0: 0", "1: undefined", "1: 1"]));
  });
});

describe("outside its loop", () => {
  it("a looped node's plain name means the row of the loop's current iteration", async () => {
    const { api, run } = openScene(schemas);
    const { Workflow, Task, Loop, outputs, service } = api;
    const seen: string[] = [];
    await run(
      service((ctx) => {
        seen.push(`${ctx.iteration}: ${ctx.outputMaybe("step", { nodeId: "round" })?.n}`);
        return (
          <Workflow name="rounds">
            <Loop id="rounds" until={ctx.latest("step", "round")?.n === 2} maxIterations={9}>
              <Task id="round" output={outputs.step}>
                {(_inputs, { iteration }) => ({ n: iteration })}
              </Task>
            </Loop>
          </Workflow>
        );
      }),
    );
    const distinct = seen.filter((fact, index) => fact !== seen[index - 1]);
    expect(distinct).toEqual(["0: undefined", "0: 0", "1: undefined", "1: 1", "2: undefined", "2: 2"]);
  });

  it("of two loops one after the other, the one under way gives the iteration", async () => {
    const { api, run } = openScene(schemas);
    const { Workflow, Task, Loop, outputs, service } = api;
    const seen: number[] = [];
    await run(
      service((ctx) => (
        <Workflow name="two">
          {["first", "second"].map((name) => (
            <Loop key={name} id={name} maxIterations={3}>
              <Task id={`in-${name}`} output={outputs.step}>
                {() => {
                  seen.push(ctx.iteration);
                  return { n: ctx.iteration };
                }}
              </Task>
            </Loop>
          ))}
        </Workflow>
      )),
    );
    expect(seen).toEqual([0, 1, 2, 0, 1, 2]);
  });
});

describe("loops inside loops", () => {
  it("begin anew in each outer round also for latest() and iterationCount(), from its first frame on", async () => {
    const { api, run } = openScene(schemas);
    const { Workflow, Sequence, Task, Loop, outputs, service } = api;
    const seen: string[] = [];
    function Look({ children }: { children: ReactNode }) {
      const ctx = useCtx();
      const latest = ctx.latest("step", "tick")?.["n"];
      const fact = `outer ${ctx.iteration}: ${latest} of ${ctx.iterationCount("step", "tick")}`;
      if (seen.at(-1) !== fact) seen.push(fact);
      return children;
    }
    await run(
      service(() => (
        <Workflow name="nested">
          <Loop id="outer" maxIterations={2}>
            <Look>
              <Sequence>
                <Loop id="inner" maxIterations={2}>
                  <Task id="tick" output={outputs.step}>
                    {(_inputs, { iteration }) => ({ n: iteration })}
                  </Task>
                </Loop>
              </Sequence>
            </Look>
          </Loop>
        </Workflow>
      )),
    );
    expect(seen).toEqual([
      "outer 0: undefined of 0",
      "outer 0: 0 of 1",
      "outer 0: 1 of 2",
      "outer 1: undefined of 0",
      "outer 1: 0 of 1",
      "outer 1: 1 of 2",
    ]);
  });

  /** Two outer rounds of two inner rounds each; `stopAt` interrupts the run in that attempt of `tick`. */
  function nested(stopAt?: string) {
    const scene = openScene(schemas);
    const { Workflow, Task, Loop, outputs, service } = scene.api;
    const controller = new AbortController();
    const facts: string[] = [];
    let root = "";
    function Look({ where }: { where: string }) {
      const ctx = useCtx();
      const tick = ctx.outputMaybe("step", { nodeId: "tick" });
      const wrap = ctx.outputMaybe("step", { nodeId: "wrap" });
      return (
        <Task id={`look-${where}`} output={outputs.seen}>
          {() => {
            facts.push(
              `${where} ${ctx.iteration} outer ${ctx.iterations["outer"]} inner ${ctx.iterations["inner"]}` +
                ` tick ${tick?.["n"]} wrap ${wrap?.["n"]} ticks ${ctx.iterationCount("step", "tick")}`,
            );
            return { facts: [root] };
          }}
        </Task>
      );
    }
    const workflow = service((ctx) => {
      root = `root ${ctx.iteration} tick ${ctx.outputMaybe("step", { nodeId: "tick" })?.n}`;
      return (
        <Workflow name="nested">
          <Loop id="outer" maxIterations={2}>
            <scene.api.Sequence>
              <Loop id="inner" maxIterations={2}>
                <Task id="tick" output={outputs.step}>
                  {async (_inputs, { nodeId, iteration, attempt, signal }) => {
                    if (attempt === 1 && taskKey({ nodeId, iteration }) === stopAt) {
                      controller.abort(new ServiceError("PROCESS_ABORTED", "SIGTERM"));
                      await scene.time.pause(60_000, signal);
                    }
                    return { n: Number(/outer=(\d+)/.exec(nodeId)?.[1]) * 10 + iteration };
                  }}
                </Task>
                <Look where="inside" />
              </Loop>
              <Look where="between" />
            </scene.api.Sequence>
            <Task id="wrap" output={outputs.step}>
              {(_inputs, { iteration }) => ({ n: 1000 + iteration })}
            </Task>
          </Loop>
        </Workflow>
      );
    });
    return { ...scene, workflow, facts, signal: controller.signal };
  }

  const EXPECTED = [
    "inside 0 outer 0 inner 0 tick 0 wrap undefined ticks 1",
    "inside 1 outer 0 inner 1 tick 1 wrap undefined ticks 2",
    "between 0 outer 0 inner 1 tick 1 wrap undefined ticks 2",
    "inside 0 outer 1 inner 0 tick 10 wrap undefined ticks 1",
    "inside 1 outer 1 inner 1 tick 11 wrap undefined ticks 2",
    "between 1 outer 1 inner 1 tick 11 wrap undefined ticks 2",
  ];

  it("each level sees its own round, the rounds around it, and the newest of the rounds inside it", async () => {
    const scene = nested();
    expect((await scene.run(scene.workflow)).status).toBe("finished");
    expect(scene.facts).toEqual(EXPECTED);
  });

  it.each(["tick@@outer=0::1", "tick@@outer=1::0", "tick@@outer=1::1"])(
    "a process that takes over in %s sees the same",
    async (stopAt) => {
      const live = nested();
      await live.run(live.workflow);
      const scene = nested(stopAt);
      expect((await scene.run(scene.workflow, { signal: scene.signal })).status).toBe("running");
      expect((await scene.resume(scene.workflow)).status).toBe("finished");
      expect(scene.facts).toEqual(EXPECTED);
      const rows = await scene.store.listOutputs("run", "seen");
      expect(rows).toEqual(await live.store.listOutputs("run", "seen"));
    },
  );

  it("counts rounds beyond nine in their order", async () => {
    const { api, run } = openScene(schemas);
    const { Workflow, Task, Loop, outputs, service } = api;
    const seen: string[] = [];
    let broken = true;
    const workflow = service((ctx) => (
      <Workflow name="long">
        <Loop id="outer" maxIterations={12}>
          <api.Sequence>
            <Loop id="inner" maxIterations={1}>
              <Task id="tick" output={outputs.step} retries={0}>
                {(_inputs, { nodeId }) => {
                  if (nodeId === "tick@@outer=11" && broken) throw new Error("broken");
                  return { n: Number(nodeId.split("=")[1]) };
                }}
              </Task>
            </Loop>
            <Task id="look" output={outputs.seen}>
              {() => {
                seen.push(`${ctx.iterations["outer"]} ${ctx.outputMaybe("step", { nodeId: "tick" })?.n}`);
                return { facts: [] };
              }}
            </Task>
          </api.Sequence>
        </Loop>
      </Workflow>
    ));
    expect((await run(workflow)).status).toBe("failed");
    broken = false;
    expect((await run(workflow, { resume: true })).status).toBe("finished");
    expect(seen).toEqual(Array.from({ length: 12 }, (_, n) => `${n} ${n}`));
  });
});

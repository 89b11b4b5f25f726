import { useState } from "react";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type AgentLike, useCtx } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { step: z.object({ n: z.number() }), note: z.object({ text: z.string() }) };

function counted() {
  const scene = openScene(schemas);
  const renders = { root: 0, part: 0 };
  const { Task, outputs } = scene.api;
  const step = (id: string) => (
    <Task key={id} id={id} output={outputs.step}>
      {() => ({ n: 1 })}
    </Task>
  );
  const framesFor = async (reason: string) =>
    (await scene.events("FrameCommitted")).filter((frame) => frame.reason === reason);
  return { ...scene, renders, step, framesFor };
}

const IDS = ["a", "b", "c", "d", "e"];

describe("a plan that reads nothing", () => {
  it("is rendered once and once more before the end, yet each completion yields a frame", async () => {
    const { api, run, renders, step, framesFor, store } = counted();
    const { Workflow, service } = api;
    await run(
      service(() => {
        renders.root += 1;
        return <Workflow name="static">{IDS.map(step)}</Workflow>;
      }),
    );
    expect(renders.root).toBe(2);
    expect((await framesFor("output")).map(({ nodeId }) => nodeId)).toEqual(IDS);
    expect((await store.getRun("run"))?.frameNo).toBe(1 + IDS.length);
    // Frames that look the same are stored once.
    const frames = await store.listFrames("run", { limit: 100 });
    expect(new Set(frames.map(({ snapshotFrameNo }) => snapshotFrameNo))).toEqual(new Set([1]));
  });

  it("yields one frame per batch of completions without requireRerenderOnOutputChange", async () => {
    const { api, run, step, framesFor, renders } = counted();
    const { Workflow, Parallel, service } = api;
    await run(
      service(() => {
        renders.root += 1;
        return (
          <Workflow name="batches">
            <Parallel>{IDS.map(step)}</Parallel>
            {step("last")}
          </Workflow>
        );
      }),
      { requireRerenderOnOutputChange: false, maxConcurrency: 5 },
    );
    // The five end in one turn of the event loop, the last one alone.
    expect(await framesFor("output")).toHaveLength(2);
    expect(renders.root).toBe(2);
  });
});

describe("a plan that reads rows", () => {
  it("is rendered again only for the rows it has read", async () => {
    const { api, run, renders, step, framesFor } = counted();
    const { Workflow, service } = api;
    const seen: (number | undefined)[] = [];
    await run(
      service((ctx) => {
        renders.root += 1;
        seen.push(ctx.outputMaybe("step", { nodeId: "c" })?.n);
        return <Workflow name="reader">{IDS.map(step)}</Workflow>;
      }),
    );
    // First frame, after c, before the end.
    expect(seen).toEqual([undefined, 1, 1]);
    expect(await framesFor("output")).toHaveLength(IDS.length);
  });

  it("is rendered for every row of a table that it reads as a whole", async () => {
    const { api, run, renders, step } = counted();
    const { Workflow, service } = api;
    const lengths: number[] = [];
    await run(
      service((ctx) => {
        renders.root += 1;
        lengths.push(ctx.outputs.step.length);
        return <Workflow name="reader">{IDS.map(step)}</Workflow>;
      }),
    );
    expect(lengths).toEqual([0, 1, 2, 3, 4, 5, 5]);
  });

  it("does not read what a task's function reads when it runs", async () => {
    const { api, run, renders, step, node } = counted();
    const { Workflow, Task, outputs, service } = api;
    let read: number[] = [];
    await run(
      service((ctx) => {
        renders.root += 1;
        return (
          <Workflow name="late">
            {IDS.map(step)}
            <Task id="sum" output={outputs.note}>
              {() => {
                read = ctx.outputs.step.map(({ n }) => n);
                return { text: `${read.length}` };
              }}
            </Task>
          </Workflow>
        );
      }),
    );
    expect(read).toEqual([1, 1, 1, 1, 1]);
    expect(renders.root).toBe(2);
    expect((await node("sum"))?.state).toBe("finished");
  });

  it("counts reads of its components as its own", async () => {
    const { api, run, renders, step } = counted();
    const { Workflow, service } = api;
    function Part() {
      const ctx = useCtx();
      renders.part += 1;
      return ctx.outputMaybe("step", { nodeId: "b" }) === undefined ? null : step("extra");
    }
    const result = await run(
      service(() => {
        renders.root += 1;
        return (
          <Workflow name="parts">
            {IDS.slice(0, 3).map(step)}
            <Part />
          </Workflow>
        );
      }),
    );
    expect(result.status).toBe("finished");
    expect(renders).toEqual({ root: 3, part: 3 });
  });
});

describe("a frame that a completion asks for", () => {
  it("decides what follows: props of the next task are those rendered after the row arrived", async () => {
    const { api, run, node } = counted();
    const { Workflow, Task, outputs, service } = api;
    const prompts: string[] = [];
    const asked: AgentLike = {
      async generate({ prompt = "" } = {}) {
        prompts.push(prompt);
        return { text: "ok" };
      },
    };
    await run(
      service((ctx) => {
        const a = ctx.outputMaybe("step", { nodeId: "a" });
        return (
          <Workflow name="follows">
            <Task id="a" output={outputs.step}>
              {() => ({ n: 7 })}
            </Task>
            <Task id="b" output={outputs.note} agent={asked}>
              {`a said ${a?.n ?? "nothing"}`}
            </Task>
            <Task id="c" output={outputs.note} skipIf={a?.n === 7}>
              {{ text: "never" }}
            </Task>
          </Workflow>
        );
      }),
    );
    expect(prompts).toHaveLength(1);
    expect(prompts[0]).toContain("a said 7");
    expect((await node("c"))?.state).toBe("skipped");
  });

  it("comes with a state update inside the tree too", async () => {
    const { api, run, step } = counted();
    const { Workflow, service } = api;
    let add: ((id: string) => void) | undefined;
    function Growing() {
      const [ids, setIds] = useState<string[]>([]);
      add = (id) => setIds((before) => [...before, id]);
      return <>{ids.map(step)}</>;
    }
    const { Task, outputs } = api;
    const workflow = service(() => (
      <Workflow name="grows">
        <Task id="a" output={outputs.step}>
          {async () => {
            add?.("grown");
            return { n: 1 };
          }}
        </Task>
        <Growing />
      </Workflow>
    ));
    expect((await run(workflow)).status).toBe("finished");
  });

  it("before the end picks up a world that has changed", async () => {
    const { api, run, step, node } = counted();
    const { Workflow, Task, outputs, service } = api;
    const world = { isDirty: false };
    await run(
      service(() => (
        <Workflow name="world">
          <Task id="soil" output={outputs.step}>
            {() => {
              world.isDirty = true;
              return { n: 1 };
            }}
          </Task>
          {world.isDirty ? step("clean") : null}
        </Workflow>
      )),
    );
    expect((await node("clean"))?.state).toBe("finished");
  });
});

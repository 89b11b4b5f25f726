import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";

const schemas = { step: z.object({ n: z.number() }), note: z.object({ text: z.string() }) };

describe("deps", () => {
  it("hand rows to the function under their names, without a render that reads them", async () => {
    const { api, run, store } = openScene(schemas);
    const { Workflow, Task, Parallel, outputs, service } = api;
    let renders = 0;
    await run(
      service(() => {
        renders += 1;
        return (
          <Workflow name="deps">
            <Parallel>
              <Task id="a" output={outputs.step}>
                {async () => ({ n: 1 })}
              </Task>
              <Task id="b" output={outputs.note}>
                {async () => ({ text: "two" })}
              </Task>
              <Task
                id="sum"
                output={outputs.note}
                needs={{ second: "b" }}
                deps={{ a: outputs.step, second: "note" }}
              >
                {({ a, second }) => ({ text: `${a.n} ${second.text} ${a.nodeId}` })}
              </Task>
            </Parallel>
          </Workflow>
        );
      }),
    );
    expect(await store.getOutput("run", "note", "sum", 0)).toEqual({ text: "1 two a" });
    expect(renders).toBe(2);
  });

  it.each(["constructor", "toString", "__proto__"])("may have the name %s", async (name) => {
    const { api, run } = openScene(schemas);
    const { Workflow, Task, Parallel, outputs, service } = api;
    const seen: [string, number][] = [];
    await run(
      service(() => (
        <Workflow name="named">
          <Parallel>
            {["other", name].map((id, n) => (
              <Task key={id} id={id} output={outputs.step}>
                {{ n }}
              </Task>
            ))}
            <Task id="last" output={outputs.note} needs={{ first: "other" }} deps={{ [name]: outputs.step }}>
              {(rows: Record<string, { n: number }>) => {
                for (const [as, { n }] of Object.entries(rows)) seen.push([as, n]);
                return { text: "" };
              }}
            </Task>
          </Parallel>
        </Workflow>
      )),
    );
    expect(seen).toEqual([
      ["first", 0],
      [name, 1],
    ]);
  });

  it("order: the task starts when their nodes are done, wherever they stand", async () => {
    const { api, run, time, events } = openScene(schemas);
    const { Workflow, Task, Parallel, outputs, service } = api;
    await run(
      service(() => (
        <Workflow name="order">
          <Parallel>
            <Task id="last" output={outputs.step} deps={{ slow: outputs.step }}>
              {({ slow }) => ({ n: slow.n })}
            </Task>
            <Task id="by-id" output={outputs.step} dependsOn={["slow"]}>
              {{ n: 0 }}
            </Task>
            <Task id="slow" output={outputs.step}>
              {async () => {
                await time.pause(1_000);
                return { n: 3 };
              }}
            </Task>
          </Parallel>
        </Workflow>
      )),
    );
    expect((await events("NodeFinished")).map(({ nodeId }) => nodeId)).toEqual(["slow", "last", "by-id"]);
  });

  it("on a node that has ended without a row fail the task, and say which", async () => {
    const { api, run } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    let ran = false;
    const result = await run(
      service(() => (
        <Workflow name="missing">
          <Task id="broken" output={outputs.step} retries={0} continueOnFail>
            {() => {
              throw new Error("no row");
            }}
          </Task>
          <Task id="reader" output={outputs.note} deps={{ broken: outputs.step }}>
            {() => {
              ran = true;
              return { text: "" };
            }}
          </Task>
        </Workflow>
      )),
    );
    expect(result).toMatchObject({
      status: "failed",
      error: {
        code: "DEP_NOT_SATISFIED",
        summary: "Task reader needs broken, but broken has failed.",
        details: { nodeId: "reader", attempt: 1, dependency: "broken", outputKey: "step" },
      },
    });
    expect(ran).toBe(false);
  });

  it("on a skipped node fail the task too", async () => {
    const { api, run } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    const result = await run(
      service(() => (
        <Workflow name="skipped">
          <Task id="maybe" output={outputs.step} skipIf>
            {{ n: 1 }}
          </Task>
          <Task id="reader" output={outputs.note} deps={{ maybe: outputs.step }}>
            {() => ({ text: "" })}
          </Task>
        </Workflow>
      )),
    );
    expect(result.error).toMatchObject({
      code: "DEP_NOT_SATISFIED",
      summary: "Task reader needs maybe, but maybe was skipped.",
    });
  });

  it("on a node that is never mounted end the run with its name, not with a hang", async () => {
    const { api, run } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    const result = await run(
      service(() => (
        <Workflow name="nobody">
          <Task id="reader" output={outputs.note} deps={{ nobody: outputs.step }}>
            {() => ({ text: "" })}
          </Task>
          <Task id="after" output={outputs.note} dependsOn={["neither"]}>
            {{ text: "" }}
          </Task>
        </Workflow>
      )),
    );
    expect(result.error).toMatchObject({ code: "SCHEDULER_ERROR" });
    expect(result.error?.message).toContain("reader");
    expect(result.error?.message).toContain("nobody");
  });

  it("inside a loop read their own iteration, and the newest of nodes elsewhere", async () => {
    const { api, run, store } = openScene(schemas);
    const { Workflow, Task, Loop, outputs, service } = api;
    await run(
      service(() => (
        <Workflow name="loops">
          <Loop id="first" maxIterations={3}>
            <Task id="counter" output={outputs.step}>
              {(_inputs, { iteration }) => ({ n: iteration })}
            </Task>
          </Loop>
          <Loop id="second" maxIterations={2}>
            <Task id="own" output={outputs.step}>
              {(_inputs, { iteration }) => ({ n: 10 + iteration })}
            </Task>
            <Task id="reader" output={outputs.note} deps={{ own: outputs.step, counter: outputs.step }}>
              {({ own, counter }) => ({ text: `${own.n} ${counter.n}` })}
            </Task>
          </Loop>
          <Task id="outside" output={outputs.note} deps={{ own: outputs.step, reader: outputs.note }}>
            {({ own, reader }) => ({ text: `${own.n} (${reader.text})` })}
          </Task>
        </Workflow>
      )),
    );
    const texts = (await store.listOutputs("run", "note")).map(({ text }) => text);
    expect(texts).toEqual(["10 2", "11 2", "11 (11 2)"]);
  });

  it("inside nested loops find the round around them and the newest round inside them", async () => {
    const { api, run, store } = openScene(schemas);
    const { Workflow, Task, Loop, Sequence, outputs, service } = api;
    await run(
      service(() => (
        <Workflow name="nested">
          <Loop id="outer" maxIterations={2}>
            <Task id="open" output={outputs.step}>
              {(_inputs, { iteration }) => ({ n: iteration })}
            </Task>
            <Sequence>
              <Loop id="inner" maxIterations={2}>
                <Task id="tick" output={outputs.note} deps={{ open: outputs.step }}>
                  {({ open }, { iteration }) => ({ text: `${open.n}.${iteration}` })}
                </Task>
              </Loop>
            </Sequence>
            <Task id="close" output={outputs.note} deps={{ tick: outputs.note }}>
              {({ tick }) => ({ text: `closed after ${tick.text}` })}
            </Task>
          </Loop>
        </Workflow>
      )),
    );
    const texts = (await store.listOutputs("run", "note")).map(({ text }) => text);
    expect(texts).toEqual(["0.0", "0.1", "closed after 0.1", "1.0", "1.1", "closed after 1.1"]);
  });

  it("are there again for a process that takes over", async () => {
    const { api, run, resume } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    let broken = true;
    const seen: unknown[] = [];
    const workflow = service(() => (
      <Workflow name="again">
        <Task id="a" output={outputs.step}>
          {{ n: 4 }}
        </Task>
        <Task id="b" output={outputs.note} deps={{ a: outputs.step }} retries={0}>
          {({ a }) => {
            seen.push({ ...a }, a.nodeId);
            if (broken) throw new Error("broken");
            return { text: "" };
          }}
        </Task>
      </Workflow>
    ));
    await run(workflow);
    broken = false;
    await resume(workflow);
    expect(seen).toEqual([{ n: 4 }, "a", { n: 4 }, "a"]);
  });
});

describe("needs", () => {
  it("order, and hand over the row under the alias; undefined without one", async () => {
    const { api, run, store } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    await run(
      service(() => (
        <Workflow name="needs">
          <Task id="a" output={outputs.step}>
            {{ n: 1 }}
          </Task>
          <Task id="skipped" output={outputs.step} skipIf>
            {{ n: 2 }}
          </Task>
          <Task id="reader" output={outputs.note} needs={{ first: "a", other: "skipped" }}>
            {({ first, other }) => ({ text: `${(first as { n: number }).n} ${String(other)}` })}
          </Task>
        </Workflow>
      )),
    );
    expect(await store.getOutput("run", "note", "reader", 0)).toEqual({ text: "1 undefined" });
  });

  it("give a prompt function its rows", async () => {
    const { api, run } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    const prompts: unknown[] = [];
    const agent = {
      supportsNativeStructuredOutput: true,
      async generate(args?: { prompt?: string }) {
        prompts.push(args?.prompt);
        return { text: "ok" };
      },
    };
    await run(
      service(() => (
        <Workflow name="prompts">
          <Task id="a" output={outputs.step}>
            {{ n: 42 }}
          </Task>
          <Task id="ask" output={outputs.note} agent={agent} deps={{ a: outputs.step }}>
            {({ a }) => `What is ${a.n}?`}
          </Task>
        </Workflow>
      )),
    );
    expect(prompts).toEqual(["What is 42?"]);
  });
});

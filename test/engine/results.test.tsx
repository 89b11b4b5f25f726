import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { step: z.object({ n: z.number() }), output: z.object({ total: z.number() }) };

describe("the output of a result", () => {
  it("is the row when the schema key `output` has one", async () => {
    const { api, run } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    const result = await run(
      service(() => (
        <Workflow name="one">
          <Task id="step" output={outputs.step}>
            {{ n: 1 }}
          </Task>
          <Task id="sum" output={outputs.output}>
            {{ total: 1 }}
          </Task>
        </Workflow>
      )),
    );
    expect(result).toEqual({ runId: "run", status: "finished", output: { total: 1 } });
  });

  it("is every row, in order of completion, when there are several", async () => {
    const { api, run, time } = openScene(schemas);
    const { Workflow, Task, Parallel, outputs, service } = api;
    const result = await run(
      service(() => (
        <Workflow name="many">
          <Parallel>
            {[30, 10, 20].map((ms) => (
              <Task key={ms} id={`after-${ms}`} output={outputs.output}>
                {async () => {
                  await time.pause(ms);
                  return { total: ms };
                }}
              </Task>
            ))}
          </Parallel>
        </Workflow>
      )),
    );
    expect(result.output).toEqual([{ total: 10 }, { total: 20 }, { total: 30 }]);
  });

  it("is absent without a row, and without such a key", async () => {
    const withKey = openScene(schemas);
    const idle = withKey.api;
    const first = await withKey.run(
      idle.service(() => (
        <idle.Workflow name="none">
          <idle.Task id="step" output={idle.outputs.step}>
            {{ n: 1 }}
          </idle.Task>
        </idle.Workflow>
      )),
    );
    expect(first).toEqual({ runId: "run", status: "finished" });

    const withoutKey = openScene({ step: schemas.step });
    const other = withoutKey.api;
    const workflow = other.service(() => (
      <other.Workflow name="none">
        <other.Task id="step" output={other.outputs.step}>
          {{ n: 1 }}
        </other.Task>
      </other.Workflow>
    ));
    const second = await withoutKey.run(workflow);
    expect(second).toEqual({ runId: "run", status: "finished" });
    expect(await withoutKey.resume(workflow)).toEqual(second);
  });
});

describe("the error of a failed run", () => {
  it("is the task's own, with code, address, attempt and cause", async () => {
    const { api, run, resume, store } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    const workflow = service(() => (
      <Workflow name="fails">
        <Task id="fetch" output={outputs.step} retries={1} retryPolicy={{}}>
          {() => {
            const cause = new TypeError("socket closed");
            throw Object.assign(new Error("no answer", { cause }), { code: "E_NO_ANSWER" });
          }}
        </Task>
      </Workflow>
    ));
    const result = await run(workflow);
    expect(result).toMatchObject({
      runId: "run",
      status: "failed",
      error: {
        name: "Error",
        code: "E_NO_ANSWER",
        message: "no answer",
        details: { nodeId: "fetch", iteration: 0, attempt: 2 },
        cause: { name: "TypeError", message: "socket closed" },
      },
    });
    expect(result.output).toBeUndefined();
    expect((await store.getRun("run"))?.error).toEqual(result.error);
    // Asked again by a new start with the same id: the same answer.
    const again = await run(workflow);
    expect(again).toEqual(result);
    expect((await resume(workflow)).error).toMatchObject({ code: "E_NO_ANSWER", details: { attempt: 4 } });
  });

  it("keeps the code and the advice of a ServiceError", async () => {
    const { api, run } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    const result = await run(
      service(() => (
        <Workflow name="fails">
          <Task id="ask" output={outputs.step} retries={0}>
            {() => {
              throw new ServiceError("AGENT_CONFIG_INVALID", "There is no such model.", {
                details: { model: "x" },
              });
            }}
          </Task>
        </Workflow>
      )),
    );
    expect(result.error).toMatchObject({
      name: "ServiceError",
      code: "AGENT_CONFIG_INVALID",
      summary: "There is no such model.",
      details: { model: "x", nodeId: "ask", attempt: 1 },
    });
  });

  it("is that of the first task that failed, while others were still allowed to end", async () => {
    const { api, run, time, node } = openScene(schemas);
    const { Workflow, Task, Parallel, outputs, service } = api;
    const result = await run(
      service(() => (
        <Workflow name="fails">
          <Parallel>
            <Task id="slow" output={outputs.step}>
              {async () => {
                await time.pause(1_000);
                return { n: 1 };
              }}
            </Task>
            <Task id="early" output={outputs.step} retries={0}>
              {async () => {
                await time.pause(10);
                throw new Error("early");
              }}
            </Task>
            <Task id="late" output={outputs.step} retries={0}>
              {async () => {
                await time.pause(20);
                throw new Error("late");
              }}
            </Task>
          </Parallel>
          <Task id="after" output={outputs.step}>
            {{ n: 2 }}
          </Task>
        </Workflow>
      )),
    );
    expect(result.error).toMatchObject({ message: "early", details: { nodeId: "early" } });
    expect((await node("slow"))?.state).toBe("finished");
    expect((await node("after"))?.state).toBe("pending");
  });

  it("names what was thrown when it was no Error", async () => {
    const { api, run } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    const result = await run(
      service(() => (
        <Workflow name="throws">
          <Task id="odd" output={outputs.step} retries={0}>
            {() => Promise.reject({ status: 500 })}
          </Task>
        </Workflow>
      )),
    );
    expect(result.error?.message).toContain('{"status":500}');
  });
});

describe("what a finished run survived", () => {
  it("lists tolerated failures and loops that gave up, live and when asked again", async () => {
    const { api, run, resume, events } = openScene(schemas);
    const { Workflow, Task, Loop, outputs, service } = api;
    const workflow = service(() => (
      <Workflow name="soft">
        <Task id="optional" output={outputs.step} retries={0} continueOnFail>
          {() => {
            throw new Error("never mind");
          }}
        </Task>
        <Loop id="polish" until={false} maxIterations={2}>
          <Task id="round" output={outputs.step} retries={0} continueOnFail>
            {(_inputs, { iteration }) => {
              if (iteration === 1) throw new Error("second round");
              return { n: iteration };
            }}
          </Task>
        </Loop>
      </Workflow>
    ));
    const result = await run(workflow);
    expect(result).toEqual({
      runId: "run",
      status: "finished",
      failedChildren: 2,
      failedChildKeys: ["optional::0", "round::1"],
      exhaustedLoops: ["polish"],
    });
    expect(await resume(workflow)).toEqual(result);
    expect(await events("RunFinished")).toMatchObject([
      { failedChildren: 2, failedChildKeys: ["optional::0", "round::1"], exhaustedLoops: ["polish"] },
    ]);
  });

  it("lists what failed in one order, no matter which failed first", async () => {
    const failedKeys = async (slower: string) => {
      const { api, run, time } = openScene(schemas);
      const { Workflow, Parallel, Task, outputs, service } = api;
      const workflow = service(() => (
        <Workflow name="pair">
          <Parallel>
            {["a", "b"].map((id) => (
              <Task key={id} id={id} output={outputs.step} retries={0} continueOnFail>
                {async () => {
                  await time.pause(id === slower ? 2_000 : 1_000);
                  throw new Error("never mind");
                }}
              </Task>
            ))}
          </Parallel>
        </Workflow>
      ));
      return (await run(workflow)).failedChildKeys;
    };
    expect(await failedKeys("a")).toEqual(["a::0", "b::0"]);
    expect(await failedKeys("b")).toEqual(["a::0", "b::0"]);
  });

  it("says nothing when there is nothing to say", async () => {
    const { api, run } = openScene(schemas);
    const { Workflow, Task, Loop, outputs, service } = api;
    const result = await run(
      service((ctx) => (
        <Workflow name="clean">
          <Loop id="once" until={ctx.outputs.step.length > 0} maxIterations={2}>
            <Task id="round" output={outputs.step}>
              {{ n: 1 }}
            </Task>
          </Loop>
        </Workflow>
      )),
    );
    expect(result).toEqual({ runId: "run", status: "finished" });
  });
});

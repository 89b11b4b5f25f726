import { describe, expect, it } from "vitest";
import { z } from "zod";
import { getTaskRuntime, type TaskRuntime } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { step: z.object({ n: z.number() }) };

describe("the runtime of a task", () => {
  it("knows its address, and an idempotency key that is the same for every attempt", async () => {
    const { api, run } = openScene(schemas);
    const { Workflow, Task, Loop, outputs, service } = api;
    const seen: unknown[] = [];
    await run(
      service(() => (
        <Workflow name="runtime">
          <Loop id="rounds" maxIterations={2}>
            <Task id="work" output={outputs.step} retries={1} retryPolicy={{}}>
              {(_inputs, { runId, nodeId, iteration, attempt, idempotencyKey }) => {
                seen.push([runId, nodeId, iteration, attempt, idempotencyKey]);
                if (attempt === 1) throw new Error("again");
                return { n: 1 };
              }}
            </Task>
          </Loop>
        </Workflow>
      )),
    );
    expect(seen).toEqual([
      ["run", "work", 0, 1, "run:work:0"],
      ["run", "work", 0, 2, "run:work:0"],
      ["run", "work", 1, 1, "run:work:1"],
      ["run", "work", 1, 2, "run:work:1"],
    ]);
  });

  it("works in the folder of the run, else in the current one", async () => {
    const { api, run } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    const folders: string[] = [];
    const workflow = service(() => (
      <Workflow name="folders">
        <Task id="work" output={outputs.step}>
          {(_inputs, { rootDir }) => {
            folders.push(rootDir);
            return { n: 1 };
          }}
        </Task>
      </Workflow>
    ));
    await run(workflow, { runId: "a" });
    await run(workflow, { runId: "b", rootDir: "/somewhere/else" });
    expect(folders).toEqual([process.cwd(), "/somewhere/else"]);
  });

  it("writes lines into the run's log", async () => {
    const { api, run, events } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    await run(
      service(() => (
        <Workflow name="logs">
          <Task id="work" output={outputs.step}>
            {async (_inputs, { log }) => {
              log("first line");
              await Promise.resolve();
              log("second line");
              return { n: 1 };
            }}
          </Task>
        </Workflow>
      )),
    );
    const written = await events("NodeOutput");
    expect(written.map(({ text }) => text).join("")).toBe("first line\nsecond line\n");
    for (const event of written)
      expect(event).toMatchObject({ nodeId: "work", attempt: 1, stream: "stdout" });
  });
});

describe("getTaskRuntime", () => {
  it("finds the runtime anywhere below a task's function, in tasks that run side by side", async () => {
    const { api, run, time } = openScene(schemas);
    const { Workflow, Task, Parallel, outputs, service } = api;
    const found: Record<string, TaskRuntime[]> = {};
    async function deep(id: string): Promise<void> {
      (found[id] ??= []).push(getTaskRuntime());
      await time.pause(10);
      (found[id] ??= []).push(getTaskRuntime());
    }
    await run(
      service(() => (
        <Workflow name="deep">
          <Parallel>
            {["a", "b"].map((id) => (
              <Task key={id} id={id} output={outputs.step}>
                {async (_inputs, runtime) => {
                  found[id] = [runtime];
                  await deep(id);
                  return { n: 1 };
                }}
              </Task>
            ))}
          </Parallel>
        </Workflow>
      )),
    );
    for (const id of ["a", "b"]) {
      expect(found[id]).toHaveLength(3);
      expect(new Set(found[id]).size).toBe(1);
      expect(found[id]?.[0]?.nodeId).toBe(id);
    }
  });

  it("is there for agents and for prompt functions", async () => {
    const { api, run } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    const seen: string[] = [];
    const agent = {
      supportsNativeStructuredOutput: true,
      async generate() {
        seen.push(`agent of ${getTaskRuntime().nodeId}`);
        return { n: 1 };
      },
    };
    await run(
      service(() => (
        <Workflow name="agents">
          <Task id="ask" output={outputs.step} agent={agent}>
            {async () => {
              await Promise.resolve();
              seen.push(`prompt of ${getTaskRuntime().nodeId}`);
              return "Count.";
            }}
          </Task>
        </Workflow>
      )),
    );
    expect(seen).toEqual(["prompt of ask", "agent of ask"]);
  });

  it("refuses outside a task: in a render, in a program, in a listener", async () => {
    const { api, run } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    const code = () => {
      try {
        return getTaskRuntime().nodeId;
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    const codes = new Set<string>([code()]);
    await run(
      service(() => {
        codes.add(code());
        return (
          <Workflow name="outside">
            {["a", "b"].map((id) => (
              <Task key={id} id={id} output={outputs.step}>
                {() => ({ n: 1 })}
              </Task>
            ))}
          </Workflow>
        );
      }),
      { onProgress: () => codes.add(code()) },
    );
    expect([...codes]).toEqual(["TASK_RUNTIME_UNAVAILABLE"]);
  });
});

describe("the signal of a task", () => {
  it("is not fired in a run that goes well, also for one who looks late", async () => {
    const { api, run, time } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    const aborted: boolean[] = [];
    await run(
      service(() => (
        <Workflow name="signal">
          <Task id="work" output={outputs.step}>
            {async (_inputs, runtime) => {
              await time.pause(100);
              aborted.push(runtime.signal.aborted, runtime.signal === runtime.signal);
              return { n: 1 };
            }}
          </Task>
        </Workflow>
      )),
    );
    expect(aborted).toEqual([false, true]);
  });

  it("has fired already for one who looks only after the limit", async () => {
    const { api, run, time } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    let reason: unknown;
    await run(
      service(() => (
        <Workflow name="signal">
          <Task id="work" output={outputs.step} timeoutMs={100} retries={0}>
            {async (_inputs, runtime) => {
              await time.pause(1_000);
              reason = runtime.signal.reason;
              return { n: 1 };
            }}
          </Task>
        </Workflow>
      )),
    );
    expect(reason).toMatchObject({ code: "TASK_TIMEOUT" });
  });
});

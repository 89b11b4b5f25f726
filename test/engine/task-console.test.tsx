import { beforeAll, describe, expect, it, type MockInstance, vi } from "vitest";
import { z } from "zod";
import { hearTaskConsole } from "../../src/engine/attempt/task-console.js";
import type { TaskRuntime } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const METHODS = ["log", "info", "debug", "warn", "error"] as const;

/** What stood in the console before the first task of this file. */
let printed: MockInstance[];

beforeAll(() => {
  printed = METHODS.map((method) => vi.spyOn(console, method).mockImplementation(() => {}));
});

type Work = (inputs: unknown, runtime: TaskRuntime) => unknown;

/** Runs tasks side by side and returns what each has left in the log, as `stream: text`. */
async function said(tasks: Record<string, Work>, options: Record<string, unknown> = {}) {
  const { api, run, events } = openScene({ row: z.object({ n: z.int() }) });
  const { Workflow, Parallel, Task, outputs, service } = api;
  const { status } = await run(
    service(() => (
      <Workflow name="talking">
        <Parallel>
          {Object.entries(tasks).map(([id, work]) => (
            <Task key={id} id={id} output={outputs.row} noRetry continueOnFail>
              {
                (async (inputs: unknown, runtime: never) => {
                  await work(inputs, runtime);
                  return { n: 1 };
                }) as never
              }
            </Task>
          ))}
        </Parallel>
      </Workflow>
    )),
    options,
  );
  expect(status).toBe("finished");
  const lines: Record<string, string[]> = {};
  for (const { nodeId, attempt, stream, text } of await events("NodeOutput")) {
    expect(attempt).toBe(1);
    (lines[nodeId] ??= []).push(`${stream}: ${text}`);
  }
  return lines;
}

describe("what a task says on the console", () => {
  it("is kept with its attempt, by stream and in order, beside what it logs", async () => {
    const lines = await said({
      work: (_inputs, { log }) => {
        console.log("sum %d of", 3, { a: 1 });
        console.info("info");
        console.debug("debug");
        console.warn("warn");
        console.error(new Error("oh").message);
        log("logged");
      },
    });
    expect(lines).toEqual({
      work: ["stdout: sum 3 of { a: 1 }\ninfo\ndebug\n", "stderr: warn\noh\n", "stdout: logged\n"],
    });
  });

  it("is printed as before", async () => {
    await said({ work: () => METHODS.forEach((method) => console[method](method, 1)) });
    for (const [index, method] of METHODS.entries()) expect(printed[index]).toHaveBeenCalledWith(method, 1);
  });

  it("is heard however deep in its code, and apart from tasks beside it", async () => {
    const deep = async (name: string) => {
      for (let turn = 0; turn < 3; turn += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        console.log(`${name} ${turn}`);
      }
    };
    const lines = await said({ a: () => deep("a"), b: () => deep("b") });
    for (const id of ["a", "b"]) {
      expect(lines[id]?.join("").replaceAll("stdout: ", "")).toBe(`${id} 0\n${id} 1\n${id} 2\n`);
    }
  });

  it("is heard once, whatever number of tasks has run in the process", async () => {
    for (const text of ["first", "second"]) {
      const lines = await said({ work: () => console.log(text) });
      expect(lines).toEqual({ work: [`stdout: ${text}\n`] });
    }
  });

  it("is cut with a note where it is too much, in bytes and in lines", async () => {
    const { bytes } = await said({ bytes: () => console.log("x".repeat(500)) }, { maxOutputBytes: 100 });
    expect(bytes).toEqual([
      `stdout: ${"x".repeat(100)}`,
      "stderr: \n[output truncated: the limit is 100 bytes]\n",
    ]);
    const many = () => {
      for (let line = 0; line < 50; line += 1) console.log(line);
    };
    const { lines } = await said({ lines: many }, { maxOutputBytes: 100 });
    expect(lines).toEqual([
      "stdout: 0\n1\n2\n3\n4\n",
      "stderr: \n[output truncated: the limit is 5 lines]\n",
    ]);
  });

  it("keeps the secrets of the environment out of the log, as lines that it logs do", async () => {
    vi.stubEnv("PAYMENTS_API_KEY", "correct-horse-battery");
    const lines = await said({
      work: (_inputs, { log }) => {
        console.log("with correct-horse-battery", { ...process.env }.PAYMENTS_API_KEY);
        log("correct-horse-battery");
      },
    });
    expect(lines).toEqual({ work: ["stdout: with [redacted] [redacted]\n", "stdout: [redacted]\n"] });
  });

  it("is not kept once its attempt is over", async () => {
    let late: () => void = () => {};
    const lines = await said({
      work: () => {
        late = () => console.log("late");
      },
    });
    late();
    expect(lines).toEqual({});
  });
});

describe("a console that is replaced after the first task", () => {
  it("is heard from the next task on", async () => {
    await said({ before: () => console.log("before") });
    const replaced = vi.spyOn(console, "log").mockImplementation(() => {});
    const lines = await said({ work: () => console.log("still") });
    expect(lines).toEqual({ work: ["stdout: still\n"] });
    expect(replaced).toHaveBeenCalledWith("still");
    replaced.mockRestore();
  });

  it.each([
    ["at once", (print: () => void) => print()],
    ["later", (print: () => void) => void setImmediate(print)],
  ])("is heard once where it prints %s with what stood there", async (_when, print) => {
    await said({ before: () => console.log("before") });
    const { log } = console;
    console.log = (...values: unknown[]) => print(() => log("12:00", ...values));
    const lines = await said({
      work: async () => {
        console.log("still");
        await new Promise((resolve) => setImmediate(resolve));
      },
    });
    expect(lines).toEqual({ work: ["stdout: still\n"] });
    expect(printed[0]).toHaveBeenCalledWith("12:00", "still");
    console.log = log;
  });

  it("is wrapped once by each of two copies of the library, however often they take turns", async () => {
    const copy = "../../src/engine/attempt/task-console.js?copy";
    const other = (await import(copy)) as { hearTaskConsole: typeof hearTaskConsole };
    expect(other.hearTaskConsole).not.toBe(hearTaskConsole);
    hearTaskConsole();
    const once = console.log;
    other.hearTaskConsole();
    const both = console.log;
    expect(both).not.toBe(once);
    hearTaskConsole();
    other.hearTaskConsole();
    expect(console.log).toBe(both);
    console.log = once;
  });
});

describe("what is said outside of tasks", () => {
  it("is printed and kept nowhere", async () => {
    const { api, run, events } = openScene({ row: z.object({ n: z.int() }) });
    const { Workflow, Task, outputs, service } = api;
    await run(
      service(() => {
        console.log("rendering");
        return (
          <Workflow name="quiet">
            <Task id="work" output={outputs.row}>
              {{ n: 1 }}
            </Task>
          </Workflow>
        );
      }),
    );
    expect(printed[0]).toHaveBeenCalledWith("rendering");
    expect(await events("NodeOutput")).toEqual([]);
  });
});

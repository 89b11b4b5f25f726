import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { explainRun, runWorkflow, type ServiceWorkflow } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const FILE = "places-of-errors.test.tsx";
const options = { rootDir: FOLDER };

/** Where `text` stands first in this file. */
function placeOf(text: string) {
  const lines = readFileSync(import.meta.filename, "utf8").split("\n");
  const line = lines.findIndex((candidate) => candidate.includes(text));
  return { line: line + 1, column: (lines[line] as string).indexOf(text) + 1 };
}

class CardRefused extends Error {}

function charge(): never {
  throw new CardRefused("no money");
}

/** Of the place where `charge` throws. */
const CHARGE = { file: FILE, ...placeOf('new CardRefused("no'), function: "charge" };
const AT_CHARGE = `at charge (${FILE}:${CHARGE.line}:${CHARGE.column})`;

async function pay(): Promise<never> {
  await Promise.resolve();
  try {
    charge();
  } catch (cause) {
    throw new TypeError("cannot pay", { cause });
  }
  throw new Error("unreachable");
}

const open = () => openScene({ row: z.object({ n: z.int() }) });
type Opened = ReturnType<typeof open>;

function failing({ api }: Opened, work: () => unknown): ServiceWorkflow {
  const { Workflow, Task, outputs, service } = api;
  return service(() => (
    <Workflow name="failing">
      <Task id="work" output={outputs.row} noRetry>
        {work as never}
      </Task>
    </Workflow>
  ));
}

describe("a task that throws", () => {
  it("leaves class, first frame and stack in the attempt, the event, the node, the run and its explanation", async () => {
    const scene = open();
    const workflow = failing(scene, charge);
    const { error } = await scene.run(workflow, options);
    expect(error).toMatchObject({
      name: "CardRefused",
      code: "TASK_FAILED",
      frame: CHARGE,
    });
    expect(error?.stack?.split("\n")[0]).toBe(AT_CHARGE);
    const [attempt] = await scene.attempts("work");
    const [failed] = await scene.events("NodeFailed");
    const [ended] = await scene.events("RunFailed");
    const node = await scene.node("work");
    const { blockers } = await explainRun(workflow, "run");
    for (const reported of [
      attempt?.error,
      failed?.error,
      ended?.error,
      node?.error,
      blockers[0]?.["error"],
    ]) {
      expect(reported).toEqual(error);
    }
  });

  it("keeps the classes of its causes, and tells the place of the innermost", async () => {
    const scene = open();
    const { error } = await scene.run(failing(scene, pay), options);
    const thrown = placeOf('new TypeError("cannot');
    expect(error).toMatchObject({
      name: "TypeError",
      frame: CHARGE,
      stack: `at pay (${FILE}:${thrown.line}:${thrown.column})`,
      cause: { name: "CardRefused", stack: expect.stringMatching(/^at charge .*\nat pay /) },
    });
  });

  it("has no frames of the library, of packages or of the program that started the run", async () => {
    const scene = open();
    const { error } = await scene.run(
      failing(scene, () => charge()),
      options,
    );
    const lines = error?.stack?.split("\n") ?? [];
    expect(lines).toHaveLength(2);
    expect(JSON.stringify(error)).not.toContain(FOLDER);
  });

  it.each<[string, () => unknown]>([
    ["a row that does not fit", () => ({ n: "text" })],
    ["a value that is no error", () => Promise.reject("text")],
  ])("names no place for %s", async (_, work) => {
    const scene = open();
    const { error } = await scene.run(failing(scene, work), options);
    expect(error).not.toHaveProperty("frame");
    expect(error).not.toHaveProperty("stack");
  });
});

describe("a component that throws in a later frame", () => {
  it("leaves its class and place below the error of the render", async () => {
    const scene = open();
    const { Workflow, Sequence, Task, outputs, service, useCtx } = scene.api;
    const Late = () => {
      const rows = useCtx().outputs.row;
      return rows.length > 0 ? charge() : null;
    };
    const workflow = service(() => (
      <Workflow name="late">
        <Sequence>
          <Task id="first" output={outputs.row}>
            {{ n: 1 }}
          </Task>
          <Late />
        </Sequence>
      </Workflow>
    ));
    const { error } = await scene.run(workflow, options);
    expect(error).toMatchObject({
      code: "WORKFLOW_RENDER_FAILED",
      frame: CHARGE,
      cause: { name: "CardRefused", frame: CHARGE, stack: expect.stringMatching(/^at charge .*\nat Late /) },
    });
    expect(error?.stack).toBeUndefined();
    const { blockers } = await explainRun(workflow, "run");
    expect(blockers[0]).toMatchObject({ error: { frame: CHARGE } });
  });

  it("does so inside a catch, which fails its block", async () => {
    const scene = open();
    const { Workflow, TryCatchFinally, Task, outputs, service } = scene.api;
    const part = (
      <Task id="fail" output={outputs.row} noRetry>
        {() => Promise.reject(new Error("first"))}
      </Task>
    );
    const workflow = service(() => (
      <Workflow name="late">
        <TryCatchFinally try={part} catch={() => charge()} />
      </Workflow>
    ));
    const { error } = await scene.run(workflow, options);
    expect(error).toMatchObject({ name: "CardRefused", frame: CHARGE });
  });
});

describe("a child run that fails", () => {
  it("tells its parent the place", async () => {
    const scene = open();
    const { Workflow, Subflow, outputs, service } = scene.api;
    const child = failing(scene, charge);
    const parent = service(() => (
      <Workflow name="parent">
        <Subflow id="child" workflow={child} output={outputs.row} retries={0} />
      </Workflow>
    ));
    const { error } = await runWorkflow(parent, { input: {}, ...options });
    expect(error).toMatchObject({ frame: CHARGE });
  });
});

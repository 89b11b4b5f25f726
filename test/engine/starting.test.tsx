import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = {
  input: z.object({
    name: z.string(),
    count: z.number().int().optional(),
    tags: z.array(z.string()).nullish(),
  }),
  output: z.object({ text: z.string() }),
};

function greeting() {
  const scene = openScene(schemas);
  const { Workflow, Task, outputs, service } = scene.api;
  let ran = 0;
  const workflow = service((ctx) => (
    <Workflow name="greeting">
      <Task id="greet" output={outputs.output}>
        {() => {
          ran += 1;
          return { text: `hello ${ctx.input.name} ${ctx.input.count ?? "uncounted"}` };
        }}
      </Task>
    </Workflow>
  ));
  return { ...scene, workflow, runs: () => ran };
}

describe("the input of a run", () => {
  it.each([
    ["a missing field", {}, "name"],
    ["a value of another type", { name: 7 }, "name"],
    ["a fraction where an integer is stored", { name: "Ada", count: 1.5 }, "count"],
    ["a field that is not in the schema", { name: "Ada", nmae: "Ada" }, "nmae"],
    ["something else than an object", "Ada", "a string"],
  ])("is refused with the field's name for %s, and nothing is written", async (_what, input, field) => {
    const scene = greeting();
    const failure: unknown = await scene
      .run(scene.workflow, { input: input as Record<string, unknown> })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ServiceError);
    const { code, message, details } = failure as ServiceError;
    expect(code).toBe("INVALID_INPUT");
    expect(message).toContain(field);
    expect(details).toHaveProperty("issues");
    expect(scene.rowCount()).toBe(0);
    expect(scene.runs()).toBe(0);
  });

  it("reaches ctx as it was given: no defaults, absent fields stay absent", async () => {
    const scene = openScene({
      input: z.object({ name: z.string(), greeting: z.string().default("hello") }),
      output: z.object({ keys: z.array(z.string()), greeting: z.string() }),
    });
    const { Workflow, Task, outputs, service } = scene.api;
    const workflow = service((ctx) => (
      <Workflow name="defaults">
        <Task id="look" output={outputs.output}>
          {{ keys: Object.keys(ctx.input), greeting: String(ctx.input.greeting ?? "coalesced") }}
        </Task>
      </Workflow>
    ));
    const result = await scene.run(workflow, { input: { name: "Ada" } });
    expect(result.output).toEqual({ keys: ["name"], greeting: "coalesced" });
    expect(await scene.store.getInput("run")).toEqual({ name: "Ada" });
  });

  it("may be left out when no field is required", async () => {
    const scene = openScene({ output: z.object({ text: z.string() }) });
    const { Workflow, Task, outputs, service } = scene.api;
    const workflow = service(() => (
      <Workflow name="none">
        <Task id="only" output={outputs.output}>
          {{ text: "done" }}
        </Task>
      </Workflow>
    ));
    expect((await scene.time.until(scene.drive(workflow))).status).toBe("finished");
  });
});

describe("an option of a run", () => {
  it.each([
    [{ runId: "" }, "runId"],
    [{ runId: "a/b" }, "runId"],
    [{ runId: "x".repeat(257) }, "runId"],
    [{ maxConcurrency: 0 }, "maxConcurrency"],
    [{ maxConcurrency: 1.5 }, "maxConcurrency"],
    [{ maxOutputBytes: -1 }, "maxOutputBytes"],
    [{ toolTimeoutMs: Number.NaN }, "toolTimeoutMs"],
  ])("%j is refused by name, and nothing is written", async (options, name) => {
    const scene = greeting();
    await expect(scene.run(scene.workflow, { input: { name: "Ada" }, ...options })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining(name) as string,
    });
    expect(scene.rowCount()).toBe(0);
  });
});

describe("a workflow whose first frame cannot be rendered", () => {
  const scene = () => openScene(schemas);
  type Built = ReturnType<typeof scene>["api"];

  it.each<[string, (api: Built) => React.ReactNode]>([
    [
      "UNKNOWN_OUTPUT_SCHEMA",
      ({ Workflow, Task }) => (
        <Workflow name="w">
          <Task id="lost" output={z.object({ text: z.string() }) as never}>
            {{ text: "" } as never}
          </Task>
        </Workflow>
      ),
    ],
    [
      "DUPLICATE_ID",
      ({ Workflow, Task, outputs }) => (
        <Workflow name="w">
          <Task id="lost" output={outputs.output}>
            {{ text: "1" }}
          </Task>
          <Task id="lost" output={outputs.output}>
            {{ text: "2" }}
          </Task>
        </Workflow>
      ),
    ],
    [
      "TASK_ID_REQUIRED",
      ({ Workflow, Task, outputs }) => (
        <Workflow name="lost">
          <Task id={undefined as never} output={outputs.output}>
            {{ text: "1" }}
          </Task>
        </Workflow>
      ),
    ],
    [
      "TASK_MISSING_OUTPUT",
      ({ Workflow, Task }) => (
        <Workflow name="w">
          <Task id="lost" output={undefined as never}>
            {{ text: "1" } as never}
          </Task>
        </Workflow>
      ),
    ],
    [
      "NESTED_LOOP",
      ({ Workflow, Task, Loop, outputs }) => (
        <Workflow name="w">
          <Loop id="lost">
            <Loop id="inner">
              <Task id="t" output={outputs.output}>
                {{ text: "1" }}
              </Task>
            </Loop>
          </Loop>
        </Workflow>
      ),
    ],
    [
      "WORKFLOW_RENDER_FAILED",
      ({ Workflow }) => {
        const lost = () => {
          throw new Error("boom");
        };
        return <Workflow name="w">{lost()}</Workflow>;
      },
    ],
  ])("is refused with %s, and nothing is written", async (code, build) => {
    const { api, run, rowCount } = scene();
    const workflow = api.service(() => build(api));
    const failure: unknown = await run(workflow, { input: { name: "Ada" } }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "ServiceError", code });
    expect(rowCount()).toBe(0);
  });
});

describe("the id of a run that exists", () => {
  it("gives that run's result for equal input, and runs nothing again", async () => {
    const scene = greeting();
    const first = await scene.run(scene.workflow, { input: { name: "Ada", count: 2 } });
    const again = await scene.run(scene.workflow, { input: { count: 2, name: "Ada" } });
    expect(again).toEqual(first);
    expect(first.output).toEqual({ text: "hello Ada 2" });
    expect(scene.runs()).toBe(1);
  });

  it("is refused for another input", async () => {
    const scene = greeting();
    await scene.run(scene.workflow, { input: { name: "Ada" } });
    await expect(scene.run(scene.workflow, { input: { name: "Bob" } })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("run") as string,
    });
    expect(scene.runs()).toBe(1);
  });

  it("is refused for another workflow of the database, whatever the input", async () => {
    const scene = openScene({ output: z.object({ text: z.string() }) });
    const { Workflow, Task, outputs, service } = scene.api;
    const named = (name: string) =>
      service(() => (
        <Workflow name={name}>
          <Task id="only" output={outputs.output}>
            {{ text: name }}
          </Task>
        </Workflow>
      ));
    expect(await scene.run(named("one"))).toMatchObject({ output: { text: "one" } });
    await expect(scene.run(named("other"))).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { runId: "run", workflowName: "one" },
    });
    expect(await scene.run(named("one"))).toMatchObject({ output: { text: "one" } });
  });

  it("is refused while the run is being driven", async () => {
    const scene = openScene({ output: z.object({ text: z.string() }) });
    const { Workflow, Task, outputs, service } = scene.api;
    const workflow = service(() => (
      <Workflow name="slow">
        <Task id="only" output={outputs.output}>
          {async () => {
            await scene.time.pause(1_000);
            return { text: "done" };
          }}
        </Task>
      </Workflow>
    ));
    const driving = scene.drive(workflow);
    await scene.time.advance(100);
    await expect(scene.drive(workflow)).rejects.toMatchObject({ code: "RUN_STILL_RUNNING" });
    await expect(scene.drive(workflow, { resume: true })).rejects.toMatchObject({ code: "RUN_OWNER_ALIVE" });
    expect((await scene.time.until(driving)).status).toBe("finished");
  });

  it("gives the status of a run that waits", async () => {
    const scene = openScene({ output: z.object({ text: z.string() }) });
    const { Workflow, Timer, service } = scene.api;
    const workflow = service(() => (
      <Workflow name="waits">
        <Timer id="later" duration="1h" />
      </Workflow>
    ));
    expect(await scene.run(workflow)).toEqual({ runId: "run", status: "waiting-timer" });
    expect(await scene.run(workflow)).toEqual({ runId: "run", status: "waiting-timer" });
  });
});

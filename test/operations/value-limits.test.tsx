import { describe, expect, it } from "vitest";
import { z } from "zod";
import { approveNode, type DecisionRequest, denyNode, ServiceError, signalRun } from "../../src/index.js";
import {
  MAX_DECISION_BYTES,
  MAX_INPUT_BYTES,
  MAX_INPUT_DEPTH,
  MAX_SIGNAL_BYTES,
} from "../../src/store/limits.js";
import { openScene } from "../support/engine/scene.js";

const schemas = {
  input: z.object({ text: z.string(), tree: z.unknown().optional() }),
  go: z.object({ note: z.string() }),
  output: z.object({ length: z.number() }),
};

function open() {
  const scene = openScene(schemas);
  const { Workflow, Signal, Task, outputs, service } = scene.api;
  const workflow = service((ctx) => (
    <Workflow name="reading">
      <Signal id="go" schema={outputs.go} />
      <Task id="end" output={outputs.output} deps={{ go: outputs.go }}>
        {({ go }) => ({ length: ctx.input.text.length + go.note.length })}
      </Task>
    </Workflow>
  ));
  return { ...scene, workflow };
}

async function refusalOf(work: () => Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await work().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ServiceError) return error;
  throw new Error("It was not refused.");
}

function expectFacts({ code, message }: ServiceError, facts: (string | number)[]) {
  expect(code).toBe("INVALID_INPUT");
  for (const fact of facts) expect(message).toContain(String(fact));
}

describe("the input of a run", () => {
  const textOf = (size: number) => "x".repeat(size - '{"text":""}'.length);

  it("may be exactly as large as the limit", async () => {
    const scene = open();
    const result = await scene.run(scene.workflow, { input: { text: textOf(MAX_INPUT_BYTES) } });
    expect(result.status).toBe("waiting-event");
  });

  it("one byte larger is refused with field, size and limit, and nothing is written", async () => {
    const scene = open();
    const input = { text: textOf(MAX_INPUT_BYTES + 1) };
    const error = await refusalOf(() => scene.run(scene.workflow, { input }));
    expectFacts(error, ["text", MAX_INPUT_BYTES + 1, MAX_INPUT_BYTES]);
    expect(scene.rowCount()).toBe(0);
  });

  it("may be as deep as the limit and no deeper", async () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    const scene = open();
    const deepest = { text: "", tree: nested(MAX_INPUT_DEPTH - 1) };
    expect((await scene.run(scene.workflow, { input: deepest })).status).toBe("waiting-event");
    const input = { text: "", tree: nested(MAX_INPUT_DEPTH) };
    const error = await refusalOf(() => scene.run(scene.workflow, { runId: "deeper", input }));
    expectFacts(error, ["tree", MAX_INPUT_DEPTH]);
  });
});

describe("the data of a signal", () => {
  const noteOf = (size: number) => ({ note: "é".repeat(10) + "x".repeat(size - '{"note":""}'.length - 20) });

  it("may be exactly as large as the limit", async () => {
    const scene = open();
    await scene.run(scene.workflow, { input: { text: "" } });
    await signalRun(scene.workflow, { runId: "run", signal: "go", data: noteOf(MAX_SIGNAL_BYTES) });
    expect(await scene.resume(scene.workflow)).toMatchObject({ status: "finished" });
  });

  it("one byte larger is refused with signal, field, size and limit, and the run continues waiting", async () => {
    const scene = open();
    await scene.run(scene.workflow, { input: { text: "" } });
    const data = noteOf(MAX_SIGNAL_BYTES + 1);
    const error = await refusalOf(() => signalRun(scene.workflow, { runId: "run", signal: "go", data }));
    expectFacts(error, ["go", "note", MAX_SIGNAL_BYTES + 1, MAX_SIGNAL_BYTES]);
    expect(await scene.store.pendingIntents("run")).toEqual([]);
    expect(await scene.resume(scene.workflow)).toMatchObject({ status: "waiting-event" });
  });

  it("with a value that JSON would lose is refused with its path, and nothing is kept", async () => {
    const scene = open();
    await scene.run(scene.workflow, { input: { text: "" } });
    const data = { note: "x", seen: [new Map([[1, 2]])] };
    const error = await refusalOf(() => signalRun(scene.workflow, { runId: "run", signal: "go", data }));
    expectFacts(error, ["go", '"seen[0]" is a Map']);
    expect(error.details).toMatchObject({ signal: "go", path: "seen[0]" });
    expect(await scene.store.pendingIntents("run")).toEqual([]);
  });
});

describe("a decision", () => {
  async function waiting() {
    const scene = openScene({ answer: z.object({ text: z.string() }) });
    const { Workflow, HumanTask, outputs, service } = scene.api;
    const workflow = service(() => (
      <Workflow name="asking">
        <HumanTask id="ask" output={outputs.answer} prompt="?" />
      </Workflow>
    ));
    await scene.run(workflow);
    return { ...scene, workflow };
  }
  const at = { runId: "run", nodeId: "ask" };
  const textOf = (size: number) => "x".repeat(size - '{"text":""}'.length);

  it("may carry data exactly as large as the limit", async () => {
    const { workflow, resume } = await waiting();
    await approveNode(workflow, { ...at, data: { text: textOf(MAX_DECISION_BYTES) } });
    expect(await resume(workflow)).toMatchObject({ status: "finished" });
  });

  it.each<[string, Partial<DecisionRequest>, string]>([
    ["data", { data: { text: textOf(MAX_DECISION_BYTES + 1) } }, '"text"'],
    ["note", { note: "x".repeat(MAX_DECISION_BYTES - 1) }, ""],
    ["decidedBy", { decidedBy: "x".repeat(MAX_DECISION_BYTES - 1) }, ""],
  ])("one byte larger is refused with node, field, size and limit: %s", async (field, request, path) => {
    const { workflow, store, resume } = await waiting();
    for (const decide of [approveNode, denyNode]) {
      const error = await refusalOf(() => decide(workflow, { ...at, ...request }));
      expectFacts(error, ["ask", field, path, MAX_DECISION_BYTES + 1, MAX_DECISION_BYTES]);
      expect(error.details).toMatchObject({ ...at, field, sizeBytes: MAX_DECISION_BYTES + 1 });
    }
    expect(await store.pendingIntents("run")).toEqual([]);
    expect(await resume(workflow)).toMatchObject({ status: "waiting-approval" });
  });

  it("with a value that JSON would lose is refused with its path", async () => {
    const { workflow } = await waiting();
    const data = { text: "x", of: { n: 1n } };
    const error = await refusalOf(() => approveNode(workflow, { ...at, data }));
    expectFacts(error, ["ask", "data", '"of.n" is a bigint']);
  });
});

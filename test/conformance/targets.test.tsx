import { expect, it } from "vitest";
import { z } from "zod";
import * as api from "../../src/index.js";
import { weightedScore } from "../../src/scorers/index.js";
import { testWorkflow } from "../../src/testing/index.js";
import { openScene } from "../support/engine/scene.js";

function workflow() {
  const { Workflow, Task, outputs, service } = openScene({ output: z.object({ ok: z.boolean() }) }).api;
  return service(() => (
    <Workflow name="targets">
      <Task id="a" output={outputs.output}>
        {{ ok: true }}
      </Task>
    </Workflow>
  ));
}

it.each([
  ["explainRun", (target: never, id: never) => api.explainRun(target, id)],
  ["getRun", (target: never, id: never) => api.getRun(target, id)],
  ["listNodes", (target: never, id: never) => api.listNodes(target, id)],
  ["listEvents", (target: never, id: never) => api.listEvents(target, id)],
  ["getFrame", (target: never, id: never) => api.getFrame(target, id, 1)],
] as const)("%s refuses what is no run id, and what is no workflow", async (_name, call) => {
  for (const id of [{ runId: "run" }, undefined, "", 5]) {
    await expect((async () => call(workflow() as never, id as never))()).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("runId"),
    });
  }
  for (const target of [undefined, "service.db"]) {
    await expect((async () => call(target as never, "run" as never))()).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("target"),
    });
  }
});

it.each([
  ["renderFrame", async (target: never) => api.renderFrame(target)],
  ["testWorkflow", async (target: never) => testWorkflow(target)],
] as const)("%s refuses what is no workflow", async (_name, call) => {
  for (const target of [undefined, null, "flow.tsx"]) {
    await expect(call(target as never)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("workflow"),
    });
  }
});

it("weightedScore refuses what holds no scores and no weights", () => {
  const refused = expect.objectContaining({ code: "INVALID_INPUT" });
  expect(() => weightedScore(undefined as never, { a: 1 })).toThrow(refused);
  expect(() => weightedScore({}, null as never)).toThrow(refused);
});

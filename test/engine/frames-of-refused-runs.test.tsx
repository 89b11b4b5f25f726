import { useEffect } from "react";
import { expect, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { go: z.object({}) };

/** A workflow whose effect is cleaned up when it is not drawn any more. */
function open(limit: number, dbPath?: string) {
  const scene = openScene(schemas, {
    limits: { "model-x": { concurrency: limit } },
    ...(dbPath !== undefined && { dbPath }),
  });
  const { Workflow, Signal, outputs, service } = scene.api;
  const mounted = new Set<object>();
  const Effect = () => {
    useEffect(() => {
      const self = {};
      mounted.add(self);
      return () => void mounted.delete(self);
    }, []);
    return null;
  };
  const workflow = service(() => (
    <Workflow name="w">
      <Effect />
      <Signal id="go" schema={outputs.go} />
    </Workflow>
  ));
  return { ...scene, workflow, mounted };
}

it("a run that cannot be created leaves no effect of its first frame behind", async () => {
  const { run, workflow, mounted, store } = open(1);
  store.createRun = () => {
    throw new ServiceError("STORAGE_ERROR", "The disk is full.");
  };
  await expect(run(workflow)).rejects.toMatchObject({ code: "STORAGE_ERROR" });
  expect(mounted.size).toBe(0);
});

it("nor does a resume that another run's limits contradict", async () => {
  const one = open(1);
  await one.run(one.workflow, { runId: "suspended" });
  const other = open(2, one.path);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const { Workflow, Task, outputs, service } = other.api;
  const busy = service(() => (
    <Workflow name="busy">
      <Task id="t" output={outputs.go} limit="model-x">
        {async () => {
          await held;
          return {};
        }}
      </Task>
    </Workflow>
  ));
  const driving = other.drive(busy, { runId: "busy" });
  await other.time.advance(10);
  await expect(one.run(one.workflow, { runId: "suspended", resume: true })).rejects.toMatchObject({
    code: "LIMIT_CONFLICT",
  });
  expect(one.mounted.size).toBe(0);
  release();
  await other.time.until(driving);
});

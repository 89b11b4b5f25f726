import { type ReactNode, useEffect, useMemo, useState } from "react";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { components } from "../../src/components/components.js";
import { useCtx } from "../../src/components/use-ctx.js";
import { createTreeRenderer } from "../../src/renderer/render-tree.js";
import { deferred } from "../../src/util/deferred.js";
import { openScene } from "../support/engine/scene.js";
import { ids, type outputs, rig } from "../support/render-workflow.js";

const { Loop, Task, Workflow } = components;

describe("useCtx", () => {
  function Summary(): ReactNode {
    const ctx = useCtx<typeof outputs>();
    const row = ctx.outputMaybe("note", { nodeId: "a" });
    const id = useMemo(() => `about-${row?.text ?? "nothing"}`, [row]);
    return (
      <Task id={id} output="note">
        {{ text: "" }}
      </Task>
    );
  }

  it("reads the run from any component, anew in each frame", () => {
    const tree = (
      <Workflow name="w">
        <Summary />
      </Workflow>
    );
    const flow = rig(() => tree);
    expect(ids(flow.render())).toEqual(["about-nothing"]);
    flow.setRow("a", { text: "cats" });
    expect(ids(flow.render())).toEqual(["about-cats"]);
  });

  it("works in the build function itself", () => {
    const flow = rig(() => {
      const { runId } = useCtx();
      return <Workflow name={runId} />;
    });
    expect(flow.render().workflowName).toBe("run");
  });

  it("outside of a workflow is an error that says so", () => {
    expect(() => createTreeRenderer().render(<Summary />)).toThrow(
      expect.objectContaining({ code: "CONTEXT_OUTSIDE_WORKFLOW" }),
    );
  });

  it("outside of rendering is an error that says so", () => {
    expect(() => useCtx()).toThrow(
      expect.objectContaining({
        code: "CONTEXT_OUTSIDE_WORKFLOW",
        summary: expect.stringContaining("useCtx() was called while nothing is rendered"),
      }),
    );
  });

  it("in a task's function fails the task with that error", async () => {
    const { api, run } = openScene({ row: z.object({ run: z.string() }) });
    const { Workflow, Task, outputs, service } = api;
    const result = await run(
      service(() => (
        <Workflow name="w">
          <Task id="a" output={outputs.row} noRetry>
            {() => ({ run: useCtx().runId })}
          </Task>
        </Workflow>
      )),
    );
    expect(result).toMatchObject({ status: "failed", error: { code: "CONTEXT_OUTSIDE_WORKFLOW" } });
  });

  it("is what a Loop outside of a workflow misses as well", () => {
    expect(() => createTreeRenderer().render(<Loop />)).toThrow(
      expect.objectContaining({
        code: "CONTEXT_OUTSIDE_WORKFLOW",
        summary: expect.stringContaining("<Loop>"),
      }),
    );
  });
});

describe("state of a build function", () => {
  it("lives from frame to frame, and asks for one when it changes by itself", async () => {
    const answer = deferred<string>();
    const flow = rig(() => {
      const [name, setName] = useState("waiting");
      useEffect(() => void answer.promise.then(setName), []);
      return <Workflow name={name} />;
    });
    expect(flow.render().workflowName).toBe("waiting");
    expect(flow.invalidations).toBe(0);
    answer.resolve("answered");
    await answer.promise;
    await Promise.resolve();
    expect(flow.invalidations).toBe(1);
    expect(flow.render().workflowName).toBe("answered");
  });

  it("is cleaned up when the frames end", () => {
    const log: string[] = [];
    const flow = rig(() => {
      useEffect(() => () => void log.push("cleaned up"), []);
      return <Workflow name="w" />;
    });
    flow.render();
    flow.dispose();
    expect(log).toEqual(["cleaned up"]);
  });
});

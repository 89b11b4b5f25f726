import { describe, expect, it } from "vitest";
import { z } from "zod";
import { getRun, listRuns, type RunEvent } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { step: z.object({ n: z.number() }) };

function twoSteps() {
  const scene = openScene(schemas);
  const { Workflow, Task, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="two">
      <Task id="a" output={outputs.step}>
        {() => ({ n: 1 })}
      </Task>
      <Task id="b" output={outputs.step}>
        {async () => ({ n: 2 })}
      </Task>
    </Workflow>
  ));
  return { ...scene, workflow };
}

describe("onProgress", () => {
  it("hears every event of the log, in order, with run and time", async () => {
    const scene = twoSteps();
    const heard: RunEvent[] = [];
    await scene.run(scene.workflow, { onProgress: (event) => heard.push(event) });
    const logged = (await scene.store.listEvents("run", { limit: 1_000 })).map(({ event }) => event);
    expect(heard).toEqual(logged);
    expect(heard.map(({ type }) => type).filter((type) => type !== "FrameCommitted")).toEqual([
      "RunStarted",
      "NodePending",
      "NodePending",
      "NodeStarted",
      "NodeFinished",
      "NodeStarted",
      "NodeFinished",
      "RunFinished",
    ]);
    expect(heard.every(({ runId, timestampMs }) => runId === "run" && timestampMs > 0)).toBe(true);
  });

  it("hears of an event only when it is in the database", async () => {
    const scene = twoSteps();
    const stored: boolean[] = [];
    await scene.run(scene.workflow, {
      onProgress(event) {
        if (event.type !== "NodeFinished") return;
        const row = scene.store.getOutput("run", "step", event.nodeId, event.iteration);
        stored.push(row !== undefined);
      },
    });
    expect(stored).toEqual([true, true]);
  });

  it.each([
    [
      "throws",
      (event: RunEvent) => {
        if (event.type === "NodeStarted") throw new Error("the listener is broken");
      },
    ],
    ["is asynchronous and rejects", () => Promise.reject(new Error("the listener is broken"))],
  ])("that %s does not stop the run", async (_what, onProgress) => {
    const scene = twoSteps();
    const warned: string[] = [];
    const onWarning = ({ message }: Error) => warned.push(message);
    process.on("warning", onWarning);
    const result = await scene.run(scene.workflow, { onProgress });
    process.off("warning", onWarning);
    expect(result.status).toBe("finished");
    expect(warned.join()).toContain("the listener is broken");
  });

  it("hears only what is new when a run is resumed", async () => {
    const scene = openScene(schemas);
    const { Workflow, Task, outputs, service } = scene.api;
    let broken = true;
    const workflow = service(() => (
      <Workflow name="mends">
        <Task id="only" output={outputs.step} retries={0}>
          {() => {
            if (broken) throw new Error("broken");
            return { n: 1 };
          }}
        </Task>
      </Workflow>
    ));
    await scene.run(workflow);
    broken = false;
    const heard: string[] = [];
    await scene.resume(workflow, { onProgress: ({ type }) => heard.push(type) });
    expect(heard[0]).toBe("RunStarted");
    expect(heard).not.toContain("NodeFailed");
    expect(heard.at(-1)).toBe("RunFinished");
  });
});

describe("annotations", () => {
  it("are kept with the run and shown with it", async () => {
    const scene = twoSteps();
    const annotations = { team: "blue", priority: 3, urgent: true };
    await scene.run(scene.workflow, { annotations });
    expect((await getRun(scene.workflow, "run")).annotations).toEqual(annotations);
    expect((await listRuns(scene.workflow)).runs[0]?.annotations).toEqual(annotations);
  });
});

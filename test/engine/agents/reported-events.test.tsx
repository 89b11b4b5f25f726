import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { AgentLike } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";

/** A run of one task whose agent reports something, as a program without types may. */
async function reporting(reported: unknown, printed?: unknown) {
  const scene = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Task, outputs, service } = scene.api;
  const agent: AgentLike = {
    id: "clerk",
    async generate({ onEvent, onStdout } = {}) {
      if (reported !== undefined) onEvent?.(reported as never);
      if (printed !== undefined) onStdout?.(printed as never);
      return { output: { n: 1 } };
    },
  };
  const workflow = service(() => (
    <Workflow name="reporting">
      <Task id="ask" output={outputs.row} agent={agent}>
        Go.
      </Task>
    </Workflow>
  ));
  expect((await scene.run(workflow)).status).toBe("finished");
  return scene;
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

const circle: Record<string, unknown> = { type: "started" };
circle.self = circle;

describe("something that an agent reports although it is no event", () => {
  it.each<[string, unknown]>([
    ["a text", "hello"],
    ["null", null],
    ["a list", [1]],
    ["an object without a type", { title: "t" }],
    ["an object that refers to itself", circle],
    ["an object with what JSON does not hold", { type: "started", size: 1n }],
    ["an object that nests deeper than a row may", { type: "started", deep: nested(3_000) }],
    ["an action without an action", { type: "action", phase: "started" }],
  ])("leaves the run as it is and a warning in its log: %s", async (_what, reported) => {
    const scene = await reporting(reported);
    expect(await scene.events("AgentEvent")).toMatchObject([
      { event: { type: "action", level: "warning", action: { kind: "warning" } } },
    ]);
  });
});

describe("what an agent prints", () => {
  it("is kept as text when it hands over the bytes", async () => {
    const scene = await reporting(undefined, Buffer.from("Grüße\n"));
    expect(await scene.events("NodeOutput")).toMatchObject([{ text: "Grüße\n", stream: "stdout" }]);
  });
});

describe("an event of an agent", () => {
  it("is kept without members that are not what they have to be", async () => {
    const usage = { inputTokens: Number.NaN, outputTokens: 2.5 };
    const scene = await reporting({ type: "completed", ok: true, engine: 5, resume: 7, usage });
    expect(await scene.events("AgentEvent")).toMatchObject([
      { engine: "clerk", event: { type: "completed", ok: true, usage: { inputTokens: 0, outputTokens: 2 } } },
    ]);
    expect(await scene.store.listUsage("run")).toMatchObject([{ inputTokens: 0, outputTokens: 2 }]);
    expect((await scene.attempts("ask"))[0]?.meta).not.toHaveProperty("sessionId");
  });

  it("stays as it was reported, whatever the agent does with the object", async () => {
    const event = { type: "started", engine: "clerk", title: "before" };
    const scene = await reporting(event);
    event.title = "after";
    expect(await scene.events("AgentEvent")).toMatchObject([{ event: { title: "before" } }]);
  });
});

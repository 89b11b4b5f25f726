import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";

const schemas = {
  input: z.object({ names: z.array(z.string()) }),
  list: z.object({ items: z.array(z.number()) }),
  output: z.object({ items: z.array(z.number()), names: z.array(z.string()) }),
};

it("what a task does to rows that it was given reaches no other task, and nothing that is stored", async () => {
  const scene = openScene(schemas);
  const { Workflow, Sequence, Loop, Task, outputs, service } = scene.api;
  const workflow = service((ctx) => (
    <Workflow name="sorts">
      <Sequence>
        <Task id="list" output={outputs.list}>
          {() => ({ items: [3, 1, 2] })}
        </Task>
        <Loop id="rounds" maxIterations={2} continueAsNewEvery={1}>
          <Task id="sort" output={outputs.list} deps={{ list: outputs.list }} needs={{ same: "list" }}>
            {({ list, same }) => {
              list.items.sort();
              (same as typeof list).items.length = 0;
              ctx.output(outputs.list, { nodeId: "list" }).items.push(4);
              return list;
            }}
          </Task>
        </Loop>
        <Task id="last" output={outputs.output} deps={{ list: outputs.list }}>
          {({ list }) => ({ items: list.items, names: ctx.input.names })}
        </Task>
      </Sequence>
    </Workflow>
  ));
  const result = await scene.run(workflow, { input: { names: ["ada"] }, config: { tags: ["kept"] } });
  expect(result.output).toEqual({ items: [3, 1, 2], names: ["ada"] });
  expect(result.runId).not.toBe("run");
  expect(await scene.store.readOutput(result.runId, "list", 0)).toEqual({ items: [3, 1, 2] });
  expect(await scene.store.readOutput(result.runId, "sort", 1)).toEqual({ items: [1, 2, 3] });
  expect(await scene.store.getInput(result.runId)).toEqual({ names: ["ada"] });
  expect((await scene.store.getRun(result.runId))?.config.config).toEqual({ tags: ["kept"] });
});

it("the input of a run cannot be changed: the next process would not know of it", async () => {
  const scene = openScene(schemas);
  const { Workflow, Task, outputs, service } = scene.api;
  const attempted: string[] = [];
  const tries = (what: string, change: () => void) => {
    expect(change).toThrow(TypeError);
    attempted.push(what);
  };
  const workflow = service((ctx) => {
    tries("input", () => void ctx.input.names.push("somebody"));
    return (
      <Workflow name="keeps">
        <Task id="changes" output={outputs.output}>
          {(_inputs, { config }) => {
            tries("ctx.config", () => void (ctx.config.tags as string[]).push("changed"));
            tries("config", () => Object.assign((config.deep as object[])[0] as object, { changed: true }));
            tries("auth", () => void ctx.auth?.scopes.push("admin"));
            return { items: [], names: ctx.input.names };
          }}
        </Task>
      </Workflow>
    );
  });
  const auth = {
    triggeredBy: "ada",
    role: "operator",
    scopes: ["run:read"],
    createdAt: "2026-01-01T00:00:00Z",
  };
  const config = { tags: ["kept"], deep: [{ kept: true }] };
  const result = await scene.run(workflow, { input: { names: ["ada"] }, config, auth });
  expect(result.output).toEqual({ items: [], names: ["ada"] });
  expect(new Set(attempted)).toEqual(new Set(["input", "ctx.config", "config", "auth"]));
  config.tags.push("the caller's own");
});

import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";

const schemas = {
  input: z.object({ names: z.array(z.string()) }),
  list: z.object({ items: z.array(z.number()) }),
  output: z.object({ items: z.array(z.number()), names: z.array(z.string()) }),
};

it("what a task does to rows, input and config that it was given reaches no other task, and nothing that is stored", async () => {
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
            {({ list, same }, { config }) => {
              list.items.sort();
              (same as typeof list).items.length = 0;
              ctx.output(outputs.list, { nodeId: "list" }).items.push(4);
              ctx.input.names.push("somebody");
              (ctx.config.tags as string[]).push("changed");
              (config.tags as string[]).push("changed");
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
  expect(result.output).toEqual({ items: [3, 1, 2], names: ["ada", "somebody"] });
  expect(result.runId).not.toBe("run");
  expect(await scene.store.readOutput(result.runId, "list", 0)).toEqual({ items: [3, 1, 2] });
  expect(await scene.store.readOutput(result.runId, "sort", 1)).toEqual({ items: [1, 2, 3] });
  expect(await scene.store.getInput(result.runId)).toEqual({ names: ["ada"] });
  expect((await scene.store.getRun(result.runId))?.config.config).toEqual({ tags: ["kept"] });
});

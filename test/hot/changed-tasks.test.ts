import { describe, expect, it } from "vitest";
import { flow, openHotScene, task } from "./support/hot-scene.js";

describe("a file that is saved while the run continues", () => {
  it("gives tasks that have not begun its code, and leaves rows and attempts as they are", async () => {
    const scene = await openHotScene({
      "flow.tsx": flow({ before: task("first", '"old"'), after: task("last", '"old"') }),
    });
    await scene.start();
    scene.save("flow.tsx", flow({ before: task("first", '"new"'), after: task("last", '"new"') }));
    const reloaded = await scene.next("WorkflowReloaded");
    expect(reloaded).toMatchObject({
      generation: 1,
      changedFiles: ["flow.tsx"],
      changes: [
        { nodeId: "first", change: "changed" },
        { nodeId: "last", change: "changed" },
      ],
      outdated: [{ nodeId: "first", iteration: 0 }],
    });
    expect((await scene.finish()).status).toBe("finished");
    expect(await scene.row("first")).toEqual({ text: "old" });
    expect(await scene.row("hold")).toEqual({ text: "held" });
    expect(await scene.row("last")).toEqual({ text: "new" });
    expect(scene.all("WorkflowReloadDetected")).toHaveLength(1);
  });

  it("adds tasks and takes away those that have not begun", async () => {
    const scene = await openHotScene({ "flow.tsx": flow({ after: task("old", '"x"') }) });
    await scene.start();
    scene.save("flow.tsx", flow({ after: task("fresh", '"y"') }));
    const { changes } = await scene.next("WorkflowReloaded");
    expect(changes).toEqual([
      { nodeId: "fresh", change: "added" },
      { nodeId: "old", change: "removed" },
    ]);
    await scene.finish();
    expect(await scene.row("fresh")).toEqual({ text: "y" });
    expect((await scene.node("old"))?.state).toBe("cancelled");
  });

  it("lets an attempt end whose task it has taken away", async () => {
    const scene = await openHotScene({ "flow.tsx": flow({ after: task("last", '"x"') }) });
    await scene.start();
    scene.save("flow.tsx", flow({ held: "", after: task("last", '"x"') }));
    await scene.next("WorkflowReloaded");
    expect((await scene.finish()).status).toBe("finished");
    expect(await scene.row("hold")).toEqual({ text: "held" });
  });

  it("ends such an attempt with cancelUnmounted", async () => {
    const scene = await openHotScene({ "flow.tsx": flow({ after: task("last", '"x"') }) });
    await scene.start({ cancelUnmounted: true });
    scene.save("flow.tsx", flow({ held: "", after: task("last", '"x"') }));
    await scene.next("NodeCancelled");
    const { status, failedChildren } = await scene.finish();
    expect({ status, failedChildren }).toEqual({ status: "finished", failedChildren: undefined });
    expect((await scene.node("hold"))?.state).toBe("cancelled");
    expect(await scene.row("hold")).toBeUndefined();
  });
});

describe("a file that the workflow imports", () => {
  const files = {
    "shared/words.ts": 'import { end } from "./more/end.ts";\nexport const word = `w${end}`;',
    "shared/more/end.ts": 'export const end = "1";',
    "prompt.md": "Say *one*.",
    "data.json": '{ "n": 1 }',
  };
  const imports = `import { word } from "./shared/words.ts";
import prompt from "./prompt.md";
import data from "./data.json";`;

  it.each([
    ["shared/more/end.ts", 'export const end = "2";', "w2 Say *one*. 1"],
    ["prompt.md", "Say *two*.", "w1 Say *two*. 1"],
    ["data.json", '{ "n": 2 }', "w1 Say *one*. 2"],
  ])("is watched: %s", async (name, text, expected) => {
    const after = task("last", "`${word} ${prompt} ${data.n}`");
    const scene = await openHotScene({ ...files, "flow.tsx": flow({ imports, after }) });
    await scene.start();
    scene.save(name, text);
    expect((await scene.next("WorkflowReloaded")).changedFiles).toEqual([name]);
    await scene.finish();
    expect(await scene.row("last")).toEqual({ text: expected });
  });
});

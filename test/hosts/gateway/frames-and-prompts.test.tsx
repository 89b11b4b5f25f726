import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { openGateway } from "./support/gateway.js";
import { asking, doubling } from "./support/workflows.js";

describe("the frames of a run", () => {
  it("are listed, shown and compared; without a run, a workflow is shown as it would begin", async () => {
    const { call, rpc, until } = await openGateway((gateway, folder) =>
      gateway.register("ask", asking(folder)).register("twice", doubling(folder)),
    );
    const { runId } = (await call("launchRun", { workflow: "ask" })) as { runId: string };
    await until(runId, "waiting-approval");
    await call("submitApproval", { runId, nodeId: "gate", approved: true });
    await until(runId, "waiting-event");
    const { frames } = (await call("listFrames", { runId })) as { frames: { frameNo: number }[] };
    const newest = frames[0]?.frameNo as number;
    expect(newest).toBeGreaterThan(1);
    expect(await call("listFrames", { runId, limit: 1 })).toMatchObject({ frames: [{ frameNo: newest }] });
    const graph = await call("getGraph", { runId });
    expect(graph).toMatchObject({ runId, frameNo: newest, xml: { tag: "Workflow" } });
    expect(await call("getFrame", { runId })).toEqual(graph);
    expect(await call("getFrame", { runId, frameNo: 1 })).toMatchObject({ frameNo: 1 });
    expect(await call("diffFrames", { runId, fromFrameNo: 1, toFrameNo: 1 })).toEqual({
      runId,
      fromFrameNo: 1,
      toFrameNo: 1,
      added: [],
      removed: [],
      changed: [],
      isTreeChanged: false,
    });
    expect(await rpc("getFrame", { runId, frameNo: 99 })).toMatchObject({
      status: 404,
      body: { error: { code: "SNAPSHOT_NOT_FOUND" } },
    });
    expect(await call("listNodesAsOf", { runId, frameNo: 1 })).toEqual({ runId, frameNo: 1, nodes: [] });
    expect(await call("listNodesAsOf", { runId, frameNo: newest })).toMatchObject({
      nodes: [{ nodeId: "gate", state: "finished" }],
    });
    expect(await rpc("listNodesAsOf", { runId, frameNo: 99 })).toMatchObject({
      status: 404,
      body: { error: { code: "SNAPSHOT_NOT_FOUND" } },
    });
    expect(await call("getGraph", { workflow: "twice", input: { n: 1 } })).toMatchObject({
      runId: null,
      frameNo: 0,
      tasks: [{ nodeId: "double", kind: "compute" }],
    });
  });
});

describe("the prompts of a workspace", () => {
  it("are the Markdown files of its two folders, by id, and of nowhere else", async () => {
    const folder = temporaryFolder();
    const outside = temporaryFolder();
    const write = (path: string, text: string, root = folder) => {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    write(".service/prompts/review.md", "Review it.");
    write("prompts/review.md", "Not this one.");
    write("prompts/deep/plan.mdx", "# Plan");
    write("prompts/notes.txt", "none");
    write("prompts/large.md", "x".repeat(1_048_577));
    write("README.md", "none");
    write("secret.md", "outside", outside);
    mkdirSync(join(outside, "folder"));
    write("folder/more.md", "outside", outside);
    symlinkSync(join(outside, "secret.md"), join(folder, "prompts", "link.md"));
    symlinkSync(join(outside, "folder"), join(folder, "prompts", "linked"));
    symlinkSync(join(folder, "prompts", "deep", "plan.mdx"), join(folder, "prompts", "inside.mdx"));
    symlinkSync(join(folder, "nowhere.md"), join(folder, "prompts", "broken.md"));
    const { call } = await openGateway(() => {}, { folder });
    const { prompts } = (await call("listPrompts")) as { prompts: Record<string, unknown>[] };
    expect(prompts).toEqual([
      { id: "deep/plan", file: "prompts/deep/plan.mdx", source: "# Plan", updatedAtMs: expect.any(Number) },
      { id: "inside", file: "prompts/inside.mdx", source: "# Plan", updatedAtMs: expect.any(Number) },
      {
        id: "review",
        file: ".service/prompts/review.md",
        source: "Review it.",
        updatedAtMs: expect.any(Number),
      },
    ]);
  });

  it("are none where there is no such folder, or the folder itself leads out of the workspace", async () => {
    const folder = temporaryFolder();
    const outside = temporaryFolder();
    writeFileSync(join(outside, "secret.md"), "outside");
    symlinkSync(outside, join(folder, "prompts"));
    const { call } = await openGateway(() => {}, { folder });
    expect(await call("listPrompts")).toEqual({ prompts: [] });
  });
});

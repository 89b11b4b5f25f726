import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { type AgentLike, runWorkflow } from "../../../src/index.js";
import { LiveText } from "../../../src/engine/attempt/live-text.js";
import { RunFeeds } from "../../../src/operations/read/run-feeds.js";
import { taskOutput, type TaskText } from "../../../src/operations/read/task-output.js";
import { ServiceDb } from "../../../src/store/service-db.js";
import { deferred } from "../../../src/util/deferred.js";
import { openScene } from "../../support/engine/scene.js";

/** A run whose first task speaks, and whose second is an agent that continues when the test lets it. */
function speaking() {
  const scene = openScene({ said: z.object({ ok: z.boolean() }), output: z.object({ text: z.string() }) });
  const { Workflow, Sequence, Task, outputs, service } = scene.api;
  const goOn = deferred<void>();
  const isWriting = deferred<void>();
  const agent: AgentLike = {
    id: "writer",
    async generate(args) {
      for (const text of ["one ", "two ", "three"]) args?.onText?.(text);
      isWriting.resolve();
      await goOn.promise;
      args?.onStdout?.("one two three\n");
      return { text: '{"text":"done"}' };
    },
  };
  const workflow = service(() => (
    <Workflow name="speaking">
      <Sequence>
        <Task id="print" output={outputs.said}>
          {(_deps: unknown, task: { log(text: string): void }) => {
            task.log("hello");
            return { ok: true };
          }}
        </Task>
        <Task id="write" output={outputs.output} agent={agent}>
          Write.
        </Task>
      </Sequence>
    </Workflow>
  ));
  const db = new ServiceDb(workflow.db);
  const texts: TaskText[] = [];
  const read = async (nodeId?: string) => {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const request = { runId: "run", afterSeq: -1, nodeId, signal: stop.signal };
    for await (const text of taskOutput(new RunFeeds(), db, request)) texts.push(text);
    return texts;
  };
  return { workflow, db, texts, read, goOn, isWriting };
}

const shown = (texts: readonly TaskText[]) =>
  texts.map((text) =>
    text.kind === "delta"
      ? ["writes", text.delta.nodeId, text.delta.text]
      : ["said", text.output.nodeId, text.output.text],
  );

describe("what tasks say", () => {
  it("comes as they say it, and what an agent is writing before it is kept", async () => {
    const { workflow, texts, read, goOn, isWriting } = speaking();
    const drive = runWorkflow(workflow, { runId: "run", input: {} });
    const reading = (async () => {
      await expect.poll(() => new ServiceDb(workflow.db).store.getRun("run")).toBeDefined();
      return read();
    })();
    await isWriting.promise;
    await expect.poll(() => shown(texts)).toContainEqual(["said", "print", "hello\n"]);
    goOn.resolve();
    await drive;
    const all = shown(await reading);
    expect(all.at(-1)).toEqual(["said", "write", "one two three\n"]);
    expect(all.filter(([kind]) => kind === "said")).toEqual([
      ["said", "print", "hello\n"],
      ["said", "write", "one two three\n"],
    ]);
  });

  it("can be asked for of one task, and read later without the pieces", async () => {
    const { workflow, read, goOn } = speaking();
    goOn.resolve();
    await runWorkflow(workflow, { runId: "run", input: {} });
    expect(shown(await read("write"))).toEqual([["said", "write", "one two three\n"]]);
  });

  it("loses pieces rather than keep them for a reader who does not take them, and says nothing of other runs", async () => {
    const { workflow, db, goOn } = speaking();
    goOn.resolve();
    const { store } = db;
    await runWorkflow(workflow, { runId: "other", input: {} });
    const piece = { nodeId: "write", iteration: 0, attempt: 1 };
    const stop = new AbortController();
    const open = speaking();
    void runWorkflow(open.workflow, { runId: "run", input: {} });
    await open.isWriting.promise;
    const reader = taskOutput(new RunFeeds(), open.db, { runId: "run", afterSeq: 100, signal: stop.signal });
    let hasBegun = false;
    const first = reader.next().finally(() => {
      hasBegun = true;
    });
    await expect
      .poll(() => {
        LiveText.shared.say(open.db.store, { ...piece, runId: "run", text: "x" });
        return hasBegun;
      })
      .toBe(true);
    await first;
    for (let count = 0; count < 200; count += 1) {
      LiveText.shared.say(open.db.store, { ...piece, runId: "run", text: "y".repeat(1_000) });
      LiveText.shared.say(store, { ...piece, runId: "other", text: "z" });
    }
    const { value } = await reader.next();
    expect(value).toMatchObject({ kind: "delta" });
    const { text } = (value as Extract<TaskText, { kind: "delta" }>).delta;
    expect(text).toMatch(/^x*y+$/);
    expect(text.length).toBeLessThan(70_000);
    stop.abort();
    expect((await reader.next()).done).toBe(true);
    open.goOn.resolve();
  });
});

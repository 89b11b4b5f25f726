import { createService, getNode, listEvents, retryTask, rewindRun, runWorkflow } from "treadle";
import { expect, it } from "vitest";
import { z } from "zod";
import { getPrompt } from "../../src/operations/read/get-prompt.js";

/** A run of an agent that answers with what it was asked, after a task that it depends on; it can be made to fail. */
async function finished({ cache = false, isMade = false } = {}) {
  const api = createService(
    { input: z.object({}), output: z.object({ said: z.string() }) },
    { dbPath: ":memory:" },
  );
  const { Workflow, Sequence, Task, outputs } = api;
  const asked: string[] = [];
  let failures = 0;
  const agent = {
    id: "echo",
    async generate({ prompt }: { prompt?: unknown } = {}) {
      asked.push(String(prompt).split("\n")[0] as string);
      if (failures > 0) {
        failures -= 1;
        throw new Error("not now");
      }
      return { output: { said: asked.at(-1) } };
    },
  };
  const workflow = api.service(() => (
    <Workflow name="talk" cache={cache}>
      <Sequence>
        <Task id="before" output={outputs.output}>
          {{ said: "" }}
        </Task>
        <Task id="talk" output={outputs.output} agent={agent} retries={1}>
          {isMade ? () => "of a function" : "of the tree"}
        </Task>
      </Sequence>
    </Workflow>
  ));
  const resume = async () => {
    asked.length = 0;
    const { status } = await runWorkflow(workflow, { runId: "run", resume: true });
    return { status, asked: [...asked] };
  };
  await runWorkflow(workflow, { runId: "run", input: {} });
  return { workflow, resume, failNext: (times: number) => (failures = times) };
}

const at = { runId: "run", nodeId: "talk" };

it("the next attempt asks with the edited prompt, and so do the ones after it", async () => {
  const { workflow, resume, failNext } = await finished();
  expect(await retryTask(workflow, { ...at, prompt: "by hand", requestedBy: "ada" })).toMatchObject({
    success: true,
  });
  failNext(2);
  expect(await resume()).toEqual({ status: "failed", asked: ["by hand", "by hand"] });
  expect(await resume()).toEqual({ status: "finished", asked: ["by hand"] });
  expect((await getNode(workflow, at)).output).toMatchObject({ said: "by hand" });
});

it("it is told what was really asked, that it was edited and by whom", async () => {
  const { workflow, resume } = await finished();
  expect(await getPrompt(workflow, at)).toMatchObject({ edited: null });
  await retryTask(workflow, { ...at, prompt: "by hand", requestedBy: "ada" });
  await resume();
  expect(await getPrompt(workflow, at)).toMatchObject({
    edited: { by: "ada" },
    question: { prompt: expect.stringMatching(/^by hand\n/) },
  });
  expect(await getPrompt(workflow, { ...at, attempt: 1 })).toMatchObject({ edited: null });
  expect(await listEvents(workflow, "run", { types: ["RetryTaskStarted"] })).toMatchObject([
    { event: { hasEditedPrompt: true, requestedBy: "ada" } },
  ]);
});

it("a later retry without a prompt goes back to the tree's, and so does one of a task before it", async () => {
  const { workflow, resume } = await finished();
  for (const again of [at, { ...at, nodeId: "before" }]) {
    await retryTask(workflow, { ...at, prompt: "by hand" });
    await resume();
    await retryTask(workflow, again);
    expect(await resume()).toEqual({ status: "finished", asked: ["of the tree"] });
  }
});

it("a run that goes back behind the edit asks with the tree's prompt", async () => {
  const { workflow, resume } = await finished();
  await retryTask(workflow, { ...at, prompt: "by hand" });
  await resume();
  await rewindRun(workflow, { runId: "run", frameNo: 1 });
  expect(await resume()).toEqual({ status: "finished", asked: ["of the tree"] });
});

it.each([false, true])(
  "the answer to another prompt is not taken from the cache (made by a function: %s)",
  async (isMade) => {
    const { workflow, resume } = await finished({ cache: true, isMade });
    await retryTask(workflow, { ...at, prompt: "by hand" });
    expect(await resume()).toEqual({ status: "finished", asked: ["by hand"] });
    await retryTask(workflow, at);
    expect(await resume()).toEqual({ status: "finished", asked: [] });
    expect((await getNode(workflow, at)).output).not.toMatchObject({ said: "by hand" });
  },
);

it("is refused for a task without an agent and for a prompt that is empty or too large, and nothing is reset", async () => {
  const { workflow } = await finished();
  for (const dryRun of [true, false]) {
    expect(await retryTask(workflow, { ...at, nodeId: "before", prompt: "by hand", dryRun })).toMatchObject({
      success: false,
      code: "INVALID_INPUT",
      error: expect.stringContaining("has no agent"),
    });
  }
  expect(await retryTask(workflow, { ...at, prompt: "x".repeat(1024 * 1024) })).toMatchObject({
    code: "INVALID_INPUT",
  });
  await expect(retryTask(workflow, { ...at, prompt: "" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  expect((await getNode(workflow, at)).node.state).toBe("finished");
});

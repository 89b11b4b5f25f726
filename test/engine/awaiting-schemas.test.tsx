import { expect, it } from "vitest";
import { z } from "zod";
import { approveNode, renderFrame, signalRun } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";
import { scriptedAgent } from "../support/engine/scripted-agent.js";

/** A text that only an asynchronous rule can judge, and that an asynchronous transform makes lower case. */
const text = z
  .string()
  .refine(async (value) => value !== "bad", "is bad")
  .transform(async (value) => value.toLowerCase());
const schemas = { word: z.object({ text }), output: z.object({ text }) };

it("a schema that awaits judges rows of functions and rows that are stated, as those of agents", async () => {
  const { api, run, store } = openScene(schemas);
  const { Workflow, Task, outputs, service } = api;
  const workflow = (made: string) =>
    service(() => (
      <Workflow name="awaiting">
        <Task id="stated" output={outputs.word}>
          {{ text: "STATED" }}
        </Task>
        <Task id="asked" output={outputs.word} agent={scriptedAgent("one", [{ text: "ASKED" }])}>
          Say a word.
        </Task>
        <Task id="made" output={outputs.word}>
          {() => ({ text: made })}
        </Task>
      </Workflow>
    ));
  expect((await run(workflow("MADE"))).status).toBe("finished");
  const words = await store.listOutputs("run", "word");
  expect(words).toEqual([{ text: "stated" }, { text: "asked" }, { text: "made" }]);
  const failed = await run(workflow("bad"), { runId: "other" });
  expect(failed).toMatchObject({
    status: "failed",
    error: { code: "INVALID_OUTPUT", details: { nodeId: "made" } },
  });
});

it("a schema that awaits judges what people and programs send, before it is kept", async () => {
  const { api, run, store } = openScene(schemas);
  const { Workflow, Signal, HumanTask, outputs, service } = api;
  const workflow = service(() => (
    <Workflow name="sent">
      <Signal id="news" schema={outputs.word} />
      <HumanTask id="answer" prompt="Which word?" output={outputs.output} />
    </Workflow>
  ));
  await run(workflow);
  const refused = { code: "INVALID_INPUT", details: { issues: ["text: is bad"] } };
  const send = (word: string) => signalRun(workflow, { runId: "run", signal: "news", data: { text: word } });
  await expect(send("bad")).rejects.toMatchObject(refused);
  await send("GOOD");
  await run(workflow, { runId: "run", resume: true });
  const answer = (word: string) =>
    approveNode(workflow, { runId: "run", nodeId: "answer", data: { text: word } });
  await expect(answer("bad")).rejects.toMatchObject(refused);
  await answer("FINE");
  expect(await run(workflow, { runId: "run", resume: true })).toMatchObject({ output: { text: "fine" } });
  expect(await store.listOutputs("run", "word")).toEqual([{ text: "good" }]);
});

it("rows under a schema that awaits are seeded, previewed and taken from the cache", async () => {
  const { api, run } = openScene(schemas);
  const { Workflow, Task, outputs, service } = api;
  let made = 0;
  const workflow = service((ctx) => (
    <Workflow name="kept">
      <Task
        id="given"
        output={outputs.word}
        label={ctx.outputMaybe("word", { nodeId: "given" })?.text ?? "none"}
      >
        {{ text: "own" }}
      </Task>
      <Task id="made" output={outputs.output} cache={{}}>
        {() => {
          made += 1;
          return { text: "MADE" };
        }}
      </Task>
    </Workflow>
  ));
  const given = { word: [{ nodeId: "given", text: "GIVEN" }] };
  const frame = await renderFrame(workflow, { outputs: given });
  expect(frame.tasks[0]?.label).toBe("given");
  expect(await run(workflow, { initialOutputs: given })).toMatchObject({ output: { text: "made" } });
  expect(await run(workflow, { runId: "again" })).toMatchObject({ output: { text: "made" } });
  expect(made).toBe(1);
});

it("each rule of a schema that awaits is asked once for a row, and what it throws is the seeding's error", async () => {
  const asked: string[] = [];
  const judged = z.string().refine(async (value) => {
    asked.push(value);
    if (value === "down") throw new Error("nobody can be asked");
    return true;
  });
  const { api, run } = openScene({ output: z.object({ text: judged }) });
  const { Workflow, Task, outputs, service } = api;
  const workflow = service(() => (
    <Workflow name="asked-once">
      <Task id="made" output={outputs.output}>
        {{ text: "up" }}
      </Task>
    </Workflow>
  ));
  expect((await run(workflow)).status).toBe("finished");
  const seeded = run(workflow, {
    runId: "seeded",
    initialOutputs: { output: [{ nodeId: "made", text: "down" }] },
  });
  await expect(seeded).rejects.toThrow("nobody can be asked");
  expect(asked).toEqual(["up", "down"]);
});

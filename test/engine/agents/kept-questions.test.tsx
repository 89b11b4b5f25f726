import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type AgentLike, ServiceError } from "../../../src/index.js";
import { getPrompt } from "../../../src/operations/index.js";
import { openScene } from "../../support/engine/scene.js";
import { scriptedAgent } from "../../support/engine/scripted-agent.js";

const schemas = { verdict: z.object({ title: z.string(), score: z.number() }) };
const GOOD = { title: "fine", score: 4 };

/** Runs one task that asks `agent`, and reads what is kept of it. */
async function ask(
  agent: AgentLike | AgentLike[],
  { prompt = "Rate the book.", retries = 0, maxOutputBytes = 200_000 } = {},
) {
  const scene = openScene(schemas);
  const { Workflow, Task, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="ask">
      <Task id="rate" output={outputs.verdict} agent={agent} retries={retries} retryPolicy={{}}>
        {prompt}
      </Task>
    </Workflow>
  ));
  const { commit } = scene.store;
  const commits: Parameters<typeof commit>[0][] = [];
  scene.store.commit = (step) => {
    commits.push(step);
    return commit.call(scene.store, step);
  };
  const result = await scene.run(workflow, { maxOutputBytes });
  const read = (which: { attempt?: number; question?: number } = {}) =>
    getPrompt(workflow, { runId: "run", nodeId: "rate", ...which });
  return { ...scene, workflow, result, read, commits };
}

afterEach(() => {
  delete process.env["SHOP_API_KEY"];
});

describe("what an agent is asked", () => {
  it("is kept with its instructions and the schema that it was given", async () => {
    const agent = { ...scriptedAgent("judge", [GOOD]), instructions: "You are strict." };
    const { read } = await ask(agent);
    expect(await read()).toMatchObject({
      nodeId: "rate",
      attempt: 1,
      questions: [{ attempt: 1, questionNo: 1, agentId: "judge", schemaRetry: 0 }],
      question: {
        prompt: "Rate the book.",
        mode: "native",
        instructions: "You are strict.",
        messages: null,
        schema: { properties: { title: { type: "string" }, score: { type: "number" } } },
        leftOutBytes: 0,
      },
      recalled: [],
    });
  });

  it("is the prompt with the words about the schema where the agent takes none", async () => {
    const { read } = await ask(scriptedAgent("plain", [JSON.stringify(GOOD)], { native: false }));
    const { question } = await read();
    expect(question).toMatchObject({ mode: "prompted", prompt: expect.stringMatching(/^Rate the book\./) });
    expect(question?.prompt).toContain("JSON Schema");
  });

  it("is each correction, each attempt and each agent that it went to", async () => {
    const busy = scriptedAgent("busy", [new ServiceError("AGENT_QUOTA_EXCEEDED", "no quota")]);
    const judge = scriptedAgent("judge", [{ title: 1 }, new Error("broken"), GOOD]);
    const { read, result } = await ask([busy, judge], { retries: 1 });
    expect(result.status).toBe("finished");
    const first = await read({ attempt: 1 });
    expect(first.questions).toMatchObject([
      { questionNo: 1, agentId: "busy", schemaRetry: 0 },
      { questionNo: 2, agentId: "judge", schemaRetry: 0 },
      { questionNo: 3, agentId: "judge", schemaRetry: 1 },
    ]);
    expect((await read({ attempt: 1, question: 3 })).question).toMatchObject({
      schema: null,
      prompt: expect.stringContaining("could not be used"),
    });
    const newest = await read();
    expect(newest).toMatchObject({ attempt: 2, questions: [{ agentId: "judge" }] });
    expect(newest.question?.prompt).toContain("The previous attempt at this task failed:\nbroken");
  });

  it("is kept without secrets, and of a long one the middle is left out", async () => {
    process.env["SHOP_API_KEY"] = "key-that-nobody-sees";
    const prompt = `Begin key-that-nobody-sees ${"ü".repeat(5_000)} end.`;
    const agent = scriptedAgent("judge", [GOOD]);
    const { read } = await ask(agent, { prompt, maxOutputBytes: 1_001 });
    expect(agent.questions[0]?.prompt).toBe(prompt);
    const { question } = await read();
    expect(question?.prompt).toMatch(/^Begin \[redacted\] ü+\n\[… \d+ bytes left out …\]\nü+ end\.$/);
    expect(question?.leftOutBytes).toBeGreaterThan(9_000);
    expect(Buffer.byteLength(question?.prompt ?? "")).toBeLessThan(1_100);
  });

  it("needs no commit of its own", async () => {
    const { commits } = await ask(scriptedAgent("judge", [GOOD]));
    const withQuestion = commits.filter(({ questions }) => questions !== undefined);
    expect(withQuestion).toHaveLength(1);
    // It comes with the end of the attempt.
    expect(withQuestion[0]?.outputs).toHaveLength(1);
  });

  it("goes with the run when that is deleted", async () => {
    const { read, store, rowCount } = await ask(scriptedAgent("judge", [GOOD]));
    expect((await read()).question).not.toBeNull();
    await store.deleteRuns(["run"]);
    expect(rowCount()).toBe(0);
  });

  it("is refused by name where there is no such attempt or question", async () => {
    const { read } = await ask(scriptedAgent("judge", [GOOD]));
    await expect(read({ attempt: 2 })).rejects.toMatchObject({
      code: "NODE_NOT_FOUND",
      message: expect.stringContaining("Run run has no attempt 2 of node rate; its newest is 1."),
    });
    await expect(read({ question: 2 })).rejects.toMatchObject({
      message: expect.stringContaining("no question 2 of node rate: that attempt has asked 1."),
    });
  });
});

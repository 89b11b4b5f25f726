import { expect, it } from "vitest";
import { z } from "zod";
import { createService, type AgentLike } from "../../../src/index.js";
import { testWorkflow } from "../../../src/testing/index.js";

const { Workflow, Sequence, Task, service, outputs } = createService({
  answer: z.object({ text: z.string() }),
});
const nobody: AgentLike = { id: "nobody", generate: () => Promise.reject(new Error("is not asked")) };

const workflow = service(() => (
  <Workflow name="desk">
    <Sequence>
      {["one", "two"].map((id) => (
        <Task
          key={id}
          id={id}
          output={outputs.answer}
          agent={nobody}
          memory={{ remember: {}, threadId: "t" }}
        >
          {`Question ${id}`}
        </Task>
      ))}
    </Sequence>
  </Workflow>
));

/** A process that dies at its n-th commit, before or after it is durable; the next one continues to the end. */
async function remembered(fuse?: { commit: number; when: "before" | "after" }) {
  const answers = (id: string) => () => ({ text: `Answer ${id}` });
  const test = testWorkflow(workflow, { agents: { one: answers("one"), two: answers("two") } });
  await test.run(fuse);
  if (fuse !== undefined) {
    // Row, fact and both messages came with one commit, or none of them did.
    for (const { nodeId, state } of await test.tasks()) {
      const isDone = state === "finished";
      expect((await test.memory.getFact("workflow:desk", nodeId)) !== undefined).toBe(isDone);
      const own = (await test.memory.listMessages("t")).filter((message) => message.nodeId === nodeId);
      expect(own).toHaveLength(isDone ? 2 : 0);
    }
    if (test.result.status !== "finished") await test.resume();
  }
  expect(test.result.status).toBe("finished");
  const messages = await test.memory.listMessages("t");
  return {
    facts: (await test.memory.listFacts("workflow:desk")).map(({ key, valueJson }) => [key, valueJson]),
    said: messages.map(({ role, contentJson }) => [role, JSON.parse(contentJson) as string]),
  };
}

it("wherever the process dies, what was said is in the conversation once, and every row is remembered", async () => {
  const undisturbed = await remembered();
  expect(undisturbed).toEqual({
    facts: [
      ["one", '{"text":"Answer one"}'],
      ["two", '{"text":"Answer two"}'],
    ],
    said: [
      ["user", "Question one"],
      ["assistant", '{"text":"Answer one"}'],
      ["user", "Question two"],
      ["assistant", '{"text":"Answer two"}'],
    ],
  });
  for (const when of ["before", "after"] as const) {
    for (let commit = 2; commit <= 4; commit += 1)
      expect(await remembered({ commit, when })).toEqual(undisturbed);
  }
});

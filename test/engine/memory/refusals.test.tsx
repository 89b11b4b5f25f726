import { expect, it } from "vitest";
import { z } from "zod";
import { createService, type AgentLike, ServiceDb, type TaskMemoryConfig } from "../../../src/index.js";
import { testWorkflow } from "../../../src/testing/index.js";
import { testEmbedder } from "../../memory/support/embedder.js";
import { openScene } from "../../support/engine/scene.js";

const { Workflow, Task, service, outputs } = createService({ answer: z.object({ text: z.string() }) });
const agent: AgentLike = { id: "a", generate: async () => ({ text: "In London." }) };

function asking(memory: unknown, props: object = {}) {
  return service(() => (
    <Workflow name="desk">
      <Task
        id="ask"
        output={outputs.answer}
        agent={agent}
        retries={0}
        memory={memory as TaskMemoryConfig}
        {...props}
      >
        Where does Ada live?
      </Task>
    </Workflow>
  ));
}

it.each([
  [{ namespace: "tenant:a" }, /kind has to be one of workflow, agent, user, global/],
  [{ recall: { namespace: { kind: "x", id: "y" } } }, /memory.recall.namespace/],
  [{ remember: { namespace: "user:a:b" } }, /user:a%3Ab/],
  [{ remeber: {} }, /memory.remeber, which does not exist.*did you mean remember/],
  [{ recall: { topk: 3 } }, /did you mean topK/],
  [{ recall: { topK: 0 } }, /topK.*1 to 50/],
  [{ recall: { similarityThreshold: 0.5 } }, /embedder/],
  [{ recall: { embedder: "text-embedding-3-small" } }, /embedding model of the AI SDK/],
  [{ recall: true }, /memory.recall that is no object/],
  [{ remember: { key: "" } }, /memory.remember.key/],
  [{ remember: { ttlMs: 0 } }, /memory.remember.ttlMs/],
  [{ threadId: "" }, /memory.threadId/],
  [{ lastMessages: 3 }, /without a threadId/],
])("memory=%j is refused before anything runs", async (memory, message) => {
  await expect(testWorkflow(asking(memory)).run()).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringMatching(message),
  });
});

it("a task without an agent can remember, and nothing else", async () => {
  const workflow = service(() => (
    <Workflow name="desk">
      <Task id="sum" output={outputs.answer} memory={{ recall: {} } as never}>
        {() => ({ text: "x" })}
      </Task>
    </Workflow>
  ));
  await expect(testWorkflow(workflow).run()).rejects.toMatchObject({ code: "TASK_AGENT_REQUIRED" });
});

it("a conversation beside a fork is refused", async () => {
  const workflow = service(() => (
    <Workflow name="desk">
      <Task id="first" output={outputs.answer} agent={agent}>
        One
      </Task>
      <Task id="ask" output={outputs.answer} agent={agent} fork="first" memory={{ threadId: "t" }}>
        Two
      </Task>
    </Workflow>
  ));
  await expect(testWorkflow(workflow).run()).rejects.toMatchObject({ code: "INVALID_INPUT" });
});

it("an embedder that fails fails the attempt with a code of its own, and nothing of the run is harmed", async () => {
  const embedder = testEmbedder();
  embedder.next = () => Promise.reject(new Error("rate limit"));
  const test = testWorkflow(asking({ recall: { embedder }, remember: {} }));
  await test.run();
  expect(test.result).toMatchObject({ status: "failed", error: { code: "MEMORY_EMBEDDING_FAILED" } });
  expect(await test.memory.listFacts("workflow:desk")).toEqual([]);
  await test.resume();
  expect(test.result.status).toBe("finished");
  expect(await test.memory.listFacts("workflow:desk")).toHaveLength(1);
});

it("a fact that is damaged fails the task that would recall it, at once, and leaves the run's rows", async () => {
  const scene = openScene({ answer: z.object({ text: z.string() }) });
  const { api } = scene;
  const { createMemoryStore } = await import("../../../src/memory/create-memory-store.js");
  await createMemoryStore(api.db).setFact("workflow:desk", "ada", "Ada lives in London");
  api.db.run("UPDATE _service_memory_facts SET created_at_ms = 'once'");
  const result = await scene.run(
    api.service(() => (
      <api.Workflow name="desk">
        <api.Sequence>
          <api.Task id="before" output={api.outputs.answer}>
            {{ text: "kept" }}
          </api.Task>
          <api.Task id="ask" output={api.outputs.answer} agent={agent} memory={{ recall: {} }}>
            Where does Ada live?
          </api.Task>
        </api.Sequence>
      </api.Workflow>
    )),
    { runId: "r" },
  );
  expect(result).toMatchObject({
    status: "failed",
    error: { code: "STORAGE_ERROR", message: expect.stringContaining("_service_memory_facts") },
  });
  const { store } = new ServiceDb(api.db);
  expect(await store.readOutput("r", "before", 0)).toMatchObject({ text: "kept" });
  expect((await store.listAttempts("r", "ask")).map(({ attempt }) => attempt)).toEqual([1]);
});

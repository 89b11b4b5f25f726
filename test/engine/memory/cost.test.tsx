import Database from "better-sqlite3";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import type { TaskMemoryConfig } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";

/** What a run of two tasks asks of the database about memory. */
async function statementsAboutMemory(memory?: TaskMemoryConfig): Promise<string[]> {
  const scene = openScene({ note: z.object({ text: z.string() }) });
  const { Workflow, Sequence, Task, service, outputs } = scene.api;
  const agent = { id: "a", supportsNativeStructuredOutput: true, generate: async () => ({ text: "a" }) };
  const workflow = service(() => (
    <Workflow name="w">
      <Sequence>
        <Task id="asked" output={outputs.note} agent={agent} {...(memory !== undefined && { memory })}>
          Ask
        </Task>
        <Task id="computed" output={outputs.note}>
          {async () => ({ text: "a" })}
        </Task>
      </Sequence>
    </Workflow>
  ));
  await scene.store.prepare();
  const prepare = vi.spyOn(Database.prototype, "prepare");
  try {
    expect((await scene.run(workflow)).status).toBe("finished");
    const statements = prepare.mock.calls.map(([sql]) => sql);
    expect(statements.length).toBeGreaterThan(0);
    return statements.filter((sql) => sql.includes("_service_memory"));
  } finally {
    prepare.mockRestore();
  }
}

it("a run without memory asks and writes nothing about memory", async () => {
  expect(await statementsAboutMemory()).toEqual([]);
});

it("one with memory does", async () => {
  expect(await statementsAboutMemory({ recall: {}, remember: {}, threadId: "t" })).not.toEqual([]);
});

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type AgentLike, createService, listEvents, runWorkflow } from "../../src/index.js";
import { row, temporaryFolder } from "./support/agent-run.js";

const LINES = 50_000;
const LINE = `${"progress ".repeat(8)}\n`;

/** Prints all its lines, and releases the event loop after every thousand. */
const talker: AgentLike = {
  id: "talker",
  async generate(args) {
    for (let line = 1; line <= LINES; line += 1) {
      args?.onStdout?.(LINE);
      if (line % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    return { text: JSON.stringify(row) };
  },
};

describe("an agent that prints fifty thousand lines", () => {
  it("leaves few and bounded events while other tasks continue", async () => {
    const schemas = { output: z.object({ title: z.string() }), count: z.object({ n: z.number() }) };
    const api = createService(schemas, { dbPath: join(temporaryFolder(), "run.db") });
    const { Workflow, Task, Parallel, Sequence } = api;
    const workflow = api.service(() => (
      <Workflow name="flood">
        <Parallel>
          <Task id="talk" output="output" agent={talker} retries={0}>
            Talk.
          </Task>
          <Sequence>
            {[...Array(20).keys()].map((n) => (
              <Task key={`count-${n}`} id={`count-${n}`} output="count">
                {() => ({ n })}
              </Task>
            ))}
          </Sequence>
        </Parallel>
      </Workflow>
    ));
    const result = await runWorkflow(workflow, { input: {} });
    expect(result.status).toBe("finished");
    const events = (await listEvents(workflow, result.runId, { limit: 100_000 })).map(({ event }) => event);
    const output = events.flatMap((event) => (event.type === "NodeOutput" ? [event] : []));
    const bytes = output.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    expect(bytes).toBeGreaterThan(199_000);
    expect(bytes).toBeLessThan(200_200);
    expect(output.filter(({ text }) => text.includes("output truncated"))).toHaveLength(1);
    expect(output.length).toBeLessThan(100);
    expect(events.filter(({ type }) => type === "TaskHeartbeat").length).toBeLessThan(100);
    const finished = events.flatMap((event) => (event.type === "NodeFinished" ? [event.nodeId] : []));
    expect(finished).toHaveLength(21);
    // The sequence did not have to wait for the talker.
    expect(finished.indexOf("talk")).toBeGreaterThan(0);
  });
});

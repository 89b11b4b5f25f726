import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { CompatAgent, type CompatAgentOptions } from "../../../src/agents/sdk/compat-agent.js";
import {
  type AgentInput,
  createService,
  listEvents,
  type RunEvent,
  type RunOptions,
  type RunResult,
  runWorkflow,
} from "../../../src/index.js";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server/index.js";

/** The row that every task of these tests writes. */
export const row = { title: "done" };

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "treadle-e2e-agents-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A model on loopback that follows `script`, and an agent that asks it. */
export async function scriptedAgent(
  script: Script,
  options: CompatAgentOptions = {},
): Promise<{ server: ModelServer; agent: CompatAgent }> {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  return { server, agent: new CompatAgent({ baseURL: server.baseURL, ...options }) };
}

export interface AgentRun {
  result: RunResult;
  events: RunEvent[];
  of<T extends RunEvent["type"]>(type: T): Extract<RunEvent, { type: T }>[];
  /** Everything in the database's files, as text. */
  stored: string;
}

/** Runs a workflow of one task that asks `agent`, on a database file of its own. */
export async function runAgentTask(
  agent: AgentInput,
  options: Partial<RunOptions> = {},
  dbFolder = temporaryFolder(),
): Promise<AgentRun> {
  const api = createService(
    { output: z.object({ title: z.string() }) },
    { dbPath: join(dbFolder, "run.db") },
  );
  const { Workflow, Task } = api;
  const workflow = api.service(() => (
    <Workflow name="ask">
      <Task id="ask" output="output" agent={agent} retries={0}>
        Do it.
      </Task>
    </Workflow>
  ));
  const result = await runWorkflow(workflow, { input: {}, ...options });
  const stored = await listEvents(workflow, result.runId, { limit: 100_000 });
  const events = stored.map(({ event }) => event);
  return {
    result,
    events,
    of: <T extends RunEvent["type"]>(type: T) =>
      events.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type),
    stored: readdirSync(dbFolder)
      .filter((name) => name.startsWith("run.db"))
      .map((name) => readFileSync(join(dbFolder, name), "latin1"))
      .join("\n"),
  };
}

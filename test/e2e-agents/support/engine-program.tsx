/**
 * A process that runs a workflow whose one agent never ends: a command-line
 * tool that hangs, or a model's agent whose bash sleeps.
 *
 *   node program.mjs cli|bash <database> <base URL of the model> required|none
 */
import { z } from "zod";
import { ForgeAgent } from "../../../src/agents/cli/index.js";
import { CompatAgent } from "../../../src/agents/sdk/compat-agent.js";
import { createService, runWorkflow } from "../../../src/index.js";
import { bash } from "../../../src/tools/index.js";

const [kind, dbPath, baseURL, isolation] = process.argv.slice(2) as [string, string, string, string];
const toolIsolation = isolation as "required" | "none";
const { Workflow, Task, service } = createService({ output: z.object({ title: z.string() }) }, { dbPath });
const agent = kind === "cli" ? new ForgeAgent() : new CompatAgent({ baseURL, tools: { bash } });
const workflow = service(() => (
  <Workflow name="endless">
    <Task id="ask" output="output" agent={agent}>
      Never end.
    </Task>
  </Workflow>
));
await runWorkflow(workflow, { input: {}, allowNetwork: true, toolIsolation, toolTimeoutMs: 600_000 });

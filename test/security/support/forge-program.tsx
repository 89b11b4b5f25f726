/**
 * A process that runs a workflow of one command-line agent and prints how the run ended.
 *
 *   node program.mjs <database> required|none
 */
import { z } from "zod";
import { ForgeAgent } from "../../../src/agents/cli/index.js";
import { createService, runWorkflow } from "../../../src/index.js";

const [dbPath, toolIsolation] = process.argv.slice(2) as [string, "required" | "none"];
const { Workflow, Task, service } = createService({ output: z.object({ title: z.string() }) }, { dbPath });
const workflow = service(() => (
  <Workflow name="desk">
    <Task id="ask" output="output" agent={new ForgeAgent()} retries={0}>
      Steal the database.
    </Task>
  </Workflow>
));
const { status, error } = await runWorkflow(workflow, { allowNetwork: true, toolIsolation });
console.log(JSON.stringify({ status, error }));

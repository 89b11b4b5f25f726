import { type RunEvent, runWorkflow, ServiceError } from "../../../src/index.js";
import { leaveTrail } from "./trail.js";
import { crashWorkflow, type WorkflowName } from "./workflows.js";

/** What the test tells a driver process, as JSON in its only argument. */
export interface DriverOrder {
  workflow: WorkflowName;
  runId: string;
  database: string;
  trail: string;
}

// Drives the run to its end, whether or not an earlier process has begun it.
const order = JSON.parse(process.argv[2] ?? "{}") as DriverOrder;
const workflow = crashWorkflow(order.workflow, order);
const options = {
  runId: order.runId,
  onProgress(event: RunEvent) {
    if (event.type !== "NodeFinished") return;
    const { nodeId, iteration, attempt } = event;
    leaveTrail(order.trail, { what: "acknowledged", nodeId, iteration, attempt });
  },
};

async function drive() {
  try {
    return await runWorkflow(workflow, { ...options, resume: true });
  } catch (error) {
    if (!ServiceError.is(error, "RUN_NOT_FOUND")) throw error;
    return runWorkflow(workflow, { ...options, input: {} });
  }
}

process.stdout.write("ready\n");
process.stdout.write(`${JSON.stringify(await drive())}\n`);

import { setTimeout as pause } from "node:timers/promises";
import {
  approveNode,
  type RunEvent,
  type RunResult,
  runWorkflow,
  ServiceError,
  type ServiceWorkflow,
  signalRun,
} from "../../../src/index.js";
import { leaveTrail } from "./trail.js";
import { crashWorkflow, type WorkflowName } from "./workflows.js";

/** What the test tells a driver process, as JSON in its only argument. */
export interface DriverOrder {
  workflow: WorkflowName;
  runId: string;
  database: string;
  trail: string;
}

// Drives the run to its end, whether or not an earlier process has begun it, and
// answers what it waits for.
const order = JSON.parse(process.argv[2] ?? "{}") as DriverOrder;
const { runId } = order;
const onProgress = (event: RunEvent) => {
  if (event.type !== "NodeFinished") return;
  const { nodeId, iteration, attempt } = event;
  leaveTrail(order.trail, { what: "acknowledged", runId: event.runId, nodeId, iteration, attempt });
};

void driveToTheEnd();

async function driveToTheEnd(): Promise<void> {
  process.stdout.write("ready\n");
  const { workflow, close } = await crashWorkflow(order.workflow, order);
  let result = await drive(workflow, runId);
  while (result.status.startsWith("waiting-")) {
    await answer(workflow, result);
    result = await drive(workflow, runId);
  }
  await close();
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

async function drive(workflow: ServiceWorkflow, id: string): Promise<RunResult> {
  try {
    return await runWorkflow(workflow, { runId: id, resume: true, onProgress });
  } catch (error) {
    if (ServiceError.is(error, "RUN_NOT_FOUND")) {
      return runWorkflow(workflow, { runId: id, input: {}, onProgress });
    }
    // It continued as another run, which no process drives any more.
    const next = ServiceError.is(error, "RUN_NOT_RESUMABLE") ? error.details?.["nextRunId"] : undefined;
    if (typeof next === "string") return drive(workflow, next);
    throw error;
  }
}

async function answer(workflow: ServiceWorkflow, { status }: RunResult): Promise<void> {
  switch (status) {
    case "waiting-approval":
      await approveNode(workflow, { runId, nodeId: "ok", decidedBy: "ada" });
      return;
    case "waiting-event":
      await signalRun(workflow, { runId, signal: "go", data: { speed: 1000 } });
      return;
    default:
      await pause(5);
  }
}

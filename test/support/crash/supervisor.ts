import { setTimeout as pause } from "node:timers/promises";
import { surviveStrayErrors, withholdExit } from "../../../src/engine/attempt/process-guard.js";
import { runWorkflow, ServiceError, superviseRuns } from "../../../src/index.js";
import { CRASHING, type SupervisedName, supervisedWorkflows } from "./supervised-workflows.js";

/** What the test makes of this process, as JSON in its only argument. */
export interface SupervisorOrder {
  /** `supervise`: as `treadle supervise`. `start`: starts the given runs, and drives them no further. */
  role: "supervise" | "start";
  database: string;
  trail: string;
}

/** Tells a process of the role `start` to start a run; it drives the run to its end if asked to. */
export interface StartOrder {
  runId: string;
  workflow: SupervisedName;
  toTheEnd?: boolean;
}

export type SupervisorNews =
  | { type: "up" }
  | { type: "started"; runId: string }
  /** Of a run that could not be started or continued, or of no run. */
  | { type: "error"; runId: string | null; code: string; message: string }
  | { type: "picked-up"; runId: string; reason: string }
  | { type: "left"; runId: string; status: string };

const order = JSON.parse(process.argv[2] ?? "{}") as SupervisorOrder;
const workflows = supervisedWorkflows(order);

surviveStrayErrors((error) => tellError(null, error));
withholdExit();
if (order.role === "supervise") {
  const stop = new AbortController();
  process.once("SIGTERM", () => stop.abort());
  tell({ type: "up" });
  await superviseRuns(workflows, {
    signal: stop.signal,
    intervalMs: 500,
    maxConcurrent: 8,
    onPickUp: ({ run, reason }) => tell({ type: "picked-up", runId: run.runId, reason }),
    onEnd: ({ runId, status }) => tell({ type: "left", runId, status }),
    onError: (run, error) => tellError(run?.runId ?? null, error),
  });
  process.disconnect?.();
} else {
  process.on("message", (start: StartOrder) => void begin(start));
  tell({ type: "up" });
}

async function begin({ runId, workflow, toTheEnd = false }: StartOrder): Promise<void> {
  const options = { runId, ...(workflow === CRASHING && { maxInterruptions: 2 }) };
  try {
    let { status } = await runWorkflow(workflows[workflow], { ...options, input: {} });
    while (toTheEnd && status.startsWith("waiting-")) {
      await pause(100);
      ({ status } = await runWorkflow(workflows[workflow], { runId, resume: true }));
    }
    tell({ type: "started", runId });
  } catch (error) {
    tellError(runId, error);
  }
}

function tellError(runId: string | null, error: unknown): void {
  const code = ServiceError.is(error) ? error.code : ((error as { code?: string })?.code ?? "none");
  tell({ type: "error", runId, code, message: String((error as Error)?.message ?? error) });
}

function tell(news: SupervisorNews): void {
  if (process.connected) process.send?.(news);
}

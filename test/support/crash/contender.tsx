import { z } from "zod";
import { createService, runWorkflow, ServiceError } from "../../../src/index.js";
import { leaveTrail } from "./trail.js";

/** What the test tells a contender. */
export type ContenderOrder =
  /** Start these runs; each stays in its first task. */
  | { type: "start"; runIds: string[] }
  /** Resume this run at this moment, epoch ms. */
  | { type: "resume"; runId: string; atMs: number }
  /** Let the tasks in progress return. */
  | { type: "release" };

/** What a contender tells the test. */
export type ContenderNews =
  | { type: "up" }
  /** A task of the run has begun here. */
  | { type: "working"; runId: string }
  | { type: "ended"; runId: string; status: string }
  | { type: "refused"; runId: string; code: string };

const [, , database = "", trail = ""] = process.argv;
const { Workflow, Task, service, outputs } = createService(
  { step: z.object({ attempt: z.number() }) },
  { dbPath: database },
);
const held = new Set<() => void>();

const workflow = service((ctx) => (
  <Workflow name="contended">
    <Task id="held" output={outputs.step}>
      {async (_inputs, { nodeId, iteration, attempt }) => {
        leaveTrail(trail, { what: "ran", runId: ctx.runId, nodeId, iteration, attempt });
        await new Promise<void>((release) => {
          held.add(release);
          tell({ type: "working", runId: ctx.runId });
        });
        return { attempt };
      }}
    </Task>
    <Task id="after" output={outputs.step}>
      {(_inputs, { nodeId, iteration, attempt }) => {
        leaveTrail(trail, { what: "ran", runId: ctx.runId, nodeId, iteration, attempt });
        return { attempt };
      }}
    </Task>
  </Workflow>
));

process.on("message", (order: ContenderOrder) => {
  switch (order.type) {
    case "start":
      for (const runId of order.runIds) void drive(runId, false);
      return;
    case "resume":
      // Both contenders leave this loop within the same moment.
      while (Date.now() < order.atMs);
      void drive(order.runId, true);
      return;
    case "release":
      for (const release of held) release();
      held.clear();
      return;
    default:
      order satisfies never;
  }
});
tell({ type: "up" });

async function drive(runId: string, resume: boolean): Promise<void> {
  try {
    const { status } = await runWorkflow(workflow, { runId, input: {}, resume });
    tell({ type: "ended", runId, status });
  } catch (error) {
    tell({ type: "refused", runId, code: ServiceError.is(error) ? error.code : String(error) });
  }
}

function tell(news: ContenderNews): void {
  process.send?.(news);
}

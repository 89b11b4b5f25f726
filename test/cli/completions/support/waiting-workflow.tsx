import { approvalDecision, createService, type ServiceWorkflow } from "treadle";
import { z } from "zod";

/** Runs of it wait for a decision after their first task. */
export function waitingWorkflow(dbPath: string): ServiceWorkflow {
  const { Workflow, Sequence, Approval, Task, service, outputs } = createService(
    { row: z.object({ n: z.number() }), gate: approvalDecision },
    { dbPath },
  );
  return service(() => (
    <Workflow name="waiting">
      <Sequence>
        <Task id="build" output={outputs.row}>
          {{ n: 1 }}
        </Task>
        <Approval id="ship it; now" output={outputs.gate} request={{ title: "Ship?" }} />
      </Sequence>
    </Workflow>
  )) as ServiceWorkflow;
}

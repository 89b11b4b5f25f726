import { approvalDecision, createService } from "treadle";
import { z } from "zod";

const { Workflow, Sequence, Approval, Task, service, outputs } = createService({
  input: z.object({ version: z.string().optional() }),
  build: z.object({ version: z.string(), checks: z.number().int() }),
  decision: approvalDecision,
  output: z.object({ released: z.boolean(), version: z.string(), by: z.string() }),
});

export default service((ctx) => {
  const version = ctx.input.version ?? "1.0.0";
  return (
    <Workflow name="approval">
      <Sequence>
        <Task id="build" output={outputs.build}>
          {{ version, checks: 128 }}
        </Task>
        {/* Waits for days if it has to, without a process: the question is in the database. */}
        <Approval
          id="ship"
          output={outputs.decision}
          onDeny="continue"
          request={{ title: `Release ${version}?`, summary: "All checks have passed." }}
        />
        <Task id="release" output={outputs.output} deps={{ build: outputs.build, ship: outputs.decision }}>
          {({ build, ship }) => ({
            released: ship.approved,
            version: build.version,
            by: ship.decidedBy ?? "nobody",
          })}
        </Task>
      </Sequence>
    </Workflow>
  );
});

import { approvalDecision, createService } from "treadle";
import { z } from "zod";

const { Workflow, Sequence, Approval, Task, service, outputs } = createService({
  input: z.object({ version: z.string() }),
  decision: approvalDecision,
  output: z.object({ published: z.string() }),
});

export default service((ctx) => (
  <Workflow name="deploy">
    <Sequence>
      <Approval id="ship" output={outputs.decision} request={{ title: `Ship ${ctx.input.version}?` }} />
      <Task id="publish" output={outputs.output}>
        {() => ({ published: ctx.input.version })}
      </Task>
    </Sequence>
  </Workflow>
));

/** A task, then an approval or a signal if the input asks for one, then a task that adds. */
export const ASKS = `
import { createService, approvalDecision } from "treadle";
import { z } from "zod";
const { Workflow, Sequence, Approval, Signal, Task, service, outputs } = createService({
  input: z.object({ n: z.number(), ask: z.string().optional() }),
  first: z.object({ n: z.number() }),
  gate: approvalDecision,
  go: z.object({ extra: z.number() }),
  output: z.object({ total: z.number() }),
});
export default service((ctx) => (
  <Workflow name="asks">
    <Sequence>
      <Task id="first" output={outputs.first}>{() => ({ n: ctx.input.n })}</Task>
      {ctx.input.ask === "person" && (
        <Approval id="gate" output={outputs.gate} request={{ title: "Add one?" }} />
      )}
      {ctx.input.ask === "program" && <Signal id="go" schema={outputs.go} />}
      <Task id="sum" output={outputs.output}>
        {() => ({ total: ctx.input.n + (ctx.latest("go", "go")?.extra ?? 1) })}
      </Task>
    </Sequence>
  </Workflow>
));
`;

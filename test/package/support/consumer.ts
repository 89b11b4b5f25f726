/** A workflow that touches every entry point of the package. */
export const CONSUMER = `import { createService, runWorkflow } from "treadle";
import { testWorkflow } from "treadle/testing";
import { createDemoAgent } from "treadle/agents";
import { bash, defineTool } from "treadle/tools";
import { renderPrometheusMetrics } from "treadle/observability";
import { listOperations } from "treadle/openapi";
import { z } from "zod";
const { Workflow, Parallel, Task, service, outputs } = createService({
  input: z.object({ by: z.number().optional() }),
  output: z.object({ n: z.number() }),
});
export const tool = defineTool({ name: "t", schema: z.object({ a: z.string() }), execute: ({ a }) => a.length });
export const used = [runWorkflow, testWorkflow, createDemoAgent, bash, renderPrometheusMetrics, listOperations];
export default service((ctx) => (
  <Workflow name="packed">
    <>
      <Parallel>
        <Task id="one" output={outputs.output}>{{ n: ctx.input.by ?? 1 }}</Task>
      </Parallel>
    </>
  </Workflow>
));
// @ts-expect-error a row has the fields of its schema
export const wrong = <Task id="two" output={outputs.output}>{{ n: "one" }}</Task>;
// @ts-expect-error components refuse props that they do not have
export const unknownProp = <Parallel maxConcurency={2} />;
// @ts-expect-error tags of pages are not tags of workflows
export const page = <canvas />;
// @ts-expect-error markup of prompts has no handlers
export const button = <p onClick={() => {}}>Go</p>;
// @ts-expect-error what stands between the tags is something to mount
export const child = <Parallel>{new Date()}</Parallel>;
// @ts-expect-error a row is a child of a task, not of a group
export const row = <Parallel>{{ n: 1 }}</Parallel>;
// @ts-expect-error a workflow has no text of its own to compute
export const called = <Workflow name="called">{() => "text"}</Workflow>;
`;

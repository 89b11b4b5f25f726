/** Compiled, never run: inputs and results of runs have the types of the workflow's schemas. */
import { z } from "zod";
import { runWorkflow } from "../../src/operations/run-workflow.js";
import { createService } from "../../src/service/create-service.js";
import { testWorkflow } from "../../src/testing/index.js";
import type { ServiceWorkflow } from "../../src/model/workflow.js";

declare function expectType<T>(value: T): void;
declare const anyWorkflow: ServiceWorkflow;

const { Workflow, Task, Subflow, service, outputs } = createService({
  input: z.object({ name: z.string(), times: z.number().optional() }),
  output: z.object({ letters: z.number(), mode: z.enum(["fast", "slow"]).optional() }),
  loose: z.looseObject({ a: z.number() }),
});
const workflow = service(() => <Workflow name="w" />);
type Row = { letters: number; mode?: "fast" | "slow" | undefined };

const result = await runWorkflow(workflow, { input: { name: "Ada" } });
expectType<Row | Row[] | undefined>(result.output);
// @ts-expect-error no such member of the row
if (!Array.isArray(result.output)) result.output?.words;
// @ts-expect-error a field of the wrong type
await runWorkflow(workflow, { input: { name: 1 } });
// @ts-expect-error a field that the input does not have
await runWorkflow(workflow, { input: { name: "Ada", nam: "Ada" } });
expectType<unknown>((await runWorkflow(anyWorkflow, { input: { whatever: 1 } })).output);

const tested = testWorkflow(workflow, { input: { name: "Ada" } });
expectType<Row | Row[] | undefined>((await tested.run()).output);
// @ts-expect-error a field of the wrong type
testWorkflow(workflow, { input: { name: 1 } });

<Subflow id="s" workflow={workflow} input={{ name: "Ada" }} output={outputs.output} />;
// @ts-expect-error a field of the wrong type
<Subflow id="s" workflow={workflow} input={{ name: 1 }} output={outputs.output} />;
<Subflow id="s" workflow={anyWorkflow} input={{ whatever: 1 }} output={outputs.output} />;

// A row has no other fields than its schema's.
<Task id="a" output={outputs.output}>
  {/* @ts-expect-error a field that the row does not have */}
  {() => ({ letters: 1, leters: 2 })}
</Task>;
<Task id="a" output={outputs.output}>
  {/* @ts-expect-error the same, from a promise */}
  {async () => ({ letters: 1, leters: 2 })}
</Task>;
<Task id="a" output={outputs.output}>
  {/* @ts-expect-error the same, as a row */}
  {{ letters: 1, leters: 2 }}
</Task>;
<Task id="a" output="output">
  {() => ({ letters: 1, mode: "fast" })}
</Task>;
<Task id="a" output={outputs.loose}>
  {() => ({ a: 1, whatever: 2 })}
</Task>;

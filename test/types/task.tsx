/** Compiled, never run: what the types of `Task` accept and refuse. */
import { z } from "zod";
import type { ServiceComponents } from "../../src/components/components.js";
import { Task as AnyTask } from "../../src/components/tasks/Task.js";
import type { AgentLike } from "../../src/model/agent.js";
import type { ObjectSchema } from "../../src/model/row-schema.js";
import type { OutputTable } from "../../src/model/schema.js";

const schemas = {
  input: z.object({ topic: z.string() }),
  research: z.object({ summary: z.string(), sources: z.array(z.string()).default([]) }),
  verdict: z.object({ approved: z.boolean() }),
};
type Schemas = typeof schemas;

declare const service: ServiceComponents<Schemas>;
declare const outputs: Omit<Schemas, "input">;
declare const tables: { research: OutputTable<"research"> };
declare const agent: AgentLike;
declare function expectType<T>(value: T): void;

const { Task } = service;

// A row, by schema object, key and table.
<Task id="a" output={outputs.research}>
  {{ summary: "x" }}
</Task>;
<Task id="a" output="research">
  {{ summary: "x", sources: [] }}
</Task>;
<Task id="a" output={tables.research}>
  {{ summary: "x" }}
</Task>;

<Task id="a" output={outputs.research}>
  {/* @ts-expect-error a row of another output */}
  {{ approved: true }}
</Task>;
<Task id="a" output="research">
  {/* @ts-expect-error a wrong field type, by key */}
  {{ summary: 1 }}
</Task>;
<Task id="a" output={tables.research}>
  {/* @ts-expect-error a missing field, by table */}
  {{ sources: [] }}
</Task>;
<Task
  id="a"
  // @ts-expect-error not a key of the schemas
  output="reserch"
>
  {{ summary: "x" }}
</Task>;
<Task
  id="a"
  // @ts-expect-error the input is no output
  output="input"
>
  text
</Task>;
<Task
  id="a"
  // @ts-expect-error a schema of somewhere else
  output={z.object({ other: z.number() })}
>
  text
</Task>;
// @ts-expect-error no id
<Task output="research">{{ summary: "x" }}</Task>;
// @ts-expect-error no output
<Task id="a">{{ summary: "x" }}</Task>;
// @ts-expect-error no children
<Task id="a" output="research" />;

// A function, synchronous or not.
<Task id="a" output={outputs.verdict}>
  {() => ({ approved: true })}
</Task>;
<Task id="a" output={outputs.verdict}>
  {async () => ({ approved: true })}
</Task>;
<Task id="a" output={outputs.verdict}>
  {(_inputs, runtime) => {
    expectType<number>(runtime.attempt);
    expectType<AbortSignal>(runtime.signal);
    runtime.heartbeat({ done: 1 });
    return { approved: true };
  }}
</Task>;
<Task id="a" output={outputs.verdict}>
  {/* @ts-expect-error a row of the wrong shape */}
  {() => ({ approved: "yes" })}
</Task>;
<Task id="a" output={outputs.verdict}>
  {/* @ts-expect-error the same, from a promise */}
  {async () => ({ summary: "x" })}
</Task>;

// Rows of other tasks.
<Task id="a" output="verdict" deps={{ research: outputs.research, earlier: "verdict" }}>
  {({ research, earlier }) => {
    expectType<string>(research.summary);
    expectType<string[]>(research.sources);
    expectType<boolean>(earlier.approved);
    expectType<string>(research.nodeId);
    // @ts-expect-error not a field of the row
    research.approved;
    return { approved: earlier.approved };
  }}
</Task>;
<Task id="a" output="verdict" deps={{ research: "research" }} needs={{ research: "research-2", extra: "b" }}>
  {({ research, extra }) => {
    expectType<string>(research.summary);
    expectType<unknown>(extra);
    // @ts-expect-error the row of an alias without a target is unknown
    extra.summary;
    return { approved: true };
  }}
</Task>;
<Task id="a" output="verdict" deps={{ research: outputs.research }}>
  {(inputs) => {
    // @ts-expect-error a name that deps does not have
    inputs.other;
    return { approved: true };
  }}
</Task>;
<Task
  id="a"
  output="verdict"
  // @ts-expect-error not an output
  deps={{ research: "reserch" }}
>
  {() => ({ approved: true })}
</Task>;

// Prompts.
<Task id="a" output="research" agent={agent}>
  Look into it.
</Task>;
<Task id="a" output="research" agent={[agent, agent]} fallbackAgent={agent} allowTools={["grep"]}>
  <h1>Topic</h1>
  <p>
    Look into <strong>it</strong>.
  </p>
</Task>;
<Task id="a" output="verdict" agent={agent} deps={{ research: "research" }}>
  {({ research }) => `Judge: ${research.summary}`}
</Task>;
<Task id="a" output="verdict" agent={agent} deps={{ research: "research" }}>
  {async ({ research }) => <p>Judge: {research.summary}</p>}
</Task>;
// @ts-expect-error a prompt needs an agent
<Task id="a" output="research">
  Look into it.
</Task>;
// @ts-expect-error a row is no prompt
<Task id="a" output="research" agent={agent}>
  {{ summary: "x" }}
</Task>;
// @ts-expect-error agent-only props need an agent
<Task id="a" output="research" allowTools={["grep"]}>
  {{ summary: "x" }}
</Task>;

// Other props.
<Task id="a" output="verdict" retries={Number.POSITIVE_INFINITY} retryPolicy={{ backoff: "linear" }} skipIf>
  {{ approved: true }}
</Task>;
<Task
  id="a"
  output="verdict"
  cache={{ by: (ctx) => ctx.runId, scope: "global" }}
  meta={{ cost: "low" }}
  dependsOn={["b"]}
>
  {{ approved: true }}
</Task>;
<Task
  id="a"
  output="verdict"
  // @ts-expect-error not a backoff
  retryPolicy={{ backoff: "quadratic" }}
>
  {{ approved: true }}
</Task>;

// Without schemas any schema object and any key is an output.
<AnyTask id="a" output={outputs.research}>
  {{ summary: "x" }}
</AnyTask>;
<AnyTask id="a" output="anything">
  {{ whatever: 1 }}
</AnyTask>;
<AnyTask id="a" output={outputs.verdict}>
  {() => ({ approved: true })}
</AnyTask>;
<AnyTask id="a" output={outputs.verdict}>
  {/* @ts-expect-error a row of the wrong shape */}
  {() => ({ approved: 1 })}
</AnyTask>;

// Branches of a function may give rows of several shapes: an optional field is in one and not in the other.
declare const isLong: boolean;
const notes = { note: z.object({ text: z.string(), by: z.string().optional() }) };
declare const noted: { Task: ServiceComponents<typeof notes>["Task"]; outputs: typeof notes };
<noted.Task id="a" output={noted.outputs.note}>
  {() => (isLong ? { text: "a" } : { text: "a", by: "ada" })}
</noted.Task>;
<noted.Task id="a" output="note">
  {() => (isLong ? Promise.resolve({ text: "a" }) : { text: "a", by: "ada" })}
</noted.Task>;
<noted.Task id="a" output="note">
  {/* @ts-expect-error one of them has a field that the schema does not have */}
  {() => (isLong ? { text: "a" } : { text: "a", from: "ada" })}
</noted.Task>;
<noted.Task id="a" output="note">
  {/* @ts-expect-error one of them lacks a field */}
  {() => (isLong ? { text: "a" } : { by: "ada" })}
</noted.Task>;

// A component for any schema widens it for the task; those who use it are checked.
function Made<S extends z.ZodObject>(props: { output: S; make: () => z.input<S> | Promise<z.input<S>> }) {
  const output: ObjectSchema = props.output;
  return (
    <AnyTask id="a" output={output}>
      {() => props.make()}
    </AnyTask>
  );
}
<Made output={noted.outputs.note} make={() => ({ text: "a" })} />;
// @ts-expect-error a row of the wrong shape
<Made output={noted.outputs.note} make={() => ({ text: 1 })} />;

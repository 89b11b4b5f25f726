/** Workflow files that the tests of the command line run. */

export const HEAD = `
import { createService } from "treadle";
import { z } from "zod";
`;

/** One task; its row is the run's output. */
export const HELLO = `${HEAD}
const { Workflow, Task, service, outputs } = createService({
  input: z.object({ name: z.string().optional() }),
  output: z.object({ text: z.string() }),
});
export default service((ctx) => (
  <Workflow name="hello">
    <Task id="greet" output={outputs.output}>{() => ({ text: "hello " + (ctx.input.name ?? "world") })}</Task>
  </Workflow>
));
`;

/** A task that fails for good, after one that works. */
export const FAILING = `${HEAD}
const { Workflow, Task, Sequence, service, outputs } = createService({ row: z.object({ n: z.number() }) });
export default service(() => (
  <Workflow name="failing">
    <Sequence>
      <Task id="fine" output={outputs.row}>{{ n: 1 }}</Task>
      <Task id="broken" noRetry output={outputs.row}>{() => { throw new Error("the disk is on fire"); }}</Task>
      <Task id="after" output={outputs.row}>{{ n: 2 }}</Task>
    </Sequence>
  </Workflow>
));
`;

/** Tolerates the failure of one of two tasks. */
export const TOLERANT = `${HEAD}
const { Workflow, Task, Parallel, service, outputs } = createService({ row: z.object({ n: z.number() }) });
export default service(() => (
  <Workflow name="tolerant">
    <Parallel>
      <Task id="fine" output={outputs.row}>{{ n: 1 }}</Task>
      <Task id="broken" noRetry continueOnFail output={outputs.row}>{() => { throw new Error("not today"); }}</Task>
    </Parallel>
  </Workflow>
));
`;

/** Waits for a decision, then for a signal. */
export const GATED = `${HEAD}
const { Workflow, Task, Sequence, Approval, Signal, service, outputs } = createService({
  decision: z.object({ approved: z.boolean(), note: z.string().nullable(), decidedBy: z.string().nullable(), decidedAt: z.string().nullable() }),
  payment: z.object({ amount: z.number() }),
  output: z.object({ amount: z.number() }),
});
export default service((ctx) => (
  <Workflow name="gated">
    <Sequence>
      <Approval id="ship" output={outputs.decision} request={{ title: "Ship it?", summary: "To everybody." }} />
      <Signal id="payment" schema={outputs.payment} />
      <Task id="total" output={outputs.output}>{() => ({ amount: ctx.output("payment", { nodeId: "payment" }).amount })}</Task>
    </Sequence>
  </Workflow>
));
`;

/** Waits for a timer only. */
export const TIMED = `${HEAD}
const { Workflow, Task, Sequence, Timer, service, outputs } = createService({ output: z.object({ ok: z.boolean() }) });
export default service(() => (
  <Workflow name="timed">
    <Sequence>
      <Timer id="pause" duration="300ms" />
      <Task id="end" output={outputs.output}>{{ ok: true }}</Task>
    </Sequence>
  </Workflow>
));
`;

/**
 * Six tasks in a row; each adds a line to `log.txt`. The third one stays until
 * the file `go` exists.
 */
export const SIX = `${HEAD}
import { appendFileSync, existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
const here = import.meta.dirname;
const { Workflow, Task, Sequence, service, outputs } = createService({ row: z.object({ n: z.number() }) });
export default service(() => (
  <Workflow name="six">
    <Sequence>
      {[1, 2, 3, 4, 5, 6].map((n) => (
        <Task key={n} id={"t" + n} output={outputs.row}>
          {async (_: object, { signal, log }: any) => {
            appendFileSync(join(here, "log.txt"), n + "\\n");
            log("task " + n + " is at work");
            while (n === 3 && !existsSync(join(here, "go")) && !signal.aborted) await sleep(20);
            signal.throwIfAborted();
            return { n };
          }}
        </Task>
      ))}
    </Sequence>
  </Workflow>
));
`;

/** A workflow whose only task is a run of its own. */
export const PARENT = `${HEAD}
const { Workflow, Task, Subflow, service, outputs } = createService({ output: z.object({ n: z.number() }) });
const child = service(() => <Workflow name="child"><Task id="one" output={outputs.output}>{{ n: 1 }}</Task></Workflow>);
export default service(() => (
  <Workflow name="parent">
    <Subflow id="sub" workflow={child} output={outputs.output} />
  </Workflow>
));
`;

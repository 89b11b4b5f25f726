import { z } from "zod";
import { createService, runWorkflow } from "../../../src/index.js";
import { surviveStrayErrors, withholdExit } from "../../../src/engine/attempt/process-guard.js";

// A program that drives a healthy run beside one whose task does what the second argument says.
const [, , database = "", kind = ""] = process.argv;
const { Workflow, Task, service, outputs } = createService(
  { row: z.object({ n: z.number() }) },
  { dbPath: database },
);

const turns = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const never = new Promise<never>(() => {});

const poisons: Readonly<Record<string, () => unknown>> = {
  async "rejects beside its work"() {
    void Promise.reject(new TypeError("nobody awaits this"));
    await never;
  },
  async "throws in a timer"() {
    setTimeout(() => {
      throw new TypeError("thrown by a timer");
    }, 1);
    await never;
  },
  async "rejects deep below an agent's stream"() {
    const { EventEmitter } = await import("node:events");
    const emitter = new EventEmitter();
    setImmediate(() => emitter.emit("error", new TypeError("an event without a listener")));
    await never;
  },
  "rejects after its end"() {
    setTimeout(() => void Promise.reject(new TypeError("too late")), 20);
    return { n: 1 };
  },
  async "calls process.exit"() {
    await turns(1);
    process.exit(0);
  },
  async "calls process.reallyExit"() {
    await turns(1);
    (process as unknown as { reallyExit(code: number): void }).reallyExit(0);
  },
};

const poisoned = service(() => (
  <Workflow name="poisoned">
    <Task id="poison" output={outputs.row} noRetry>
      {(poisons[kind] ?? (() => ({ n: 1 }))) as () => { n: number }}
    </Task>
  </Workflow>
));
const healthy = service(() => (
  <Workflow name="healthy">
    {[1, 2, 3].map((n) => (
      <Task key={n} id={`step-${n}`} output={outputs.row}>
        {async () => {
          await turns(20);
          return { n };
        }}
      </Task>
    ))}
  </Workflow>
));

if (process.argv.includes("--serve")) {
  surviveStrayErrors((error) => process.stderr.write(`survived ${error.message}\n`));
  withholdExit();
}
if (kind === "throws by itself") setTimeout(() => Promise.reject(new TypeError("the program's own")), 5);
const ended = await Promise.all([
  runWorkflow(poisoned, { runId: "poisoned", input: {} }),
  runWorkflow(healthy, { runId: "healthy", input: {} }),
]);
await turns(50);
process.stdout.write(
  JSON.stringify(ended.map(({ runId, status, error }) => [runId, status, error?.name, error?.message])),
);

import { join } from "node:path";
import { z } from "zod";
import { approvalDecision, createService, type ServiceWorkflow } from "../../../../src/index.js";

/** Doubles a number at once; its row also says who started it. */
export function doubling(folder: string, { name = "double", db = "service.db" } = {}): ServiceWorkflow {
  const { Workflow, Task, service, outputs } = createService(
    { input: z.object({ n: z.number() }), output: z.object({ n: z.number(), by: z.string() }) },
    { dbPath: join(folder, db), readableName: "Doubling", description: "Twice as much." },
  );
  return service((ctx) => (
    <Workflow name={name}>
      <Task id="double" output={outputs.output}>
        {() => ({ n: ctx.input.n * 2, by: JSON.stringify(ctx.auth) })}
      </Task>
    </Workflow>
  ));
}

export interface AskOptions {
  db?: string;
  allowedScopes?: string[];
  allowedUsers?: string[];
}

/** Asks a person, then waits for the signal `go`, then ends. */
export function asking(folder: string, { db = "service.db", ...allowed }: AskOptions = {}): ServiceWorkflow {
  const { Workflow, Sequence, Approval, Signal, Task, service, outputs } = createService(
    { gate: approvalDecision, go: z.object({ n: z.number() }), output: z.object({ n: z.number() }) },
    { dbPath: join(folder, db) },
  );
  return service(() => (
    <Workflow name="ask">
      <Sequence>
        <Approval id="gate" output={outputs.gate} request={{ title: "Go?" }} {...allowed} />
        <Signal id="go" schema={outputs.go} />
        <Task id="end" output={outputs.output} deps={{ go: outputs.go }}>
          {({ go }) => ({ n: go.n })}
        </Task>
      </Sequence>
    </Workflow>
  ));
}

/** As long as `open` has not been called, its task runs. */
export function held(folder: string): { workflow: ServiceWorkflow; open(): void } {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { Workflow, Task, service, outputs } = createService(
    { output: z.object({ ok: z.boolean() }) },
    { dbPath: join(folder, "service.db") },
  );
  const workflow = service(() => (
    <Workflow name="held">
      <Task id="hold" output={outputs.output}>
        {async (_deps: unknown, { signal }: { signal: AbortSignal }) => {
          const aborted = new Promise<never>((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason), { once: true });
          });
          await Promise.race([opened, aborted]);
          return { ok: true };
        }}
      </Task>
    </Workflow>
  ));
  return { workflow, open };
}

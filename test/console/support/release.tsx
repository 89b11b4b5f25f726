import { join } from "node:path";
import { z } from "zod";
import {
  approvalDecision,
  approvalSelection,
  createService,
  type ServiceWorkflow,
} from "../../../src/index.js";

/** A run with all that the page shows: groups, a loop, a tolerated failure, a long task list, and a person who is asked. */
export function release(folder: string): ServiceWorkflow {
  const { Workflow, Sequence, Parallel, Loop, Approval, Task, service, outputs } = createService(
    {
      input: z.object({
        version: z.string().describe("The version that is published."),
        channel: z.enum(["stable", "beta"]),
        parts: z.number().int().optional(),
        urgent: z.boolean().optional(),
      }),
      gate: approvalDecision,
      check: z.object({ ok: z.boolean(), notes: z.string() }),
      output: z.object({ published: z.string() }),
    },
    {
      dbPath: join(folder, "service.db"),
      readableName: "Release",
      description: "Builds, checks and publishes a version.",
    },
  );
  return service((ctx) => (
    <Workflow name="release">
      <Sequence>
        <Parallel id="checks" maxConcurrency={2}>
          <Task id="lint" label="Check the style" output={outputs.check}>
            {() => ({ ok: true, notes: "0 findings" })}
          </Task>
          <Task id="links" label="Check links" output={outputs.check} retries={0} continueOnFail>
            {() => {
              throw new Error("https://example.com/gone answers with 404");
            }}
          </Task>
          {Array.from({ length: ctx.input.parts ?? 0 }, (_, part) => (
            <Task id={`unit-${part + 1}`} output={outputs.check}>
              {() => ({ ok: true, notes: `part ${part + 1}` })}
            </Task>
          ))}
        </Parallel>
        <Loop id="polish" until={false} maxIterations={3} onMaxReached="return-last">
          <Task id="improve" label="Improve the notes" output={outputs.check}>
            {() => ({ ok: true, notes: "better" })}
          </Task>
        </Loop>
        <Approval
          id="ship"
          output={outputs.gate}
          request={{ title: `Ship ${ctx.input.version}?`, summary: "All checks but one have passed." }}
        />
        <Task id="publish" label="Publish" output={outputs.output}>
          {() => ({ published: ctx.input.version })}
        </Task>
      </Sequence>
    </Workflow>
  ));
}

/** Asks for one of several, and for an order. */
export function choosing(folder: string): ServiceWorkflow {
  const { Workflow, Approval, service, outputs } = createService(
    { pick: approvalSelection },
    { dbPath: join(folder, "service.db") },
  );
  return service(() => (
    <Workflow name="choose">
      <Approval
        id="region"
        output={outputs.pick}
        mode="select"
        request={{ title: "Which region first?" }}
        options={[
          { key: "eu", label: "Europe" },
          { key: "us", label: "United States", summary: "Most users" },
        ]}
      />
    </Workflow>
  ));
}

/** Fails for good. */
export function failing(folder: string): ServiceWorkflow {
  const { Workflow, Task, service, outputs } = createService(
    { output: z.object({ n: z.number() }) },
    { dbPath: join(folder, "service.db") },
  );
  return service(() => (
    <Workflow name="import-orders">
      <Task id="fetch" label="Fetch the orders" output={outputs.output} retries={0}>
        {() => {
          throw new Error("connect ECONNREFUSED 10.0.0.7:5432");
        }}
      </Task>
    </Workflow>
  ));
}

/** One task is given the row of another. */
export function passing(folder: string): ServiceWorkflow {
  const { Workflow, Sequence, Task, service, outputs } = createService(
    { count: z.object({ n: z.number() }), output: z.object({ text: z.string() }) },
    { dbPath: join(folder, "service.db") },
  );
  return service(() => (
    <Workflow name="passing">
      <Sequence>
        <Task id="count" output={outputs.count}>
          {{ n: 42 }}
        </Task>
        <Task id="report" output={outputs.output} deps={{ count: outputs.count }}>
          {({ count }) => ({ text: `${count.n} lines` })}
        </Task>
      </Sequence>
    </Workflow>
  ));
}

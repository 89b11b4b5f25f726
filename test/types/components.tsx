/** Compiled, never run: what the types of the other components accept and refuse. */
import { z } from "zod";
import type { ServiceComponents } from "../../src/components/components.js";
import { approvalDecision } from "../../src/model/approval-rows.js";
import { useCtx } from "../../src/components/use-ctx.js";
import type { AgentLike } from "../../src/model/agent.js";
import type { ServiceWorkflow } from "../../src/model/workflow.js";

const schemas = {
  input: z.object({ topic: z.string() }),
  decision: z.object({ approved: z.boolean(), note: z.string().nullable() }),
  full: approvalDecision,
  choice: z.object({ selected: z.enum(["x", "y"]), notes: z.string().nullish() }),
  order: z.object({ ranked: z.array(z.string()) }),
  loose: z.looseObject({}),
  needy: z.object({ approved: z.boolean(), reason: z.string() }),
  silent: z.object({ approved: z.boolean(), note: z.string() }),
  worded: z.object({ approved: z.string() }),
  poll: z.object({ satisfied: z.boolean(), value: z.number() }),
};
type Schemas = typeof schemas;

declare const service: ServiceComponents<Schemas>;
declare const outputs: Omit<Schemas, "input">;
declare const agent: AgentLike;
declare const decidedLater: "approve" | "select" | "rank";
declare const child: ServiceWorkflow<{ result: z.ZodObject<{ n: z.ZodNumber }> }>;
declare function expectType<T>(value: T): void;

const {
  Approval,
  ApprovalGate,
  Aspects,
  Branch,
  ContinueAsNew,
  HumanTask,
  Loop,
  Parallel,
  Poller,
  Saga,
  SagaStep,
  Sequence,
  Signal,
  Subflow,
  Timer,
  TryCatchFinally,
  WaitForEvent,
  Workflow,
  Worktree,
  continueAsNew,
} = service;

// Structure.
<Workflow name="w" cache>
  <Sequence key="s" skipIf={false}>
    <Parallel id="p" maxConcurrency={3} />
    <Branch if={true} then={<Sequence />} else={null} />
    <Loop
      id="l"
      until={false}
      maxIterations={Number.POSITIVE_INFINITY}
      onMaxReached="fail"
      continueAsNewEvery={10}
    />
    <Worktree path="w" branch="b" baseBranch="main" />
    <Aspects tokenBudget={{ max: 10, onExceeded: "skip-remaining" }} latencySlo={{ perTask: 5 }} />
    <ContinueAsNew state={{ page: 1 }} />
    {continueAsNew()}
  </Sequence>
</Workflow>;
// @ts-expect-error a workflow has a name
<Workflow />;
// @ts-expect-error not a policy
<Loop onMaxReached="stop" />;
// @ts-expect-error a branch has a condition
<Branch then={null} />;
// @ts-expect-error sides are props
<Branch if then={null} children={<Sequence />} />;
// @ts-expect-error latency cannot skip what remains
<Aspects latencySlo={{ maxMs: 1, onExceeded: "skip-remaining" }} />;
// @ts-expect-error a worktree has a path
<Worktree />;

// Approvals.
<Approval
  id="a"
  output={outputs.choice}
  mode="select"
  options={[{ key: "x", label: "X" }]}
  request={{ title: "Ship?" }}
  autoApprove={{
    after: 2,
    condition: (ctx) => ctx.output("poll", { nodeId: "p" }).value > 1,
    // @ts-expect-error not an output
    revertOn: (ctx) => ctx.outputMaybe("nope", { nodeId: "p" }) !== undefined,
  }}
/>;
<ApprovalGate id="a" output="decision" request={{ title: "Ship?" }} when={false} onDeny="skip" />;
<Approval id="a" output="order" mode="rank" options={[]} request={{ title: "Order?" }} />;
<Approval id="a" output="loose" request={{ title: "Ship?" }} />;
<Approval id="a" output={outputs.full} request={{ title: "Ship?" }} />;
<Approval id="a" output="decision" mode={decidedLater} request={{ title: "Ship?" }} />;
// @ts-expect-error a decision does not say what was selected
<Approval id="a" output="choice" request={{ title: "Ship?" }} />;
// @ts-expect-error a choice is not yes or no
<Approval id="a" output={outputs.decision} mode="select" options={[]} request={{ title: "Which?" }} />;
// @ts-expect-error a choice has no order
<Approval id="a" output="choice" mode="rank" options={[]} request={{ title: "Order?" }} />;
// @ts-expect-error no decision has a reason
<Approval id="a" output="needy" request={{ title: "Ship?" }} />;
// @ts-expect-error a decision may have no note
<Approval id="a" output={outputs.silent} request={{ title: "Ship?" }} />;
// @ts-expect-error a decision is no text
<Approval id="a" output={outputs.worded} request={{ title: "Ship?" }} />;
// @ts-expect-error a decision does not fit
<ApprovalGate id="a" output={outputs.poll} request={{ title: "Ship?" }} when />;
// @ts-expect-error a request has a title
<Approval id="a" output="decision" request={{}} />;
// @ts-expect-error not an output of the workflow
<Approval id="a" output="nope" request={{ title: "Ship?" }} />;
// @ts-expect-error a gate says when
<ApprovalGate id="a" output="decision" request={{ title: "Ship?" }} />;

// Waits.
<Signal id="s" schema={outputs.poll} onTimeout="skip">
  {(data) => {
    expectType<number>(data.value);
    // @ts-expect-error not a field of the data
    data.other;
    return <Sequence />;
  }}
</Signal>;
<WaitForEvent id="e" event="paid" correlationId="o" output="poll" timeoutMs={5} async />;
<Timer id="t" duration="5m" />;
<Timer id="t" until={new Date(0)} />;
// @ts-expect-error timers do not repeat
<Timer id="t" every="5m" />;
// @ts-expect-error an event has a name
<WaitForEvent id="e" output="poll" />;
<HumanTask output="decision" prompt={<p>Which?</p>} maxAttempts={3} />;
// @ts-expect-error a person is asked something
<HumanTask output="decision" />;

// Other work.
<Subflow id="f" workflow={child} input={{ n: 1 }} output="poll" mode="inline" />;
// @ts-expect-error not a workflow
<Subflow id="f" workflow={{}} output="poll" />;
<Poller check={async () => ({ satisfied: true, value: 1 })} checkOutput={outputs.poll} backoff="linear" />;
<Poller check={agent} checkOutput="poll">
  Is it there?
</Poller>;
// @ts-expect-error a row of the wrong shape
<Poller check={() => ({ satisfied: "yes" })} checkOutput={outputs.poll} />;

// Control.
<Saga id="s" onFailure="compensate-and-fail">
  <SagaStep id="one" compensation={<Sequence />}>
    <Sequence />
  </SagaStep>
</Saga>;
<Saga steps={[{ id: "one", action: <Sequence />, compensation: null }]} />;
<TryCatchFinally
  try={<Sequence />}
  catch={(error) => <p>{`${error.code.toLowerCase()} ${error.message}`}</p>}
  catchErrors={["TASK_TIMEOUT"]}
/>;
// @ts-expect-error a step says how it is undone
<SagaStep id="one">
  <Sequence />
</SagaStep>;
// @ts-expect-error something is tried
<TryCatchFinally finally={<Sequence />} />;

// The context is typed by the schemas.
const ctx = useCtx<Schemas>();
expectType<string>(ctx.input.topic);
expectType<number | undefined>(ctx.latest("poll", "p")?.value);

// Prompt markup, components of functions and classes, and what is none of them.
<section key="k">
  <ol start={2}>
    <li>one</li>
  </ol>
  <a href="https://x.test">x</a>
  <pre>
    <code className="language-ts">x</code>
  </pre>
</section>;
const TextOnly = () => "text";
<TextOnly />;
// @ts-expect-error lists start at a number
<ol start="2" />;
// @ts-expect-error not an element
<canvas />;
// @ts-expect-error markup has no style
<p style={{}} />;

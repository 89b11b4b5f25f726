import { isPromise } from "node:util/types";
import type { ReactElement, ReactNode } from "react";
import { Aspects, createService } from "treadle";
import { z } from "zod";
import type { AgentLike } from "../../src/model/agent.js";
import type { ServiceWorkflow } from "../../src/model/workflow.js";
import type { AttemptPlace, FailureCount } from "./attempt-place.js";
import { compositeElement, compositeSchemas } from "./build-composite.js";
import { TOKENS } from "../support/random-workflows/generate.js";
import {
  type ApprovalPlan,
  type EventPlan,
  everyPlan,
  type Plan,
  type TaskPlan,
  type TimerPlan,
} from "../support/random-workflows/plan.js";

const value = z.object({ v: z.number() });

/** The output tables of every generated workflow. */
export const schemas = {
  value,
  decision: z.object({
    approved: z.boolean(),
    note: z.string().nullable(),
    decidedBy: z.string().nullable(),
    decidedAt: z.string().nullable(),
  }),
  selection: z.object({ selected: z.string(), notes: z.string().nullable() }),
  ranking: z.object({ ranked: z.array(z.string()), notes: z.string().nullable() }),
  ...compositeSchemas,
  output: z.object({ v: z.number() }),
};

const api = createService(schemas, { dbPath: ":memory:" });
const { Workflow, Sequence, Parallel, MergeQueue, Branch, Loop, Task, Approval, ApprovalGate } = api;
const { Signal, WaitForEvent, Timer, Saga, TryCatchFinally, Subflow, HumanTask, ContinueAsNew } = api;
const { useCtx, outputs } = api;

export function buildWorkflow(plans: readonly Plan[], failures: FailureCount): BuiltWorkflow {
  const children = new Map<Plan, ServiceWorkflow>();
  const scene: Scene = {
    failures,
    childOf(plan) {
      const known = children.get(plan);
      if (known !== undefined || plan.kind !== "subflow") return known as ServiceWorkflow;
      const child = api.service(() => (
        <Workflow name={plan.id}>
          <View plans={plan.children} scene={scene} />
          <Task id={`${plan.id}-output`} output={outputs.output}>
            {{ v: plan.children.length }}
          </Task>
        </Workflow>
      )) as ServiceWorkflow;
      children.set(plan, child);
      return child;
    },
  };
  const workflow = api.service(() => (
    <Workflow name="simulated">
      <View plans={plans} scene={scene} />
    </Workflow>
  )) as ServiceWorkflow;
  return { workflow, childOf: scene.childOf };
}

export interface BuiltWorkflow {
  workflow: ServiceWorkflow;
  /** The workflow of a subflow. */
  childOf(plan: Plan): ServiceWorkflow;
}

/** The workflows of subflows belong to one build. */
interface Scene {
  failures: FailureCount;
  childOf(plan: Plan): ServiceWorkflow;
}

function View({ plans, scene }: { plans: readonly Plan[]; scene: Scene }): ReactNode {
  return plans.map((plan) => <One key={nameOf(plan)} plan={plan} scene={scene} />);
}

function One({ plan, scene }: { plan: Plan; scene: Scene }): ReactNode {
  const ctx = useCtx();
  const view = (plans: readonly Plan[]) => <View plans={plans} scene={scene} />;
  const row = (nodeId: string) => ctx.outputMaybe("value", { nodeId }) as { v: number } | undefined;
  switch (plan.kind) {
    case "task": {
      if (plan.work !== "probe") return taskElement(plan, scene);
      const before = ctx.latest("value", plan.id) as { v: number } | undefined;
      return (
        <Task id={plan.id} output={outputs.value}>
          {() => ({ v: (before?.v ?? 0) + 1 })}
        </Task>
      );
    }
    case "approval":
      return approvalElement(plan);
    case "human":
      return (
        <HumanTask
          id={plan.id}
          output={outputs.value}
          prompt="How many?"
          continueOnFail={plan.continueOnFail}
          {...(plan.timeoutMs !== null && { timeoutMs: plan.timeoutMs })}
        />
      );
    case "event":
      return eventElement(plan);
    case "timer":
      return timerElement(plan);
    case "composite":
      return compositeElement(plan, scene.failures);
    case "continue": {
      const times = Number(ctx.continuation ?? 0);
      return times < plan.times ? <ContinueAsNew state={times + 1} /> : null;
    }
    case "aspects": {
      const { max, perTask } = plan.tokens ?? {};
      return (
        <Aspects
          id={plan.id}
          {...(plan.tokens !== null && {
            tokenBudget: {
              ...(max != null && { max }),
              ...(perTask != null && { perTask }),
              onExceeded: plan.onExceeded,
            },
          })}
        >
          {view(plan.children)}
        </Aspects>
      );
    }
    case "sequence":
      return <Sequence skipIf={plan.skip}>{view(plan.children)}</Sequence>;
    case "parallel": {
      const Group = plan.queue ? MergeQueue : Parallel;
      return <Group {...(plan.cap !== null && { maxConcurrency: plan.cap })}>{view(plan.children)}</Group>;
    }
    case "branch":
      return (
        <Branch
          if={(row(plan.source)?.v ?? 1) % 2 === 0}
          then={<Sequence>{view(plan.then)}</Sequence>}
          else={<Sequence>{view(plan.otherwise)}</Sequence>}
        />
      );
    case "follows": {
      const isThere = row(plan.source) !== undefined;
      return isThere === (plan.is === "since") ? <Sequence>{view(plan.children)}</Sequence> : null;
    }
    case "loop":
      return (
        <Loop
          id={plan.id}
          until={((ctx.latest("value", plan.probe) as { v: number } | undefined)?.v ?? 0) >= plan.times}
          maxIterations={plan.max}
          onMaxReached={plan.onMax}
          skipIf={plan.skip}
          {...(plan.every !== null && { continueAsNewEvery: plan.every })}
        >
          {view(plan.body)}
        </Loop>
      );
    case "saga":
      return (
        <Saga
          id={plan.id}
          onFailure={plan.onFailure}
          steps={plan.steps.map((step) => ({
            id: step.id,
            action: view([step.action]),
            compensation: view([step.compensation]),
          }))}
        />
      );
    case "try": {
      const recovery = <Sequence>{view(plan.recovery)}</Sequence>;
      return (
        <TryCatchFinally
          id={plan.id}
          try={<Sequence>{view(plan.body)}</Sequence>}
          {...(plan.handler !== "none" && { catch: plan.handler === "element" ? recovery : () => recovery })}
          {...(plan.codes !== null && { catchErrors: plan.codes })}
          {...(plan.final.length > 0 && { finally: <Sequence>{view(plan.final)}</Sequence> })}
        />
      );
    }
    case "subflow":
      return (
        <Subflow
          id={plan.id}
          workflow={scene.childOf(plan)}
          mode={plan.mode}
          output={outputs.value}
          {...(plan.mode === "childRun" && {
            retries: plan.retries,
            retryPolicy: { backoff: "fixed", initialDelayMs: 0 },
            continueOnFail: plan.continueOnFail,
            skipIf: plan.skip,
            dependsOn: plan.dependsOn,
          })}
        />
      );
    default:
      return plan satisfies never;
  }
}

function taskElement(plan: TaskPlan, { failures }: Scene): ReactElement {
  const common = {
    id: plan.id,
    output: outputs.value,
    retries: plan.retries,
    retryPolicy: { backoff: "fixed", initialDelayMs: plan.delayMs },
    continueOnFail: plan.continueOnFail,
    skipIf: plan.skip,
    needsApproval: plan.gate !== null,
    dependsOn: plan.dependsOn,
    ...(plan.hangs?.limit === "timeout" && { timeoutMs: LIMIT_MS }),
    ...(plan.hangs?.limit === "heartbeat" && { heartbeatTimeoutMs: LIMIT_MS }),
    ...(plan.reads.length > 0 && { deps: Object.fromEntries(plan.reads.map((id) => [id, outputs.value])) }),
    ...(plan.needs.length > 0 && { needs: Object.fromEntries(plan.needs.map((id) => [`n_${id}`, id])) }),
  } as const;
  const answer = (place: AttemptPlace, inputs: object) => {
    const after = (failed: number) => {
      if (failed < plan.fails) throw new Error(`${plan.id} fails as scripted`);
      const rows = Object.values(inputs) as ({ v: number } | undefined)[];
      const sum = rows.reduce((total, row) => total + (row?.v ?? 1), 0);
      return { v: (ordinal(plan.id) + place.iteration * 7 + sum) % 1000 };
    };
    const failed = failures(place);
    return isPromise(failed) ? failed.then(after) : after(failed);
  };
  if (plan.work === "static") return <Task {...common}>{{ v: ordinal(plan.id) }}</Task>;
  if (plan.work === "agent") {
    const agent: AgentLike = {
      id: "mock",
      supportsNativeStructuredOutput: true,
      generate: async (args) => ({
        output: await answer(args?.taskContext as unknown as AttemptPlace, {}),
        usage: { inputTokens: TOKENS - 1, outputTokens: 1 },
      }),
    };
    return (
      <Task {...common} agent={agent}>
        A number, please.
      </Task>
    );
  }
  if (plan.work === "async") {
    return (
      <Task {...common}>
        {async (inputs: object, runtime: AttemptPlace & { signal: AbortSignal }) => {
          if (plan.hangs !== null && (await failures(runtime)) < plan.fails)
            await hang(runtime.signal, plan.hangs);
          await new Promise<void>((resolve) => setImmediate(resolve));
          return answer(runtime, inputs);
        }}
      </Task>
    );
  }
  return <Task {...common}>{(inputs: object, runtime: AttemptPlace) => answer(runtime, inputs)}</Task>;
}

/** Settles only when it is asked to stop, and not even then if it is deaf. */
function hang(signal: AbortSignal, { deaf }: NonNullable<TaskPlan["hangs"]>): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (!deaf) signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
}

function timerElement({ id, ms, isAbsolute, dependsOn }: TimerPlan): ReactElement {
  return isAbsolute ? (
    <Timer id={id} until={new Date(START_MS + ms)} dependsOn={dependsOn} />
  ) : (
    <Timer id={id} duration={ms} dependsOn={dependsOn} />
  );
}

function approvalElement(plan: ApprovalPlan): ReactElement {
  const common = {
    id: plan.id,
    request: { title: plan.id },
    onDeny: plan.onDeny,
    continueOnFail: plan.continueOnFail,
    ...(plan.timeoutMs !== null && { timeoutMs: plan.timeoutMs }),
  };
  if (plan.when !== null) return <ApprovalGate {...common} when={plan.when} output={outputs.decision} />;
  const options = OPTIONS.map((key) => ({ key, label: key }));
  const output = { approve: outputs.decision, select: outputs.selection, rank: outputs.ranking }[plan.mode];
  const { mode, dependsOn } = plan;
  return (
    <Approval
      {...common}
      mode={mode}
      options={options}
      output={output}
      async={plan.async}
      dependsOn={dependsOn}
    />
  );
}

function eventElement(plan: EventPlan): ReactElement {
  const common = {
    id: plan.id,
    onTimeout: plan.onTimeout,
    async: plan.async,
    dependsOn: plan.dependsOn,
    ...(plan.correlationId !== null && { correlationId: plan.correlationId }),
    ...(plan.timeoutMs !== null && { timeoutMs: plan.timeoutMs }),
  };
  if (plan.element === "Signal") return <Signal {...common} schema={outputs.value} />;
  return <WaitForEvent {...common} event={plan.event} output={outputs.value} />;
}

/** Attempts that hang have this long, milliseconds. */
const LIMIT_MS = 2_000;

/** When the clock of every run starts, epoch ms. */
const START_MS = Date.UTC(2026, 0, 1);

export const OPTIONS = ["x", "y", "z"];

/** The same for the same plan: its own id, or that of the first leaf inside. */
function nameOf(plan: Plan): string {
  for (const inner of everyPlan([plan])) if ("id" in inner) return `${plan.kind}-${inner.id}`;
  return plan.kind;
}

/** The number in an id. */
export function ordinal(id: string): number {
  return Number(/\d+/.exec(id)?.[0] ?? 0);
}

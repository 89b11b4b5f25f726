import { once } from "node:events";
import type { ReactNode } from "react";
import {
  type AgentLike,
  approveNode,
  hijackRun,
  releaseHijack,
  runWorkflow,
  ServiceError,
  type ServiceWorkflow,
  signalRun,
} from "treadle";
import { z } from "zod";
import type { Scene } from "../../support/engine/scene.js";

export const parkedSchemas = {
  row: z.object({ n: z.number() }),
  output: z.object({ n: z.number() }),
  decision: z.looseObject({ approved: z.boolean() }),
};

/** What the runs wait for, or how their process left them. */
export const PARKED = [
  "approval",
  "gate",
  "signal",
  "event",
  "timer",
  "quota",
  "back-off",
  "failed",
  "pause",
  "question",
  "child",
  "hijack",
  "seen",
  "early",
  "chain",
  "loop",
  "stopped",
  "killed",
];

/** A run that stands still in one way: how it is brought there, and what makes it continue. */
export interface ParkedRun {
  /** Also its id, and its workflow's name. */
  name: string;
  workflow: ServiceWorkflow;
  park(): Promise<unknown>;
  /** Gives it what it waits for; the argument is the newest run of its chain. @default nothing */
  answer(runId: string): Promise<unknown>;
  /** Nodes whose functions have run in this process. */
  ran: string[];
  /** Those that run once it is resumed, in their order. */
  left: string[];
}

interface About {
  body(task: (id: string, act?: () => unknown) => ReactNode): ReactNode;
  answer?(target: ServiceWorkflow, runId: string): Promise<unknown>;
  reaction?: "pause" | "open-approval";
  /** @default ["last"] */
  left?: string[];
  /** Its process lets go of it, or dies. */
  ending?: "stopped" | "killed";
}

const HOUR = 3_600_000;

/** One run for each of `PARKED`, in this order. `isFirst`: in the process that parks them, where tasks fail and hang. */
export function parkedRuns(scene: Scene<typeof parkedSchemas>, isFirst: boolean): ParkedRun[] {
  const { api, time, drive, run } = scene;
  const { Workflow, Sequence, Task, Approval, Signal, WaitForEvent, Timer, Loop, Subflow, outputs } = api;

  function parked(name: string, { body, answer, reaction, left = ["last"], ending }: About): ParkedRun {
    const ran: string[] = [];
    const task = (id: string, act?: () => unknown) => (
      <Task
        id={id}
        output={outputs.row}
        retries={act === undefined ? 0 : 1}
        retryPolicy={{ initialDelayMs: 0 }}
      >
        {async () => {
          ran.push(id);
          await act?.();
          return { n: 1 };
        }}
      </Task>
    );
    const build = () => (
      <Workflow name={name}>
        <Sequence>
          {task("first")}
          {body(task)}
          {task("last")}
        </Sequence>
      </Workflow>
    );
    const policy = reaction && {
      alertPolicy: { rules: { "task-retrying": { reaction: { kind: reaction } } } },
    };
    const workflow = api.service(build, policy ?? {});
    return {
      name,
      workflow,
      park: () => (ending === undefined ? run(workflow, { runId: name }) : leave(workflow, name, ending)),
      answer: async (runId) => answer?.(workflow, runId),
      ran,
      left,
    };
  }

  async function leave(workflow: ServiceWorkflow, runId: string, ending: "stopped" | "killed") {
    const stop = new AbortController();
    const driving = drive(workflow, { runId, signal: stop.signal });
    await time.advance(500);
    if (ending === "killed") return;
    stop.abort(new ServiceError("PROCESS_ABORTED", "The host closes."));
    await time.advance(60_000);
    await driving;
  }

  const hang = () => (isFirst ? new Promise(() => undefined) : undefined);
  const fail = () => {
    if (isFirst) throw new Error("closed");
  };
  const retrying = (wait: number, retries: number) => (
    <Task id="late" output={outputs.row} retries={retries} retryPolicy={{ initialDelayMs: wait }}>
      {() => {
        fail();
        return { n: 1 };
      }}
    </Task>
  );
  let begin: () => void = () => undefined;
  const atWork = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const talker: AgentLike = {
    id: "talker",
    async generate(args = {}) {
      if (!isFirst) return { output: { n: 1 }, sessionId: "s1" };
      args.onEvent?.({ type: "started", engine: "talker", title: "talker", resume: "s1" });
      begin();
      const signal = args.abortSignal as AbortSignal;
      if (!signal.aborted) await once(signal, "abort");
      throw signal.reason;
    },
    resumeCommand: (sessionId) => ({ command: "talker", args: ["--resume", sessionId], env: {} }),
  };
  const exhausted: AgentLike = {
    id: "exhausted",
    async generate() {
      if (!isFirst) return { output: { n: 1 } };
      const details = { agentId: "exhausted", resetAtMs: time.now() + HOUR };
      throw new ServiceError("AGENT_QUOTA_EXCEEDED", "no quota left", { details });
    },
  };
  const calls = (id: string, agent: AgentLike) => (
    <Task id={id} output={outputs.row} agent={agent} retries={0} retryPolicy={{}}>
      Write a letter.
    </Task>
  );
  const asks = (id: string) => <Approval id={id} output={outputs.decision} request={{ title: "Go on?" }} />;
  const waits = <Signal id="answer" schema={outputs.row} />;
  const approve = (nodeId: string) => (target: ServiceWorkflow, runId: string) =>
    approveNode(target, { runId, nodeId });
  const signal = (target: ServiceWorkflow, runId: string) =>
    signalRun(target, { runId, signal: "answer", data: { n: 2 } });
  const child = parked("child-workflow", {
    body: () => (
      <Sequence>
        {waits}
        <Task id="result" output={outputs.output}>
          {{ n: 3 }}
        </Task>
      </Sequence>
    ),
  }).workflow;

  const hijacked = parked("hijack", {
    body: () => calls("talk", talker),
    answer: (target, runId) => releaseHijack(target, { runId }),
  });
  const parent = parked("child", {
    body: () => <Subflow id="ask" workflow={child} output={outputs.row} />,
    answer: (_target, runId) => signal(child, `${runId}:ask:0`),
  });
  const early = parked("early", { body: () => waits, answer: signal });
  const deaf = parked("seen", { body: () => waits, answer: signal });

  const chain = parked("chain", {
    body: (task) => (
      <Loop id="rounds" until={false} maxIterations={2} continueAsNewEvery={1}>
        <Sequence>
          {task("round")}
          {waits}
        </Sequence>
      </Loop>
    ),
    answer: signal,
  });
  const loop = parked("loop", {
    body: (task) => (
      <Loop id="rounds" until={false} maxIterations={2}>
        <Sequence>
          {task("round")}
          {asks("ask")}
        </Sequence>
      </Loop>
    ),
    answer: (target, runId) => approveNode(target, { runId, nodeId: "ask", iteration: isFirst ? 0 : 1 }),
  });
  /** In the second round. */
  async function parkAgain({ name: runId, workflow, answer }: ParkedRun) {
    await run(workflow, { runId });
    await answer(runId);
    await scene.resume(workflow, { runId });
  }

  return [
    parked("approval", { body: () => asks("ask"), answer: approve("ask") }),
    parked("gate", {
      body: () => (
        <Task id="gated" output={outputs.row} needsApproval>
          {{ n: 2 }}
        </Task>
      ),
      answer: approve("gated"),
    }),
    parked("signal", { body: () => waits, answer: signal }),
    parked("event", {
      body: () => <WaitForEvent id="wait" event="paid" correlationId="7" output={outputs.row} />,
      answer: (target, runId) =>
        signalRun(target, { runId, signal: "paid", correlationId: "7", data: { n: 2 } }),
    }),
    parked("timer", { body: () => <Timer id="rest" duration="1h" /> }),
    parked("quota", { body: () => calls("rate", exhausted) }),
    parked("back-off", { body: () => retrying(HOUR, 3), ending: "stopped" }),
    parked("failed", { body: () => retrying(0, 0) }),
    parked("pause", { body: () => retrying(0, 1), reaction: "pause" }),
    parked("question", {
      body: () => retrying(0, 1),
      reaction: "open-approval",
      answer: approve("alert:task-retrying:late"),
    }),
    { ...parent, park: () => runWorkflow(parent.workflow, { runId: "child" }) },
    {
      ...hijacked,
      async park() {
        const driving = runWorkflow(hijacked.workflow, { runId: "hijack" });
        await atWork;
        await hijackRun(hijacked.workflow, { runId: "hijack" });
        await driving;
      },
    },
    // Seen by the process that let go of it: no news for the next one.
    {
      ...deaf,
      async park() {
        await run(deaf.workflow, { runId: "seen" });
        await signalRun(deaf.workflow, { runId: "seen", signal: "unheard" });
        await scene.resume(deaf.workflow, { runId: "seen" });
      },
    },
    // Answered, but not driven since: what has arrived is in the inbox.
    {
      ...early,
      async park() {
        await run(early.workflow, { runId: "early" });
        await early.answer("early");
        await signalRun(early.workflow, { runId: "early", signal: "unheard" });
      },
      answer: async () => undefined,
    },
    { ...chain, park: () => parkAgain(chain) },
    { ...loop, park: () => parkAgain(loop) },
    parked("stopped", { body: (task) => task("middle", hang), ending: "stopped", left: ["middle", "last"] }),
    parked("killed", { body: (task) => task("middle", hang), ending: "killed", left: ["middle", "last"] }),
  ];
}

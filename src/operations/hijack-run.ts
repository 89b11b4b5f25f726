import { z } from "zod";
import { ServiceError } from "../errors/service-error.js";
import { isTerminalNode, type NodeRow } from "../model/node.js";
import { isTerminal } from "../model/run.js";
import type { HandedOver } from "../engine/index.js";
import type { Store } from "../store/index.js";
import type { Clock } from "../util/clock.js";
import { Nudge } from "../util/nudge.js";
import { pause } from "../util/pause.js";
import * as rules from "../options/option-rules.js";
import { checkOptions } from "../options/check-options.js";
import { hearNews } from "./read/news.js";
import { requireRun } from "./request/require-run.js";
import { engineServices, type OperationTarget, storeOf } from "./request/target.js";
import { once } from "../util/once.js";

/** Which agent's session to take over. */
export interface HijackRequest {
  runId: string;
  /** The task. @default the only task whose agent is at work */
  nodeId?: string;
  /** From 0. @default the newest */
  iteration?: number;
  /** How long to wait for the agent to stop, milliseconds. @default 30000 */
  timeoutMs?: number;
}

/** A session that a person can open: run `command` with `args` in `cwd`, with `env` added. */
export interface HijackedSession extends HandedOver {
  runId: string;
  nodeId: string;
  iteration: number;
}

const ADDRESS_RULES = {
  runId: rules.required(rules.name),
  nodeId: rules.name,
  iteration: rules.wholeNumber,
};
const RULES = {
  ...ADDRESS_RULES,
  timeoutMs: rules.withDefault(rules.milliseconds, 30_000),
} satisfies rules.OptionRules<HijackRequest>;

type Address = Pick<HijackedSession, "runId" | "nodeId" | "iteration">;

/** Commits of other processes are found at the latest after this time, milliseconds. */
const POLL_MS = 100;

/** A command from a row: what it runs a person sees before it runs, so that it has to be text. */
const handedOver = once(
  (): z.ZodType<HandedOver> =>
    z.object({
      agentId: z.string(),
      sessionId: z.string(),
      cwd: z.string(),
      command: z.string().min(1),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()),
    }),
);

/**
 * Takes over what the agent of a running task is doing: the agent stops, the task
 * waits, and its session is the caller's until `releaseHijack`. A task that is
 * handed over already is answered with its session.
 *
 * @throws RUN_NOT_FOUND, NODE_NOT_FOUND, RUN_NOT_ACTIVE no agent is at work; INVALID_INPUT several are;
 * TASK_HIJACK_UNSUPPORTED the agent has no session that a person can open; HIJACK_TIMEOUT
 */
export async function hijackRun(target: OperationTarget, request: HijackRequest): Promise<HijackedSession> {
  const { timeoutMs, ...asked } = checkOptions("hijackRun", request, RULES);
  const store = await storeOf(target);
  const { clock } = engineServices(store);
  await requireRun(store, asked.runId);
  const node = await findTask(store, asked);
  const at = { runId: asked.runId, nodeId: node.nodeId, iteration: node.iteration };
  const held = await sessionOf(store, at, node);
  if (held !== null) return held;
  const { nextSeq, status } = await requireRun(store, at.runId);
  if (isTerminal(status)) throw noAgentAtWork(at.runId);
  const id = await store.submitIntent({
    runId: at.runId,
    intent: { kind: "hijack", nodeId: at.nodeId, iteration: at.iteration, action: "take" },
    createdAtMs: clock.now(),
  });
  if (id === undefined) throw noAgentAtWork(at.runId);
  const afterSeq = nextSeq - 1;
  const news = new Nudge();
  const forget = hearNews(store, { runId: at.runId, pollMs: POLL_MS, clock }, () => news.nudge());
  try {
    return await untilHandedOver(store, { at, afterSeq, clock, timeoutMs, news });
  } finally {
    forget();
  }
}

/**
 * Gives a session back: the task continues as its `onHijackExit` says, as soon as a process drives the run.
 * @throws RUN_NOT_FOUND, NODE_NOT_FOUND, NODE_NOT_WAITING the task is not hijacked
 */
export async function releaseHijack(
  target: OperationTarget,
  request: Pick<HijackRequest, "runId" | "nodeId" | "iteration">,
): Promise<Address> {
  checkOptions("releaseHijack", request, ADDRESS_RULES);
  const store = await storeOf(target);
  await requireRun(store, request.runId);
  const node = await findTask(store, request);
  const at = { runId: request.runId, nodeId: node.nodeId, iteration: node.iteration };
  if ((await sessionOf(store, at, node)) === null) {
    throw new ServiceError(
      "NODE_NOT_WAITING",
      `No person has taken over ${node.nodeId}, which is ${node.state}.`,
      {
        details: { ...at, state: node.state },
      },
    );
  }
  await store.submitIntent({
    runId: at.runId,
    intent: { kind: "hijack", nodeId: at.nodeId, iteration: at.iteration, action: "release" },
    createdAtMs: engineServices(store).clock.now(),
  });
  return at;
}

/** The task that a hijack of this address would be about. @throws as hijackRun, but for what the agent says */
export async function findHijackable(target: OperationTarget, request: HijackRequest): Promise<Address> {
  checkOptions("findHijackable", request, RULES);
  const store = await storeOf(target);
  await requireRun(store, request.runId);
  const { nodeId, iteration } = await findTask(store, request);
  return { runId: request.runId, nodeId, iteration };
}

async function findTask(
  store: Store,
  { runId, nodeId, iteration }: Pick<HijackRequest, "runId" | "nodeId" | "iteration">,
): Promise<NodeRow> {
  if (nodeId !== undefined) {
    const newest = await store.getNode(runId, nodeId, iteration);
    if (newest !== undefined) return newest;
    throw new ServiceError("NODE_NOT_FOUND", `Run ${runId} has no node ${nodeId}.`, {
      details: { runId, nodeId },
    });
  }
  const candidates = await agentsTasks(store, runId, await store.listNodes(runId));
  const [only, ...others] = candidates;
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined) throw noAgentAtWork(runId);
  const names = candidates.map((node) => node.nodeId);
  throw new ServiceError(
    "INVALID_INPUT",
    `Several agents are at work in run ${runId}: say which of ${names.join(", ")}.`,
    {
      details: { runId, candidates: names },
    },
  );
}

function noAgentAtWork(runId: string): ServiceError {
  return new ServiceError("RUN_NOT_ACTIVE", `No agent is at work in run ${runId}.`, { details: { runId } });
}

/** Tasks that agents work on or a person has taken over. A task that runs alone is asked before it is known to be an agent's. */
async function agentsTasks(store: Store, runId: string, nodes: readonly NodeRow[]): Promise<NodeRow[]> {
  const found: NodeRow[] = [];
  const running = nodes.filter(({ state }) => state === "in-progress");
  for (const node of nodes) {
    const at = { runId, nodeId: node.nodeId, iteration: node.iteration };
    if ((await sessionOf(store, at, node)) !== null) found.push(node);
    else if (node.state === "in-progress" && (running.length === 1 || (await hasSpoken(store, at))))
      found.push(node);
  }
  return found;
}

async function hasSpoken(store: Store, { runId, nodeId }: Address): Promise<boolean> {
  return (await store.listEvents(runId, { types: ["AgentEvent"], nodeId, limit: 1 })).length > 0;
}

/** The session of a task that is handed over; null for any other. */
async function sessionOf(store: Store, at: Address, node: NodeRow): Promise<HijackedSession | null> {
  if (node.state !== "waiting-event") return null;
  const { runId, nodeId, iteration } = at;
  const last = (await store.listAttempts(runId, nodeId, iteration)).at(-1);
  const given = last?.meta?.hijack;
  if (last === undefined || given === undefined) return null;
  const session = handedOver().safeParse(given);
  if (session.success) return { runId, nodeId, iteration, ...session.data };
  throw new ServiceError(
    "STORAGE_ERROR",
    `The session in meta_json of attempt ${last.attempt} of ${nodeId}, table _service_attempts, cannot be read: ${z.prettifyError(session.error)}`,
    { details: { ...at, attempt: last.attempt, table: "_service_attempts" }, retryable: false },
  );
}

/** The expected end of a wait, and its deadline. */
interface HandOver {
  at: Address;
  afterSeq: number;
  clock: Clock;
  timeoutMs: number;
  news: Nudge;
}

async function untilHandedOver(
  store: Store,
  { at, afterSeq, clock, timeoutMs, news }: HandOver,
): Promise<HijackedSession> {
  const giveUpAt = clock.now() + timeoutMs;
  for (;;) {
    const events = await store.listEvents(at.runId, {
      afterSeq,
      nodeId: at.nodeId,
      types: ["RunHijackRefused"],
      limit: 100,
    });
    for (const { event } of events) {
      if (event.type === "RunHijackRefused" && event.iteration === at.iteration)
        throw unsupported(at, event.reason);
    }
    const node = await store.getNode(at.runId, at.nodeId, at.iteration);
    if (node === undefined || isTerminalNode(node.state))
      throw unsupported(at, "it ended before its agent could be stopped");
    const held = await sessionOf(store, at, node);
    if (held !== null) return held;
    // It goes with the request: the process that resumes the run hears nothing of it.
    const run = await store.getRun(at.runId);
    if (run === undefined || isTerminal(run.status)) throw noAgentAtWork(at.runId);
    if (clock.now() >= giveUpAt) {
      throw new ServiceError(
        "HIJACK_TIMEOUT",
        `The agent of ${at.nodeId} has not handed its session over within ${timeoutMs} ms; it still does when it can.`,
        { details: { ...at, timeoutMs } },
      );
    }
    await pause(clock, giveUpAt - clock.now(), { nudge: news });
  }
}

function unsupported(at: Address, why: string): ServiceError {
  return new ServiceError("TASK_HIJACK_UNSUPPORTED", `Task ${at.nodeId} cannot be taken over: ${why}.`, {
    details: { ...at },
  });
}

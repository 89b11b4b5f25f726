import type { NodeWait } from "../../model/intent.js";
import type { NodeRow } from "../../model/node.js";
import { isTerminal, type RunRow } from "../../model/run.js";
import type { Store, StoredIntent } from "../../store/index.js";
import type { ResumeRemedy } from "../remedies/resume.js";
import { approvalBlocker } from "./approval-blocker.js";
import type { Blocker } from "./blocker.js";
import { noRefusals, refusedDecisions } from "./refused-decisions.js";

/** The blocker of each waiting node. */
export async function waitBlockers(
  store: Store,
  run: RunRow,
  { nodes, resume, nowMs }: { nodes: readonly NodeRow[]; resume: ResumeRemedy; nowMs: number },
): Promise<Blocker[]> {
  const waiting = nodes.filter((node) => node.state.startsWith("waiting-"));
  if (waiting.length === 0) return [];
  const asksPeople = waiting.some(({ state }) => state === "waiting-approval");
  const [approvals, intents, refusalsOf] = await Promise.all([
    store.listApprovals({ runId: run.runId, status: "requested", limit: 1_000 }),
    store.pendingIntents(run.runId),
    asksPeople ? refusedDecisions(store, run.runId) : noRefusals,
  ]);
  const takeSignal = createSignalTaker(intents);
  const context: WaitContext = { run, resume, nowMs, approvals, intents, refusalsOf, takeSignal };
  return waiting.map((node) => blockerOf(node, context));
}

/** What the blockers of a run are found in. */
interface WaitContext {
  run: RunRow;
  resume: ResumeRemedy;
  nowMs: number;
  approvals: Awaited<ReturnType<Store["listApprovals"]>>;
  intents: readonly StoredIntent[];
  refusalsOf: Awaited<ReturnType<typeof refusedDecisions>>;
  takeSignal: SignalTaker;
}

function blockerOf(node: NodeRow, context: WaitContext): Blocker {
  const { nodeId } = node;
  const { resume } = context;
  if (node.wait?.kind === "child") {
    return {
      ...placeOf(node),
      kind: "decision-pending",
      summary: `${nodeId} waits for its child run, which cannot be read; a process has to continue from there.`,
      remedy: resume,
    };
  }
  switch (node.state) {
    case "waiting-approval":
      return decisionBlocker(node, context);
    case "waiting-event":
      return node.wait?.kind === "hijack" ? hijackBlocker(node, context) : signalBlocker(node, context);
    case "waiting-quota":
      return {
        ...placeOf(node),
        kind: "quota",
        ...untilOf(node),
        summary: `${nodeId} waits for ${quotaOf(node.wait)} to reset.`,
        remedy: resume,
      };
    default:
      return {
        ...placeOf(node),
        kind: "timer",
        ...untilOf(node),
        summary: `${nodeId} waits for its timer.`,
        remedy: resume,
      };
  }
}

function decisionBlocker(node: NodeRow, context: WaitContext): Blocker {
  const { nodeId, iteration } = node;
  const { run, resume, approvals, intents, refusalsOf } = context;
  const request = approvals.find((row) => row.nodeId === nodeId && row.iteration === iteration);
  const title = request?.request.title ?? node.label ?? nodeId;
  const example = node.wait?.kind === "approval" ? node.wait.example : undefined;
  const awaited = { run, ...placeOf(node), ...untilOf(node), who: nodeId, title, request, resume, example };
  const blocker = approvalBlocker(awaited, { intents, refusalsOf });
  return isTooLate(node, context) && blocker.kind === "approval"
    ? tooLateFor(`a decision: ${title}`, node, context)
    : blocker;
}

function hijackBlocker(node: NodeRow, { run }: WaitContext): Blocker {
  const { nodeId, iteration } = node;
  return {
    ...placeOf(node),
    kind: "hijack",
    summary: `A person has taken over what the agent of ${nodeId} was doing.`,
    remedy: { action: "release-hijack", runId: run.runId, nodeId, iteration },
  };
}

function signalBlocker(node: NodeRow, context: WaitContext): Blocker {
  const { nodeId, wait } = node;
  const { run, resume, takeSignal } = context;
  const { event = nodeId, correlationId, example } = wait?.kind === "event" ? wait : {};
  const about = { event, ...(correlationId !== undefined && { correlationId }) };
  if (takeSignal(event, correlationId)) {
    return {
      ...placeOf(node),
      kind: "decision-pending",
      ...about,
      summary: `The signal ${event} that ${nodeId} waits for is there; a process has to take it up.`,
      remedy: resume,
    };
  }
  if (isTooLate(node, context)) return tooLateFor(`the signal ${event}`, node, context);
  return {
    ...placeOf(node),
    kind: "event",
    ...about,
    ...untilOf(node),
    summary: `${nodeId} waits for the signal ${event}.`,
    // A run that has ended takes no signals before it is resumed.
    remedy: isTerminal(run.status)
      ? resume
      : {
          action: "signal",
          runId: run.runId,
          signal: event,
          ...(correlationId !== undefined && { correlationId }),
          ...(example !== undefined && { example }),
        },
  };
}

/** Whether no answer counts any more: no person is left to be asked. */
function isTooLate({ dueAtMs }: NodeRow, { nowMs }: WaitContext): boolean {
  return dueAtMs !== null && dueAtMs < nowMs;
}

function tooLateFor(what: string, node: NodeRow, { resume }: WaitContext): Blocker {
  return {
    ...placeOf(node),
    kind: "timer",
    ...untilOf(node),
    summary: `${node.nodeId} waited for ${what}, and its time is over; a process has to continue from there.`,
    remedy: resume,
  };
}

function placeOf({ nodeId, iteration, waitingSinceMs }: NodeRow) {
  return { nodeId, iteration, sinceMs: waitingSinceMs };
}

function untilOf({ dueAtMs }: NodeRow): { untilMs?: number } {
  return dueAtMs === null ? {} : { untilMs: dueAtMs };
}

function quotaOf(wait: NodeWait | null): string {
  return wait?.kind === "quota" && wait.agentId !== undefined
    ? `the quota of agent ${wait.agentId}`
    : "an agent's quota";
}

/** Says whether a signal is there for a waiter; each signal is for one of them. */
type SignalTaker = (name: string, correlationId: string | undefined) => boolean;

function createSignalTaker(intents: readonly StoredIntent[]): SignalTaker {
  const left = intents.flatMap(({ intent }) => (intent.kind === "signal" ? [intent] : []));
  return (name, correlationId) => {
    const index = left.findIndex((sent) => sent.name === name && sent.correlationId === correlationId);
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  };
}

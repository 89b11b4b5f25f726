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
  return waiting.map((node) => {
    const { nodeId, iteration } = node;
    const at = { nodeId, iteration, sinceMs: node.waitingSinceMs };
    const until = node.dueAtMs !== null && { untilMs: node.dueAtMs };
    // No answer counts any more, and no person is left to be asked.
    const isOver = node.dueAtMs !== null && node.dueAtMs < nowMs;
    const tooLate = (what: string): Blocker => ({
      ...at,
      kind: "timer",
      ...until,
      summary: `${nodeId} waited for ${what}, and its time is over; a process has to continue from there.`,
      remedy: resume,
    });
    if (node.wait?.kind === "child") {
      return {
        ...at,
        kind: "decision-pending" as const,
        summary: `${nodeId} waits for its child run, which cannot be read; a process has to continue from there.`,
        remedy: resume,
      };
    }
    switch (node.state) {
      case "waiting-approval": {
        const request = approvals.find((row) => row.nodeId === nodeId && row.iteration === iteration);
        const title = request?.request.title ?? node.label ?? nodeId;
        const example = node.wait?.kind === "approval" ? node.wait.example : undefined;
        const awaited = { run, ...at, ...until, who: nodeId, title, request, resume, example };
        const blocker = approvalBlocker(awaited, { intents, refusalsOf });
        return isOver && blocker.kind === "approval" ? tooLate(`a decision: ${title}`) : blocker;
      }
      case "waiting-event": {
        const { wait } = node;
        if (wait?.kind === "hijack") {
          return {
            ...at,
            kind: "hijack" as const,
            summary: `A person has taken over what the agent of ${nodeId} was doing.`,
            remedy: { action: "release-hijack" as const, runId: run.runId, nodeId, iteration },
          };
        }
        const { event = nodeId, correlationId, example } = wait?.kind === "event" ? wait : {};
        const about = { event, ...(correlationId !== undefined && { correlationId }) };
        if (takeSignal(event, correlationId)) {
          return {
            ...at,
            kind: "decision-pending" as const,
            ...about,
            summary: `The signal ${event} that ${nodeId} waits for is there; a process has to take it up.`,
            remedy: resume,
          };
        }
        if (isOver) return tooLate(`the signal ${event}`);
        return {
          ...at,
          kind: "event" as const,
          ...about,
          ...until,
          summary: `${nodeId} waits for the signal ${event}.`,
          // A run that has ended takes no signals before it is resumed.
          remedy: isTerminal(run.status)
            ? resume
            : {
                action: "signal" as const,
                runId: run.runId,
                signal: event,
                ...(correlationId !== undefined && { correlationId }),
                ...(example !== undefined && { example }),
              },
        };
      }
      case "waiting-quota":
        return {
          ...at,
          kind: "quota" as const,
          ...until,
          summary: `${nodeId} waits for ${quotaOf(node.wait)} to reset.`,
          remedy: resume,
        };
      default:
        return {
          ...at,
          kind: "timer" as const,
          ...until,
          summary: `${nodeId} waits for its timer.`,
          remedy: resume,
        };
    }
  });
}

function quotaOf(wait: NodeWait | null): string {
  return wait?.kind === "quota" && wait.agentId !== undefined
    ? `the quota of agent ${wait.agentId}`
    : "an agent's quota";
}

/** Says whether a signal is there for a waiter; each signal is for one of them. */
function createSignalTaker(
  intents: readonly StoredIntent[],
): (name: string, correlationId: string | undefined) => boolean {
  const left = intents.flatMap(({ intent }) => (intent.kind === "signal" ? [intent] : []));
  return (name, correlationId) => {
    const index = left.findIndex((sent) => sent.name === name && sent.correlationId === correlationId);
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  };
}

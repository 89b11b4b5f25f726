import type { ApprovalRow } from "../../model/approval.js";
import type { RunRow } from "../../model/run.js";
import type { StoredIntent } from "../../store/index.js";
import { approveRemedy } from "../remedies/approve.js";
import type { ResumeRemedy } from "../remedies/resume.js";
import type { Blocker } from "./blocker.js";
import type { RefusalsOf } from "./refused-decisions.js";

export interface AwaitedDecision {
  run: RunRow;
  nodeId: string;
  iteration: number;
  sinceMs: number | null;
  /** Epoch ms at which its time is over: the process that drives the run ends the wait then. */
  untilMs?: number | undefined;
  /** Who waits, as a sentence begins. */
  who: string;
  title: string;
  request: ApprovalRow | undefined;
  /** A row to begin with, where the answer is one. */
  example?: unknown;
  /** How the run is driven on. */
  resume: ResumeRemedy;
}

/** Decisions on the requests of a run that did not count or were not taken up yet. */
export interface SentDecisions {
  intents: readonly StoredIntent[];
  refusalsOf: RefusalsOf;
}

/** A wait for a decision, or for a process that takes up the one that was made. */
export function approvalBlocker(awaited: AwaitedDecision, { intents, refusalsOf }: SentDecisions): Blocker {
  const { run, nodeId, iteration, sinceMs, untilMs, who, title, request, resume, example } = awaited;
  const at = { nodeId, iteration, sinceMs };
  const isDecided = intents.some(
    ({ intent }) => intent.kind === "approval" && intent.nodeId === nodeId && intent.iteration === iteration,
  );
  if (isDecided) {
    return {
      ...at,
      kind: "decision-pending",
      summary: `${nodeId} was decided; a process has to take the decision up.`,
      remedy: resume,
    };
  }
  const refused = refusalsOf(nodeId, iteration);
  return {
    ...at,
    kind: "approval",
    ...(untilMs !== undefined && { untilMs }),
    title,
    ...(request !== undefined && { requestHash: request.requestHash }),
    ...(refused.length > 0 && { refused }),
    summary: `${who} waits for a decision: ${title}${/[.?!…]$/.test(title) ? "" : "."}`,
    remedy:
      request === undefined
        ? { action: "approve", runId: run.runId, nodeId, iteration }
        : { ...approveRemedy(request), ...(example !== undefined && { example }) },
  };
}

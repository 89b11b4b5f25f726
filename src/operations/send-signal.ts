import type { Remedy } from "../model/remedy.js";
import { isTerminal, type RunRow } from "../model/run.js";
import { MAX_SIGNAL_BYTES, newestOfChain, type Store } from "../store/index.js";
import type { Clock } from "../util/clock.js";
import * as rules from "../options/option-rules.js";
import { checkOptions } from "../options/check-options.js";
import type { ActionResult } from "./request/action-result.js";
import { checkSignalData, childrenAwaiting, isAwaited } from "./request/signal-waiter.js";
import { requireRun } from "./request/require-run.js";
import { runEnded } from "./drive/run-ended.js";
import { sentJson } from "../options/sent-json.js";
import { type OperationTarget, storeOf } from "./request/target.js";

/** A signal and the run that it is for. */
export interface SignalRequest {
  runId: string;
  /** Name of the signal: a Signal's `id`, a WaitForEvent's `event`. */
  signal: string;
  /** JSON. @default {} */
  data?: unknown;
  /** Must equal the waiter's exactly; absent matches only a waiter without one. */
  correlationId?: string;
}

export interface SignalOptions {
  /** Says when the signal was sent. @default the database's clock */
  clock?: Clock;
  /** A signal of this key is kept once for the run and those that continue it. @default none */
  dedupeKey?: string;
  /** Only check it: `signalSeq` is then -1. @default false */
  dryRun?: boolean;
}

/** The signal as it is kept for the run. */
export interface SignalResult extends ActionResult {
  runId: string;
  /** Its name. */
  signal: string;
  /** Number of the signal in the inbox; -1 for one that was there already by its `dedupeKey`, or was only checked. */
  signalSeq: number;
  /**
   * Child runs that wait for exactly this signal while no node of the run itself does: a signal is
   * for the run that it is sent to. Absent when there is none.
   */
  awaitedBy?: string[];
  /** Nothing waits for it at this moment: it is kept for a node that will. Absent when a node waits for it. */
  isEarly?: true;
  /** To send it to one of those: one for each. Absent when there is none. */
  remedies?: Remedy[];
}

const RULES = {
  runId: rules.required(rules.name),
  signal: rules.required(rules.name),
  data: rules.withDefault(rules.anything, {}),
  correlationId: rules.text,
} satisfies rules.OptionRules<SignalRequest>;

const CHECK_RULES = {
  clock: rules.record,
  dedupeKey: rules.name,
  dryRun: rules.withDefault(rules.flag, false),
} satisfies rules.OptionRules<SignalOptions>;

const TAKES_NONE = "it takes no signals";

/**
 * Sends a signal to a run. It is kept until a waiter takes it, also one that
 * mounts later; each signal is taken by one waiter.
 * @throws RUN_NOT_FOUND, RUN_NOT_ACTIVE, INVALID_INPUT for data that is not JSON, is
 * too large, or does not fit the schema of the node that waits for it; nothing is kept then
 */
export async function signalRun(
  target: OperationTarget,
  request: SignalRequest,
  options: SignalOptions = {},
): Promise<SignalResult> {
  const sent = checkOptions("signalRun", request, RULES);
  const { clock, dedupeKey, dryRun } = checkOptions("signalRun", options, CHECK_RULES);
  const { runId, signal, correlationId } = sent;
  const store = await storeOf(target);
  const run = await requireRun(store, runId);
  if (isTerminal(run.status)) {
    throw await runEnded(store, run, TAKES_NONE);
  }
  const data = sentJson(sent.data, {
    subject: `The data of signal ${signal}`,
    limitBytes: MAX_SIGNAL_BYTES,
    details: { signal },
  });
  await checkSignalData({ target, store }, { ...sent, data });
  const intent = {
    kind: "signal",
    name: signal,
    data,
    correlationId,
  } as const;
  const signalSeq = dryRun
    ? undefined
    : await store.submitIntent({
        runId,
        intent,
        createdAtMs: (clock ?? store.clock).now(),
        ...(dedupeKey !== undefined && { dedupeKey }),
      });
  if (signalSeq === undefined && !dryRun) await refuseIfEnded(store, run, dedupeKey);
  const awaitedBy = await childrenAwaiting(store, sent);
  const isEarly = awaitedBy.length === 0 && !(await isAwaited(store, runId, sent));
  return {
    runId,
    signal,
    signalSeq: signalSeq ?? -1,
    seq: null,
    ...(isEarly && { isEarly }),
    ...(awaitedBy.length > 0 && {
      awaitedBy,
      remedies: awaitedBy.map((child) => ({
        action: "signal" as const,
        runId: child,
        signal,
        ...(correlationId !== undefined && { correlationId }),
      })),
    }),
  };
}

/** For a signal that was not kept: it was sent before, or the run has ended since it was looked at. */
async function refuseIfEnded(store: Store, run: RunRow, dedupeKey: string | undefined): Promise<void> {
  if (dedupeKey !== undefined && (await store.deliveries.wasSent(run.runId, dedupeKey))) return;
  throw await runEnded(store, (await newestOfChain(store, run.runId)) ?? run, TAKES_NONE);
}

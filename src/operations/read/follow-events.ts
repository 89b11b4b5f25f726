import type { RunEventType, StoredEvent } from "../../model/events.js";
import { isTerminal } from "../../model/run.js";
import type { Store } from "../../store/index.js";
import { type Clock, systemClock } from "../../util/clock.js";
import { Nudge } from "../../util/nudge.js";
import { eventTypes } from "./event-types.js";
import { hearNews } from "./news.js";
import { checkOptions } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import { requireRun } from "../request/require-run.js";
import { type OperationTarget, storeOf } from "../request/target.js";
import { turnOfLoop } from "../../util/own-timers.js";

/** Which events of a run to read, and how long. */
export interface FollowRequest {
  runId: string;
  /** Events with a greater number. @default -1: from the start */
  afterSeq?: number;
  /** Only events of these types. @default all */
  types?: RunEventType[];
  /** Only events of this node. @default all */
  nodeId?: string;
  /** Wait for more until the run ends or the signal fires; otherwise only what is there. @default true */
  follow?: boolean;
  /** Events at most. @default unlimited */
  limit?: number;
  /** How often commits of other processes are looked for, milliseconds; 0: they are not. @default 200 */
  pollMs?: number;
  /** Ends the stream, without an error. */
  signal?: AbortSignal;
  /** @default the machine's clock */
  clock?: Clock;
}

const RULES = {
  runId: rules.required(rules.name),
  afterSeq: rules.withDefault(rules.integer, -1),
  types: eventTypes,
  nodeId: rules.name,
  follow: rules.withDefault(rules.flag, true),
  limit: rules.positiveInteger,
  pollMs: rules.withDefault(rules.wholeNumber, 200),
  signal: rules.abortSignal,
  clock: rules.record,
} satisfies rules.OptionRules<FollowRequest>;

/** Read at once; a page more is asked for when it was full. */
const PAGE = 500;

/**
 * Events of a run in order, from wherever the reader has come to; with `follow` also those that come until
 * it has ended. A reader that passes the number of its last event misses none and gets none twice,
 * also after a restart. Commits of this process arrive at once.
 * @throws INVALID_INPUT, RUN_NOT_FOUND, with the first event that is asked for
 */
export async function* followEvents(
  target: OperationTarget,
  request: FollowRequest,
): AsyncGenerator<StoredEvent, void> {
  const { runId, follow, pollMs, types, nodeId, ...given } = checkOptions("followEvents", request, RULES);
  const { signal, clock = systemClock } = given;
  const store = await storeOf(target);
  await requireRun(store, runId);
  const news = new Nudge();
  const stop = hearNews(store, { runId, pollMs, clock }, () => news.nudge());
  try {
    let { afterSeq, limit: remaining = Number.POSITIVE_INFINITY } = given;
    while (remaining > 0 && signal?.aborted !== true) {
      // Read before the events: what the run wrote before it ended is then complete.
      const isOver = await hasEnded(store, runId);
      const page = await store.listEvents(runId, {
        ...(types !== undefined && { types }),
        ...(nodeId !== undefined && { nodeId }),
        afterSeq,
        limit: Math.min(PAGE, remaining),
      });
      for (const stored of page) {
        if (isAborted(signal)) return;
        yield stored;
        afterSeq = stored.seq;
        remaining -= 1;
      }
      if (page.length === PAGE) {
        // Events that the reader has been given get a chance to leave the process before there are more.
        await turnOfLoop();
        continue;
      }
      if (!follow || isOver) return;
      await news.next(signal);
    }
  } finally {
    stop();
  }
}

/** Also one that was deleted meanwhile. */
async function hasEnded(store: Store, runId: string): Promise<boolean> {
  const run = await store.getRun(runId);
  return run === undefined || isTerminal(run.status);
}

/** The reader may have aborted while it held the event before. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

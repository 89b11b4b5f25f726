import { z } from "zod";
import { type FeedItem, getRun, requireRun } from "../../../operations/index.js";
import type { ServiceDb } from "../../../store/index.js";
import { refuseUnknownSeq } from "../../http/known-seq.js";
import { type StreamContext, type StreamItem, stream } from "./stream-method.js";

export const afterSeq = z.number().int().min(-1).default(-1);

/** Every event of a run's log, in order. */
export const streamRunEvents = stream({
  scope: "run:read",
  params: z.strictObject({ runId: z.string().min(1), afterSeq }),
  async open(params, ctx) {
    const { run, db } = await ctx.parts.workspace.findRun(params.runId);
    const { runId, nextSeq } = run;
    const newestSeq = nextSeq - 1;
    refuseUnknownSeq(params.afterSeq, newestSeq);
    return {
      answer: { runId, afterSeq: params.afterSeq, newestSeq },
      items: eventItems(ctx, { db, runId, afterSeq: params.afterSeq, newestSeq }),
    };
  },
});

interface Reading {
  db: ServiceDb;
  runId: string;
  afterSeq: number;
  newestSeq: number;
}

/** The events; a gap where some are left out or not there any more; the end. */
async function* eventItems(ctx: StreamContext, reading: Reading): AsyncGenerator<StreamItem, void> {
  const { db, runId, newestSeq } = reading;
  const oldest = newestSeq - ctx.parts.options.eventWindowSize;
  let seq = Math.max(reading.afterSeq, oldest);
  if (seq > reading.afterSeq) yield await gapItem(db, { runId, fromSeq: reading.afterSeq + 1, toSeq: seq });
  for await (const items of ctx.feeds.read(db, { runId, afterSeq: seq, signal: ctx.signal })) {
    for (const item of items) {
      if (item.seq > seq + 1) yield await gapItem(db, { runId, fromSeq: seq + 1, toSeq: item.seq - 1 });
      yield eventItem(runId, item);
      seq = item.seq;
    }
  }
  if (!ctx.signal.aborted) yield await endItem(db, { runId, seq });
}

function eventItem(runId: string, { seq, json }: FeedItem): StreamItem {
  return { event: "run.event", seq, json: `{"runId":${JSON.stringify(runId)},"event":${json}}` };
}

async function gapItem(
  db: ServiceDb,
  gap: { runId: string; fromSeq: number; toSeq: number },
): Promise<StreamItem> {
  const snapshot = await getRun(db, gap.runId);
  return { event: "run.gap", seq: gap.toSeq, json: JSON.stringify({ ...gap, snapshot }) };
}

/** @param at number of the last event */
export async function endItem(db: ServiceDb, at: { runId: string; seq: number }): Promise<StreamItem> {
  const { runId, seq } = at;
  const { status, nextRunId } = await requireRun(db.store, runId);
  return { event: "run.end", seq, json: JSON.stringify({ runId, status, nextRunId }) };
}

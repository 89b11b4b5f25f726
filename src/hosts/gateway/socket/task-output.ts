import { z } from "zod";
import { taskOutput } from "../../../operations/index.js";
import type { ServiceDb } from "../../../store/index.js";
import { refuseUnknownSeq } from "../../http/known-seq.js";
import { afterSeq, endItem } from "./run-events.js";
import { type StreamContext, type StreamItem, stream } from "./stream-method.js";

/** Output of a run's tasks and agents. */
export const streamTaskOutput = stream({
  scope: "run:read",
  params: z.strictObject({ runId: z.string().min(1), nodeId: z.string().min(1).optional(), afterSeq }),
  async open(params, ctx) {
    const { run, db } = await ctx.parts.workspace.findRun(params.runId);
    const newestSeq = run.nextSeq - 1;
    refuseUnknownSeq(params.afterSeq, newestSeq);
    return { answer: { runId: run.runId, newestSeq }, items: outputItems(ctx, db, params) };
  },
});

async function* outputItems(
  ctx: StreamContext,
  db: ServiceDb,
  params: { runId: string; nodeId?: string | undefined; afterSeq: number },
): AsyncGenerator<StreamItem, void> {
  let seq = params.afterSeq;
  for await (const text of taskOutput(ctx.feeds, db, { ...params, signal: ctx.signal })) {
    if (text.kind === "delta") {
      yield { event: "task.delta", seq, json: JSON.stringify({ ...text.delta, lossy: true }) };
    } else {
      const { type: _type, ...output } = text.output;
      seq = text.seq;
      yield { event: "task.output", seq, json: JSON.stringify(output) };
    }
  }
  if (!ctx.signal.aborted) yield await endItem(db, { runId: params.runId, seq });
}

import { z } from "zod";
import { type ListedKind, taskOutput } from "../../../operations/index.js";
import type { ServiceDb } from "../../../store/index.js";
import { refuseUnknownSeq } from "../../http/known-seq.js";
import { type GatewayScope, hasScope } from "../caller.js";
import { afterSeq, endItem, streamRunEvents } from "./run-events.js";
import { stream, type StreamContext, type StreamItem, type StreamMethod } from "./stream-method.js";

/** Output of a run's tasks and agents. */
const streamTaskOutput = stream({
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

/** Which scope lets a caller list them. */
const LISTED: Readonly<Record<ListedKind, GatewayScope>> = {
  runs: "run:read",
  approvals: "run:read",
  schedules: "cron:read",
  webhooks: "run:read",
  workflows: "run:read",
};

/** Which runs, approvals, schedules, webhooks and workflows have changed, so that lists need no polling. */
const streamWorkspace = stream({
  scope: "run:read",
  params: z.strictObject({}),
  async open(_params, ctx) {
    const kinds = (Object.keys(LISTED) as ListedKind[]).filter((kind) => hasScope(ctx.caller, LISTED[kind]));
    return { answer: { kinds }, items: changeItems(ctx, kinds) };
  },
});

async function* changeItems(
  { changes, parts, signal }: StreamContext,
  kinds: readonly ListedKind[],
): AsyncGenerator<StreamItem, void> {
  const { workspace } = parts;
  let seq = 0;
  while (!signal.aborted) {
    // With a new database it begins anew: its lists have not been looked at.
    const begin = new AbortController();
    const request = {
      kinds,
      signal: AbortSignal.any([signal, begin.signal]),
      onWorkflows: (hear: (keys: readonly string[]) => void) =>
        workspace.onPut(({ key, isNewDatabase }) => {
          hear([key]);
          if (isNewDatabase) begin.abort();
        }),
    };
    const stores = workspace.databases().map(({ store }) => store);
    for await (const change of changes.read(stores, request)) {
      yield { event: "workspace.changed", seq, json: JSON.stringify(change) };
      seq += 1;
    }
  }
}

/** Streams that a WebSocket opens, by name; docs/gateway.md lists them. HTTP has none. */
export const STREAMS: Readonly<Record<string, StreamMethod>> = {
  streamRunEvents,
  streamTaskOutput,
  streamWorkspace,
};

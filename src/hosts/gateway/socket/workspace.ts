import { z } from "zod";
import type { ChangedKind } from "../../../store/index.js";
import { type GatewayScope, hasScope } from "../caller.js";
import { type StreamContext, type StreamItem, stream } from "./stream-method.js";

/** Which scope lets a caller list them. */
const LISTED: Readonly<Record<ChangedKind, GatewayScope>> = {
  runs: "run:read",
  approvals: "run:read",
  schedules: "cron:read",
};

/** Which runs, approvals and schedules have changed, so that lists need no polling. */
export const streamWorkspace = stream({
  scope: "run:read",
  params: z.strictObject({}),
  async open(_params, ctx) {
    const kinds = (Object.keys(LISTED) as ChangedKind[]).filter((kind) => hasScope(ctx.caller, LISTED[kind]));
    return { answer: { kinds }, items: changeItems(ctx, kinds) };
  },
});

async function* changeItems(
  { changes, parts, signal }: StreamContext,
  kinds: readonly ChangedKind[],
): AsyncGenerator<StreamItem, void> {
  const stores = parts.workspace.databases().map(({ store }) => store);
  let seq = 0;
  for await (const change of changes.read(stores, { kinds, signal })) {
    yield { event: "workspace.changed", seq, json: JSON.stringify(change) };
    seq += 1;
  }
}

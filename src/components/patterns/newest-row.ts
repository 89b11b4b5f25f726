import type { WorkflowContext } from "../../model/context.js";
import type { OutputRow, OutputTarget } from "../../model/schema.js";

/**
 * The newest row of a node in one of the composite's own loops. Unlike `ctx.latest`, it leaves out what the node
 * made in earlier rounds of a loop around the composite, which begins anew in each of them.
 */
export function newestRow(
  ctx: WorkflowContext,
  output: OutputTarget,
  { nodeId, loop }: { nodeId: string; loop: string },
): OutputRow | undefined {
  for (let iteration = ctx.iterations[loop] ?? 0; iteration >= 0; iteration -= 1) {
    const row = ctx.outputMaybe(output, { nodeId, iteration });
    if (row !== undefined) return row;
  }
  return undefined;
}

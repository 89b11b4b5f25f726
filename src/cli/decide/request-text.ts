import type { ApprovalRow } from "../../model/approval.js";
import type { RunRow } from "../../model/run.js";
import { factLine } from "../output/fact-line.js";
import type { Colors } from "../output/styles.js";
import { forText } from "../output/times.js";
import { taskName } from "../output/task-name.js";
import { visibleLine } from "../output/visible-text.js";

/** A request as the person who decides has to see it: nothing that was asked is left out. */
export function requestText(
  row: ApprovalRow,
  {
    run,
    askedBy,
    colors,
    nowMs,
  }: {
    run: Pick<RunRow, "runId" | "workflowName">;
    /** The user who started the run; null when unknown. */
    askedBy: string | null;
    colors: Colors;
    nowMs: number;
  },
): string {
  const { request, options, mode, nodeId, iteration } = row;
  const lines = [`${colors.yellow("?")} ${colors.bold(visibleLine(request.title))}`];
  const fact = (name: string, value: string | undefined) => {
    if (value !== undefined && value !== "") lines.push(factLine(name, value, colors));
  };
  fact("summary", request.summary);
  for (const [name, value] of Object.entries(request.metadata ?? {})) {
    fact(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  fact("task", taskName({ nodeId, iteration }));
  fact("run", `${run.runId} (${run.workflowName})`);
  fact("asked by", askedBy ?? undefined);
  fact("waiting", forText(row.requestedAtMs, nowMs));
  fact("only", row.allowedUsers?.join(", "));
  fact("scopes", row.allowedScopes?.join(", "));
  fact("hash", row.requestHash);
  if (options !== null && options.length > 0) {
    lines.push(colors.dim(mode === "rank" ? "  to rank, best first" : "  options"));
    for (const { key, label, summary, metadata } of options) {
      lines.push(
        `    ${colors.cyan(visibleLine(key))}  ${visibleLine(label)}${summary === undefined ? "" : colors.dim(`  ${visibleLine(summary)}`)}${metadata === undefined ? "" : colors.dim(`  ${visibleLine(JSON.stringify(metadata))}`)}`,
      );
    }
  }
  return lines.join("\n");
}

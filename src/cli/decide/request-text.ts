import type { ApprovalRow } from "../../model/approval.js";
import type { RunRow } from "../../model/run.js";
import type { Colors } from "../output/stream.js";
import { forText } from "../output/times.js";

/** A request as the person who decides has to see it: nothing that was asked is left out. */
export function requestText(
  row: ApprovalRow,
  { run, colors, nowMs }: { run: RunRow; colors: Colors; nowMs: number },
): string {
  const { request, options, mode, nodeId, iteration } = row;
  const lines = [`${colors.yellow("?")} ${colors.bold(request.title)}`];
  const fact = (name: string, value: string | undefined) => {
    if (value !== undefined && value !== "")
      lines.push(`  ${colors.dim(name.padEnd(9))} ${indentRest(value)}`);
  };
  fact("summary", request.summary);
  for (const [name, value] of Object.entries(request.metadata ?? {})) {
    fact(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  fact("task", `${nodeId}${iteration > 0 ? ` #${iteration}` : ""}`);
  fact("run", `${run.runId} (${run.workflowName})`);
  fact("asked by", run.config.auth?.triggeredBy);
  fact("waiting", forText(row.requestedAtMs, nowMs));
  fact("only", row.allowedUsers?.join(", "));
  fact("scopes", row.allowedScopes?.join(", "));
  if (options !== null && options.length > 0) {
    lines.push(colors.dim(mode === "rank" ? "  to rank, best first" : "  options"));
    for (const { key, label, summary } of options) {
      lines.push(
        `    ${colors.cyan(key)}  ${label}${summary === undefined ? "" : colors.dim(`  ${summary}`)}`,
      );
    }
  }
  return lines.join("\n");
}

function indentRest(text: string): string {
  return text.replaceAll("\n", `\n${" ".repeat(12)}`);
}

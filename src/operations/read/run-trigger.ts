import type { RunRow } from "../../model/run.js";

/** What began a run. */
export interface RunTrigger {
  /**
   * `cron`: a schedule that was due; `webhook`: what came to one; `run`: the run that it is a child of, or continues;
   * `gateway`: a call of a gateway; `cli`: a workflow file that a terminal was given; `program`: code, which named no file.
   */
  kind: "cron" | "webhook" | "run" | "gateway" | "cli" | "program";
  /** Whose credentials, which webhook's key, or which run; null where that is not known. */
  by: string | null;
}

/** Hosts begin the names that they give with these words, which no user may have. */
const BY_HOST = /^(cron|webhook):(.*)$/s;

export function runTriggerOf({ parentRunId, workflowPath, config }: RunRow): RunTrigger {
  if (parentRunId !== null) return { kind: "run", by: parentRunId };
  const by = config.auth?.triggeredBy ?? null;
  const [, host, name] = BY_HOST.exec(by ?? "") ?? [];
  if (host === "cron") return { kind: "cron", by: null };
  if (host === "webhook") return { kind: "webhook", by: name ?? null };
  if (config.launch !== undefined) return { kind: "gateway", by };
  return { kind: workflowPath === null ? "program" : "cli", by };
}

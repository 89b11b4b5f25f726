import { appendFileSync, existsSync, readFileSync } from "node:fs";

/**
 * What tasks really did, kept outside the database: one line per execution of a
 * task's function, and one per output that the engine has acknowledged. Lines are
 * short and appended in one call each, so processes that die leave whole lines.
 */
export interface TrailLine {
  what: "ran" | "acknowledged";
  runId: string;
  nodeId: string;
  iteration: number;
  attempt: number;
  pid: number;
}

export function leaveTrail(path: string, line: Omit<TrailLine, "pid">): void {
  appendFileSync(path, `${JSON.stringify({ ...line, pid: process.pid })}\n`);
}

export function readTrail(path: string): TrailLine[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as TrailLine);
}

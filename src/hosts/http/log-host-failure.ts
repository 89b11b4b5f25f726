import { serviceLog } from "../../observability/log/service-log.js";

/** The default handler of hosts for failures that are no client's; null: a request, or a database. */
export function logHostFailure(
  runId: string | null,
  { message, ...error }: Error & { code?: unknown },
): void {
  const text = runId === null ? "request failed" : "run could not be driven on";
  serviceLog.log("Error", text, { runId: runId ?? undefined, code: error.code, error: message });
}

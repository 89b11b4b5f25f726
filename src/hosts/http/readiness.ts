import type { Context } from "hono";
import { clientError } from "../../operations/index.js";
import type { ServiceDb } from "../../store/index.js";

/** Whether a host can work now, as `/health` says it. */
export interface Readiness {
  ok: boolean;
  ready: boolean;
  /** Absent while it can. The message, which names files, is in the log. */
  error?: { code: string };
}

/** Reads a word of each database: a host is ready when all of them answer. Never rejects. */
export async function readinessOf(databases: Iterable<ServiceDb>): Promise<Readiness> {
  for (const { store } of databases) {
    try {
      await store.changeToken();
    } catch (thrown) {
      return { ok: false, ready: false, error: { code: clientError(thrown).code } };
    }
  }
  return { ok: true, ready: true };
}

/** Answers with 503 for a host that is not ready: a load balancer leaves it out. */
export function healthResponse<T extends Readiness>(c: Context, health: T): Response {
  return c.json(health, health.ready ? 200 : 503);
}

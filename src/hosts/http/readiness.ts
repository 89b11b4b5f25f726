import { ServiceError } from "../../errors/service-error.js";
import { clientError } from "../../operations/index.js";
import type { ServiceDb, Store } from "../../store/index.js";
import { ownTimeout } from "../../util/own-timers.js";
import { jsonResponse } from "./json-response.js";

/** A server that is away is waited for much longer where work needs it. */
const LIMIT_MS = 2_000;
/** No run has it. */
const NO_RUN = "";

/** Whether a host can work now, as `/health` says it. */
export interface Readiness {
  ok: boolean;
  ready: boolean;
  /** Absent while it can. The message, which names files, is in the log. */
  error?: { code: string };
}

/** Reads a word of each database: a host is ready when all of them answer, each within two seconds. Never rejects. */
export async function readinessOf(databases: Iterable<ServiceDb>): Promise<Readiness> {
  for (const { store } of databases) {
    try {
      await answer(store);
    } catch (thrown) {
      return { ok: false, ready: false, error: { code: clientError(thrown).code } };
    }
  }
  return { ok: true, ready: true };
}

async function answer(store: Store): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = ownTimeout(
      () =>
        reject(new ServiceError("DB_CONNECTION_LOST", `The database has not answered for ${LIMIT_MS} ms.`)),
      LIMIT_MS,
    );
  });
  const asked = async () => {
    // Where a server tells its news, this is known without it.
    await store.changeToken();
    await store.getRun(NO_RUN);
  };
  try {
    await Promise.race([asked(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Answers with 503 for a host that is not ready: a load balancer leaves it out. */
export function healthResponse<T extends Readiness>(health: T): Response {
  return jsonResponse(health, { status: health.ready ? 200 : 503 });
}

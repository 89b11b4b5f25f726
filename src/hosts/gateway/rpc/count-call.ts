import { httpStatusOf } from "../../../errors/codes.js";
import { ensureError } from "../../../errors/ensure-error.js";
import { serviceMetrics } from "../../../metrics/catalog.js";
import { clientError } from "../../../operations/index.js";
import { monotonicMs } from "../../../util/monotonic-ms.js";
import type { GatewayParts } from "../gateway-parts.js";
import { isMethodName } from "./method-names.js";

/** Of a WebSocket alone. */
const OF_SOCKETS = ["connect", "stopStream"];

/** Counts and times a call of a method under its name; under `other` where the gateway knows no such name. */
export async function countCall<T>(
  { extensions }: GatewayParts,
  name: string,
  call: () => Promise<T>,
): Promise<T> {
  const begun = monotonicMs();
  let status = 200;
  try {
    return await call();
  } catch (thrown) {
    status = httpStatusOf(clientError(ensureError(thrown)).code);
    throw thrown;
  } finally {
    const isKnown = OF_SOCKETS.includes(name) || isMethodName(extensions, name);
    const method = isKnown ? name : "other";
    serviceMetrics.rpcRequests.add(1, { method, status_class: `${Math.floor(status / 100)}xx` });
    serviceMetrics.rpcRequestDurationMs.observe(monotonicMs() - begun, { method });
  }
}

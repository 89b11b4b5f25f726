import type { NamedLimits } from "../../model/named-limit.js";
import type { Lease } from "../../store/index.js";
import type { Awaitable } from "../../util/awaitable.js";
import type { EngineServices } from "../ports.js";
import { isAliveAt } from "../session/lease.js";

/**
 * Keeps what a run's workflow says of its limits while it is driven.
 * @param lease absent: only looks whether another run contradicts
 * @throws LIMIT_CONFLICT
 */
export function declareLimits(
  { store, clock }: Pick<EngineServices, "store" | "clock">,
  declared: NamedLimits,
  lease?: Lease,
): Awaitable<void> {
  if (Object.keys(declared).length === 0) return;
  const isAlive = isAliveAt(clock.now());
  return store.limits.declare({ declared, isAlive, ...(lease !== undefined && { lease }) });
}

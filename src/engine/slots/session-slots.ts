import type { TaskKey } from "../../model/address.js";
import type { RunSession } from "../session/session.js";
import { slotLimiterOf, type SlotTicket } from "./slot-limiter.js";

/** A task that is ready wants a slot; the scheduler is notified when there is one. */
export function requestSlot(session: RunSession, key: TaskKey, limits: readonly string[]): void {
  session.ticket ??= takeTicket(session);
  session.ticket.ask(key, limits);
}

function takeTicket({ services, lease, limits, mailbox }: RunSession): SlotTicket {
  const { store, clock, heartbeatMs, taskCap } = services;
  return slotLimiterOf(store).open({
    store,
    lease,
    declared: limits,
    clock,
    heartbeatMs,
    taskCap,
    onGrant: (key, granted) =>
      mailbox.post({ type: "scheduler", event: { type: "slot-granted", key, limits: granted } }),
    onError: (error) => mailbox.post({ type: "fenced", error }),
  });
}

import type { TaskKey } from "../../model/address.js";
import type { RunSession } from "../session/session.js";
import { slotDeskOf, type SlotSeat } from "./slot-desk.js";

/** A task that is ready wants a slot; the scheduler is told when there is one. */
export function requestSlot(session: RunSession, key: TaskKey, limits: readonly string[]): void {
  session.seat ??= takeSeat(session);
  session.seat.ask(key, limits);
}

function takeSeat({ services, lease, limits, mailbox }: RunSession): SlotSeat {
  const { store, clock, heartbeatMs, taskCap } = services;
  return slotDeskOf(store).open({
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

import { ServiceError } from "../../../errors/service-error.js";
import type { Clock } from "../../../util/clock.js";
import { OneAtATime } from "../../../util/one-at-a-time.js";
import type { MethodContext, RpcMethod } from "./method.js";

/** Calls that may wait for others of their kind. */
const MOST_WAITING = 64;

const lanes = new WeakMap<Clock, OneAtATime>();

/**
 * A method whose answer is made of a whole frame, or of a rendering. All such calls of a process come one after the
 * other, so that however many there are, runs and other clients get their turn in between.
 */
export function heavy<P, R>(method: RpcMethod<P, R>): RpcMethod<P, R> {
  return {
    ...method,
    async handle(params: P, ctx: MethodContext) {
      const lane = laneOf(ctx.workspace.clock);
      if (lane.isFull) {
        throw new ServiceError(
          "RATE_LIMITED",
          `${MOST_WAITING} calls that read whole frames wait for each other already.`,
        );
      }
      return lane.run(() => method.handle(params, ctx));
    },
  };
}

/** Work that keeps this process busy keeps all of its gateways busy. Processes have one clock but in tests. */
function laneOf(clock: Clock): OneAtATime {
  const known = lanes.get(clock) ?? new OneAtATime(clock, MOST_WAITING);
  lanes.set(clock, known);
  return known;
}

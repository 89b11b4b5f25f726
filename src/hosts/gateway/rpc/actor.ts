import { ServiceError } from "../../../errors/service-error.js";
import { isReservedName, RESERVED_NAMES } from "../../../model/user-names.js";
import { refuseOption } from "../../../options/check-options.js";
import { shorten } from "../../../util/bounded-text.js";
import type { Caller } from "../caller.js";

/**
 * In whose name a call is made; undefined without a name.
 * @throws FORBIDDEN for a name that is not the caller's own; INVALID_INPUT for a reserved one
 */
export function actorOf(
  caller: Caller,
  { option, claimed }: { option: string; claimed: string | undefined },
): string | undefined {
  if (!caller.isAuthenticated) {
    if (claimed !== undefined && isReservedName(claimed)) {
      refuseOption(option, `no name that the host gives (${RESERVED_NAMES})`, claimed);
    }
    return claimed;
  }
  if (claimed === undefined || claimed === caller.userId) return caller.userId ?? caller.triggeredBy;
  throw new ServiceError(
    "FORBIDDEN",
    `${option} is ${JSON.stringify(shorten(claimed, 80))}; the caller acts in its own name only.`,
    { details: { userId: caller.userId } },
  );
}

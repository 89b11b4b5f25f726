import { ServiceError } from "../../../errors/service-error.js";
import { isReservedName, RESERVED_NAMES } from "../../../model/user-names.js";

/** Why credentials are refused, for programs. */
export type TokenRefusal = "missing" | "unknown" | "expired" | "revoked" | "early" | "invalid";

/** @throws UNAUTHORIZED */
export function refuseToken(message: string, reason: TokenRefusal): never {
  throw new ServiceError("UNAUTHORIZED", message, { details: { reason } });
}

/** @throws UNAUTHORIZED for a name that stands for no user */
export function refuseReservedName(userId: string): void {
  if (isReservedName(userId))
    refuseToken(`No user can have a name that the host gives: ${RESERVED_NAMES}.`, "invalid");
}

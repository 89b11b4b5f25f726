import { ServiceError } from "../../../errors/service-error.js";

/** Why credentials are refused, for programs. */
export type TokenRefusal = "missing" | "unknown" | "expired" | "revoked" | "early" | "invalid";

/** @throws UNAUTHORIZED */
export function refuseToken(message: string, reason: TokenRefusal): never {
  throw new ServiceError("UNAUTHORIZED", message, { details: { reason } });
}

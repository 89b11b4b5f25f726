import type { JWTPayload } from "jose";
import type { Caller } from "../caller.js";
import type { CheckedJwtAuth } from "./check-auth.js";
import { refuseReservedName, refuseToken } from "./refuse-token.js";
import { scopesIn } from "./scope-list.js";

/** Who a JSON Web Token says that its sender is, once it has been verified. */
export function jwtClaims(config: CheckedJwtAuth, now: () => number): (token: string) => Promise<Caller> {
  const { issuer, audience, secret, clockSkewSeconds } = config;
  const { scopesClaim, roleClaim, userClaim, defaultRole, defaultScopes } = config;
  const key = new TextEncoder().encode(secret);
  const verify = async (token: string): Promise<JWTPayload> => {
    // Loaded by those who use it.
    const { errors, jwtVerify } = await import("jose");
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ["HS256"],
        issuer,
        audience,
        requiredClaims: ["exp"],
        clockTolerance: Math.max(0, clockSkewSeconds),
        currentDate: new Date(now()),
      });
      return payload;
    } catch (error) {
      return refuse(error, errors);
    }
  };
  return async (token) => {
    const claims = await verify(token);
    const userId = textClaim(claims, userClaim);
    if (userId !== undefined) refuseReservedName(userId);
    return {
      role: textClaim(claims, roleClaim) ?? defaultRole,
      scopes: Object.hasOwn(claims, scopesClaim) ? scopesIn(claims[scopesClaim]) : [...defaultScopes],
      userId: userId ?? null,
      tokenId: claims.jti ?? null,
      triggeredBy: userId ?? (claims.jti === undefined ? "gateway" : `token:${claims.jti}`),
      isAuthenticated: true,
    };
  };
}

function textClaim(claims: JWTPayload, name: string): string | undefined {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

function refuse(error: unknown, errors: typeof import("jose").errors): never {
  if (error instanceof errors.JWTExpired) refuseToken("The token has expired.", "expired");
  if (error instanceof errors.JWTClaimValidationFailed) {
    refuseToken(
      `The token's claim ${error.claim} is missing or not what it has to be.`,
      error.claim === "nbf" ? "early" : "invalid",
    );
  }
  refuseToken("The token is no JSON Web Token that this gateway's secret has signed with HS256.", "invalid");
}

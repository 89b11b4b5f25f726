import type { Case, Credentials } from "./credentials.js";

/** In everything that is to be kept from those who are not let in. */
export const SECRET = "only-for-those-who-are-let-in";

export interface Outcome {
  /** Of HTTP, or the code that a socket was closed with. */
  status: number;
  /** Everything that was received. */
  received: string;
}

/** A place where a host answers requests. */
export interface Surface {
  name: string;
  /** What each case is answered with. */
  statuses: Readonly<Record<Case, number>>;
  attempt(credentials: Credentials): Promise<Outcome>;
}

/** As most surfaces answer. */
export const USUAL: Readonly<Record<Case, number>> = {
  none: 401,
  wrong: 401,
  expired: 401,
  revoked: 401,
  "wrong scope": 403,
  "wrong origin": 403,
  right: 200,
};

/** Every known caller may ask, whatever their grants. */
export const ANY_GRANT: Readonly<Record<Case, number>> = { ...USUAL, "wrong scope": 200 };

/** A surface that is one HTTP request. */
export function httpSurface(
  name: string,
  url: string,
  {
    statuses = USUAL,
    body,
    method,
  }: { statuses?: Surface["statuses"]; body?: unknown; method?: string } = {},
): Surface {
  return {
    name,
    statuses,
    async attempt({ headers }) {
      const response = await fetch(url, {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: "manual",
      });
      return { status: response.status, received: await response.text() };
    },
  };
}

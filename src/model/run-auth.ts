/** Who started a run, as `ctx.auth`. */
export interface RunAuthContext {
  /** Who, in the words of the host that started it. */
  triggeredBy: string;
  /** What they are there; not interpreted. */
  role: string;
  /** What they may do; not interpreted. */
  scopes: string[];
  /** ISO 8601. */
  createdAt: string;
}

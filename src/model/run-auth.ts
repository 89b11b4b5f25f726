/** Who started a run, as `ctx.auth`. */
export interface RunAuthContext {
  /** Who, in the words of the host that started it. */
  triggeredBy: string;
  /** Their role there; not interpreted. */
  role: string;
  /** Their permissions; not interpreted. */
  scopes: string[];
  /** ISO 8601. */
  createdAt: string;
}

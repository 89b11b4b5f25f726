import type { Colors } from "./output/styles.js";

/** The report of a command, in both forms; the caller of the command chooses one. */
export interface Report {
  /** The one document that programs read: `--json`, `--format`. */
  readonly json: unknown;
  /**
   * The same for people, without a final line break; empty for nothing to print.
   * @param width columns that a line of a table may take
   */
  text(colors: Colors, width: number): string;
  /** @default 0 */
  readonly exitCode?: number;
}

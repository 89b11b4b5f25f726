import type { LongLoad } from "../../loader/load-workflow.js";
import type { Terminal } from "../terminal.js";

/** Says on stderr that a workflow file takes its time to load, instead of nothing at all. */
export function longLoadNotice({ err }: Terminal): LongLoad {
  return { notify: ({ message }) => err.line(`${err.colors.yellow("!")} ${message}`) };
}

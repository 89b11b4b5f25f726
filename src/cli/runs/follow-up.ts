import type { GlobalOptions } from "../command.js";
import { remedyCommand } from "../output/remedy-text.js";
import type { Colors } from "../output/styles.js";
import { createCommandText } from "./command-text.js";

/** What has to happen for something from outside to take effect. */
export interface FollowUp {
  /** `driven`: a living process takes it up. Otherwise `resume` says how to have it taken up. */
  readonly json: { driven: boolean; resume?: string };
  text(colors: Colors): string;
}

/** They hold nothing of a run while it waits, so nothing that is stored tells of them. */
const WAITING_PROCESSES = "up --wait, --detach or --hot, a gateway, supervise";

/** What becomes of what was just sent; if nobody drives the run, the command that makes it so. */
export function followUp(
  isDriven: boolean,
  { runId, options }: { runId: string; options: Pick<GlobalOptions, "db" | "gateway"> },
): FollowUp {
  if (isDriven) {
    return { json: { driven: true }, text: () => "  The process that drives the run takes it up." };
  }
  const resume = createCommandText(options)(remedyCommand({ action: "resume", runId }));
  return {
    json: { driven: false, resume },
    text: (colors) =>
      `  Nobody drives the run right now. A process that waits with it (${WAITING_PROCESSES}) takes it up by itself; otherwise: ${colors.cyan(resume)}`,
  };
}

import type { Remedy } from "../../model/remedy.js";
import { type Clock, systemClock } from "../../util/clock.js";
import { pause } from "../../util/pause.js";
import type { CommandCall } from "../command.js";
import { remedyCommand } from "../output/remedy-text.js";
import type { Colors } from "../output/styles.js";
import type { RunActions } from "../source/run-actions.js";
import { createCommandText, type FollowedCall } from "./command-text.js";

/** What has to happen for something from outside to take effect. */
export interface FollowUp {
  /** `driven`: a living process takes it up. Otherwise `resume` says how to have it taken up. */
  readonly json: { driven: boolean; resume?: string };
  text(colors: Colors): string;
}

/** They hold nothing of a run while it waits, so nothing that is stored tells of them. */
const WAITING_PROCESSES = "up --wait, --detach or --hot, a gateway, supervise";

/** Who waits with a run looks for answers at least every second, milliseconds. */
const TAKEN_WITHIN_MS = 1_500;
const LOOK_EVERY_MS = 50;

/**
 * Who takes up what was just sent: the process that drives the run, somebody who waited with it and has done so, nobody
 * that is known, or nobody in the time that anybody who waits would need.
 */
export type TakenUpBy = "driver" | "waiter" | "nobody" | "nobody-in-time";

/** What becomes of what was just sent; if no process drives the run, the command of `remedy`, which makes it so. */
export function followUp(by: TakenUpBy, { remedy, call }: { remedy: Remedy; call: FollowedCall }): FollowUp {
  if (by === "driver") {
    return { json: { driven: true }, text: () => "  The process that drives the run takes it up." };
  }
  if (by === "waiter") {
    return { json: { driven: true }, text: () => "  A process that waited with the run has taken it up." };
  }
  const resume = createCommandText(call)(remedyCommand(remedy));
  const why =
    by === "nobody-in-time"
      ? "Nobody drives the run, and nobody who waits with it has taken it up. To continue:"
      : `Nobody drives the run right now. A process that waits with it (${WAITING_PROCESSES}) takes it up by itself; otherwise:`;
  return { json: { driven: false, resume }, text: (colors) => `  ${why} ${colors.cyan(resume)}` };
}

/**
 * As followUp, of what a person or a program has just sent. Only a person is kept waiting until it shows
 * whether somebody waits with the run.
 */
export async function followUpOf(
  call: Pick<CommandCall, "terminal" | "options" | "documents">,
  actions: Pick<RunActions, "isDriven" | "isTakenUp" | "resumeRemedy">,
  runId: string,
): Promise<FollowUp> {
  const { terminal, documents } = call;
  const remedy = await actions.resumeRemedy(runId);
  if (await actions.isDriven(runId)) return followUp("driver", { remedy, call });
  const { isTakenUp } = actions;
  if (isTakenUp === undefined || !terminal.isInteractive || documents !== undefined) {
    return followUp("nobody", { remedy, call });
  }
  const isTaken = await takenUp(() => isTakenUp(runId));
  return followUp(isTaken ? "waiter" : "nobody-in-time", { remedy, call });
}

/** Whether it comes true while somebody who waits with the run would look. */
export async function takenUp(isTaken: () => Promise<boolean>, clock: Clock = systemClock): Promise<boolean> {
  const endsAtMs = clock.now() + TAKEN_WITHIN_MS;
  while (!(await isTaken())) {
    if (clock.now() >= endsAtMs) return false;
    await pause(clock, LOOK_EVERY_MS);
  }
  return true;
}

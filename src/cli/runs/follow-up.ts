import { remedyCommand } from "../../operations/index.js";
import type { Remedy } from "../../model/remedy.js";
import { type Clock, systemClock } from "../../util/clock.js";
import { pause } from "../../util/pause.js";
import type { CommandCall } from "../command.js";
import type { Colors } from "../output/styles.js";
import type { Place } from "../source/place.js";
import { createCommandText, type FollowedCall } from "./command-text.js";

/** The step that makes a sent answer take effect. */
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
 * Who takes up a sent answer: the process that drives the run, a process that waited with it and has done so, no
 * process that is known, none in the time that a waiting process would need, or none at all: it is held until a resume.
 */
export type TakenUpBy = "driver" | "waiter" | "no-process" | "none-in-time" | "held";

const WHY = {
  "none-in-time":
    "No process drives the run, and no process that waits with it has taken it up. To continue:",
  "no-process": `No process drives the run right now. A process that waits with it (${WAITING_PROCESSES}) takes it up by itself; otherwise:`,
  held: "It is paused, and no process takes it up by itself. To continue:",
} as const;

/** The follow-up of a sent answer; if no process drives the run, the command of `remedy`, which makes it so. */
export function followUp(by: TakenUpBy, { remedy, call }: { remedy: Remedy; call: FollowedCall }): FollowUp {
  if (by === "driver") {
    return { json: { driven: true }, text: () => "  The process that drives the run takes it up." };
  }
  if (by === "waiter") {
    return { json: { driven: true }, text: () => "  A process that waited with the run has taken it up." };
  }
  const resume = createCommandText(call)(remedyCommand(remedy));
  return { json: { driven: false, resume }, text: (colors) => `  ${WHY[by]} ${colors.cyan(resume)}` };
}

/**
 * As followUp, of an answer that a person or a program has just sent. Only a person is kept waiting until it shows
 * whether a process waits with the run.
 */
export async function followUpOf(
  call: Pick<CommandCall, "terminal" | "options" | "documents">,
  place: Pick<Place, "isDriven" | "isTakenUp" | "resumeRemedy">,
  runId: string,
): Promise<FollowUp> {
  const { terminal, documents } = call;
  const remedy = await place.resumeRemedy(runId);
  if (await place.isDriven(runId)) return followUp("driver", { remedy, call });
  const { isTakenUp } = place;
  if (isTakenUp === undefined || !terminal.isInteractive || documents !== undefined) {
    return followUp("no-process", { remedy, call });
  }
  const isTaken = await takenUp(() => isTakenUp(runId));
  return followUp(isTaken ? "waiter" : "none-in-time", { remedy, call });
}

/** Whether it comes true in the time in which a process that waits with the run would look. */
export async function takenUp(isTaken: () => Promise<boolean>, clock: Clock = systemClock): Promise<boolean> {
  const endsAtMs = clock.now() + TAKEN_WITHIN_MS;
  while (!(await isTaken())) {
    if (clock.now() >= endsAtMs) return false;
    await pause(clock, LOOK_EVERY_MS);
  }
  return true;
}

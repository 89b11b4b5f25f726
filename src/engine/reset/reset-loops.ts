import { shapeOf, type TaskKey } from "../../model/address.js";
import type { LoopState } from "../../model/plan.js";
import type { RunConfig } from "../../model/run.js";
import type { CompiledPlan } from "../../scheduler/compile.js";
import type { RunImage } from "../../store/contract.js";
import type { Reached } from "./reach.js";
import { compareRounds, type Round, roundsAround } from "./rounds.js";

/** The loops that a node is in, back at the node's rounds. */
export function rewoundLoops(image: RunImage, target: readonly Round[]): LoopState[] {
  return loopsOf(image).flatMap((control) => {
    const iteration = ownIteration(control, target);
    return iteration === undefined ? [] : [{ ...control, iteration, done: false, exhausted: false }];
  });
}

/** The node's own iteration of a loop, if it is in this very loop. */
function ownIteration(control: LoopState, target: readonly Round[]): number | undefined {
  const around = roundsAround(control.id);
  const own = target[around.length];
  const isOwn = own?.loop === shapeOf(control.id) && compareRounds(around, target) === 0;
  return isOwn ? own.iteration : undefined;
}

/** All loops as the reset leaves them: those that begin after the node, and those in its later rounds, begin anew. */
export function resetLoops(
  image: RunImage,
  about: { target: readonly Round[]; reached: Reached; plan: CompiledPlan; keys: ReadonlySet<TaskKey> },
): LoopState[] {
  const { target, reached, plan, keys } = about;
  const rewound = rewoundLoops(image, target);
  const own = new Set(rewound.map(({ id }) => id));
  // A block that dealt with a failure has ended its loops where they stood.
  const isReopened = (id: string) =>
    plan.loops.some((loop) => loop.plan.id === id && loop.tasks.some((key) => keys.has(key)));
  const others = loopsOf(image).flatMap((control) => {
    if (own.has(control.id)) return [];
    const order = compareRounds(roundsAround(control.id), target);
    if (order > 0 || (order === 0 && isAfter(control.id, reached)))
      return [begun(control.id, image.run.config)];
    return isReopened(control.id) ? [{ ...control, done: false, exhausted: false }] : [];
  });
  return [...rewound, ...others];
}

function isAfter(id: string, { loops }: Reached): boolean {
  return loops.has(shapeOf(id)) || roundsAround(id).some(({ loop }) => loops.has(loop));
}

function begun(id: string, { initialIterations, initialIteration }: RunConfig): LoopState {
  const iteration = initialIterations?.[id] ?? initialIteration ?? 0;
  return { kind: "loop", id, iteration, done: false, exhausted: false };
}

function loopsOf(image: RunImage): LoopState[] {
  return image.controls.filter((control) => control.kind === "loop");
}

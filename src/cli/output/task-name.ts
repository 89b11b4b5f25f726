import type { TaskPlace } from "../../model/address.js";

/** `build`, or `build #2` in a loop. */
export function taskName({ nodeId, iteration }: TaskPlace): string {
  return iteration > 0 ? `${nodeId} #${iteration}` : nodeId;
}

/** Rounds of one task that follow each other, from so many on, are named by the first and the last. */
const LEAST_FOLDED = 3;

/** The tasks in their order: `plan`, `step … step #41 (42)`, `review`. */
export function taskNames(places: readonly TaskPlace[]): string[] {
  const names: string[] = [];
  for (let first = 0; first < places.length; ) {
    let end = first + 1;
    while (follows(places[end - 1] as TaskPlace, places[end])) end += 1;
    const rounds = places.slice(first, end);
    if (rounds.length < LEAST_FOLDED) names.push(...rounds.map(taskName));
    else
      names.push(
        `${taskName(rounds[0] as TaskPlace)} … ${taskName(rounds.at(-1) as TaskPlace)} (${rounds.length})`,
      );
    first = end;
  }
  return names;
}

function follows(before: TaskPlace, place: TaskPlace | undefined): boolean {
  return place?.nodeId === before.nodeId && place.iteration === before.iteration + 1;
}

import { type RefObject, useLayoutEffect, useState } from "react";
import type { GatewayMethods } from "../../client/index.js";
import type { ListedRun } from "./selection.js";

type RunList = GatewayMethods["listRuns"]["result"];

const NONE: ReadonlySet<string> = new Set();

/**
 * The list without runs that would push others away under the reader's hand: while the pointer or the keyboard is in it, rows are
 * chosen, or it is scrolled, what is new waits until it is asked for. What is shown stays up to date.
 * @param place where the list is drawn
 * @param isHeld it is not to move, for a reason of the caller's
 */
export function useSteadyRuns(
  list: RunList | undefined,
  place: RefObject<HTMLElement | null>,
  isHeld: boolean,
): { runs: readonly ListedRun[]; waiting: number; admit(): void } {
  const [known, setKnown] = useState(NONE);
  const all = list?.runs ?? [];
  const admit = () => setKnown(new Set(all.map(({ runId }) => runId)));
  // Before it is drawn: what may come in comes at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new answer is looked at once.
  useLayoutEffect(() => {
    if (known.size === 0 || (!isHeld && !isInUse(place.current))) admit();
  }, [list]);
  const end = all.findLastIndex(({ runId }) => known.has(runId));
  const runs = all.filter(({ runId }, at) => at > end || known.has(runId));
  return { runs, waiting: all.length - runs.length, admit };
}

function isInUse(place: HTMLElement | null): boolean {
  if (place === null) return false;
  return window.scrollY > 0 || place.matches(":hover") || place.contains(document.activeElement);
}

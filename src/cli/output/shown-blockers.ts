import { type Blocker, type BlockerGroup, groupBlockers } from "../../operations/index.js";
import { withFix } from "./remedy-text.js";

/** Of one kind that are shown at most. */
const MOST_SHOWN = 10;

/** A blocker with the command that removes it. */
export type WordedBlocker = BlockerGroup & { fix?: string };

/** The blockers of a run, as people and programs see them. */
export interface ShownBlockers {
  /** By cause, failures and decisions first. */
  blockers: WordedBlocker[];
  /** Of kinds that there are too many of: how many are left out. Absent where all are there. */
  omittedBlockers?: Partial<Record<Blocker["kind"], number>>;
}

export function shownBlockers(
  all: readonly Blocker[],
  commandText: (command: string) => string,
): ShownBlockers {
  const counts = new Map<Blocker["kind"], number>();
  const shown = groupBlockers(all).filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= MOST_SHOWN;
  });
  const omitted = [...counts].filter(([, count]) => count > MOST_SHOWN);
  return {
    blockers: shown.map((blocker) => withFix(blocker, commandText)),
    ...(omitted.length > 0 && {
      omittedBlockers: Object.fromEntries(omitted.map(([kind, count]) => [kind, count - MOST_SHOWN])),
    }),
  };
}

import type { PanelTally } from "../../model/panel-tally.js";

type Ballot = PanelTally["votes"][number]["vote"];

/** The vote of one panelist. */
export interface Vote {
  readonly by: string;
  readonly vote: Ballot;
}

/**
 * Counts, most votes first, what was voted for first before others with as many. There is a decision where one
 * vote has at least `minAgree` and more than any other: a tie is none.
 */
export function countVotes(
  ballots: readonly Vote[],
  minAgree: number,
): Pick<PanelTally, "votes" | "agreed" | "decision"> {
  const counted = new Map<string, { vote: Ballot; by: string[] }>();
  for (const { by, vote } of ballots) {
    // 1 and "1" are two votes.
    const key = JSON.stringify(vote);
    const known = counted.get(key);
    if (known === undefined) counted.set(key, { vote, by: [by] });
    else known.by.push(by);
  }
  const votes = [...counted.values()]
    .map(({ vote, by }) => ({ vote, count: by.length, by }))
    .sort((one, other) => other.count - one.count);
  const [first, second] = votes;
  const agreed = first !== undefined && first.count >= minAgree && first.count !== second?.count;
  return { votes, agreed, decision: agreed ? first.vote : null };
}

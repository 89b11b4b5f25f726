import { describe, expect, it } from "vitest";
import { countVotes, type Vote } from "../../../src/components/patterns/count-votes.js";
import fc, { propertyRuns } from "../../support/property-tests.js";

const ballots = (...votes: Vote["vote"][]): Vote[] => votes.map((vote, index) => ({ by: `p${index}`, vote }));

describe("the votes of a panel", () => {
  it("are decided by what most have voted for, if enough have", () => {
    expect(countVotes(ballots("a", "b", "a"), 2)).toEqual({
      votes: [
        { vote: "a", count: 2, by: ["p0", "p2"] },
        { vote: "b", count: 1, by: ["p1"] },
      ],
      agreed: true,
      decision: "a",
    });
    expect(countVotes(ballots("a", "b", "a"), 3)).toMatchObject({ agreed: false, decision: null });
  });

  it("are no decision when two have as many", () => {
    expect(countVotes(ballots("a", "b"), 1)).toMatchObject({ agreed: false, decision: null });
    expect(countVotes(ballots("a", "b", "b", "a", "c"), 1)).toMatchObject({ agreed: false, decision: null });
  });

  it("may agree on no, which is a decision", () => {
    expect(countVotes(ballots(false, false, true), 2)).toMatchObject({ agreed: true, decision: false });
  });

  it("are of different things when their types differ", () => {
    expect(countVotes(ballots(1, "1", true, "true"), 1).votes).toHaveLength(4);
  });

  it("come to the same in any order, save for who is named first", () => {
    const vote = fc.constantFrom("a", "b", "c");
    fc.assert(
      fc.property(
        fc.array(vote, { minLength: 1, maxLength: 9 }),
        fc.integer({ min: 1, max: 9 }),
        (votes, needed) => {
          const [there, back] = [votes, votes.toReversed()].map((each) =>
            countVotes(ballots(...each), needed),
          );
          expect(back?.decision).toBe(there?.decision);
          const most = Math.max(...["a", "b", "c"].map((each) => votes.filter((one) => one === each).length));
          const leaders = ["a", "b", "c"].filter(
            (each) => votes.filter((one) => one === each).length === most,
          );
          expect(there?.agreed).toBe(leaders.length === 1 && most >= needed);
        },
      ),
      propertyRuns(500),
    );
  });
});

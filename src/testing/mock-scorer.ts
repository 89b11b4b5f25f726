import { ServiceError } from "../errors/service-error.js";
import type { ScoreAddress, Scorer, ScorerInput, ScoreResult } from "../model/scorer.js";
import { runScorer } from "../scorers/run-scorer.js";

/** A call as the mock of a scorer sees it. */
export interface MockScorerCall extends Omit<ScoreAddress, "source"> {
  /** The scorer's input. */
  input: ScorerInput;
}

/**
 * The answers of a mock of a scorer: the same for every output, a list for one output after the other (the last
 * repeats), or a function of the call. One that throws is a score that failed.
 */
export type MockScorer =
  | ScoreResult
  | readonly ScoreResult[]
  | ((call: MockScorerCall) => ScoreResult | Promise<ScoreResult>);

/** The scorer of a mock. `onLie` is called when it answers as no scorer may: a mock that lies proves nothing. */
export function toScorer(
  { id, name, description }: Scorer,
  mock: MockScorer,
  about: {
    place: Omit<MockScorerCall, "input">;
    calls: MockScorerCall[];
    onLie(error: ServiceError): void;
  },
): Scorer {
  const { place, calls, onLie } = about;
  return {
    id,
    name,
    description,
    async score(input) {
      const earlier = calls.filter(({ scorerId }) => scorerId === id).length;
      const call: MockScorerCall = { ...place, input };
      calls.push(call);
      const said = await answerOf(mock, call, earlier);
      const score = (said as Partial<ScoreResult> | null)?.score;
      if (typeof score === "number" && (score < 0 || score > 1)) {
        const message = `The mock for the scorer ${id} answered the score ${score}; a number from 0 to 1 is expected.`;
        throw lie(onLie, new ServiceError("INVALID_OUTPUT", message, { details: { scorerId: id } }));
      }
      return runScorer({ id, name, description, score: async () => said }, input).catch((error) => {
        throw lie(onLie, error);
      });
    },
  };
}

function lie(onLie: (error: ServiceError) => void, error: ServiceError): ServiceError {
  onLie(error);
  return error;
}

function answerOf(
  mock: MockScorer,
  call: MockScorerCall,
  earlier: number,
): ScoreResult | Promise<ScoreResult> {
  if (typeof mock === "function") return mock(call);
  if (!Array.isArray(mock)) return mock as ScoreResult;
  return mock[Math.min(earlier, mock.length - 1)] as ScoreResult;
}

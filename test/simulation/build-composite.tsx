import type { ReactElement } from "react";
import { Poller, ReviewLoop } from "treadle";
import { z } from "zod";
import { writtenId } from "../../src/model/address.js";
import type { AgentLike } from "../../src/model/agent.js";
import type { CompositePlan } from "../support/random-workflows/composites.js";
import { TOKENS } from "../support/random-workflows/generate.js";
import type { AttemptPlace, FailureCount } from "./attempt-place.js";

/** The rows of the composites, one table for each kind of row. */
export const compositeSchemas = {
  check: z.object({ satisfied: z.boolean() }),
  review: z.object({ approved: z.boolean() }),
  work: z.object({ node: z.string(), seen: z.int() }),
};

type Row = Record<string, unknown>;

interface Asked {
  nodeId: string;
  iteration: number;
  prompt: string;
}

export function compositeElement(plan: CompositePlan, failures: FailureCount): ReactElement {
  const { id, size, goodAt, max: maxIterations, onMax: onMaxReached, skip: skipIf } = plan;
  /** Answers by what it is asked, after as many failures as the plan says. */
  const agent = (answer: (asked: Asked) => Row): AgentLike => ({
    id: "mock",
    supportsNativeStructuredOutput: true,
    generate: async (args) => {
      const place = args?.taskContext as unknown as AttemptPlace;
      if (failures(place) < plan.fails) throw new Error(`${place.nodeId} fails as scripted`);
      return {
        output: answer({ ...place, nodeId: writtenId(place.nodeId), prompt: args?.prompt ?? "" }),
        usage: { inputTokens: TOKENS - 1, outputTokens: 1 },
      };
    },
  });
  const isGood = ({ iteration }: Asked) => iteration >= goodAt;
  /** What rows of others it was shown is in its row. */
  const worker = agent(({ nodeId, prompt }) => ({ node: nodeId, seen: prompt.length }));
  const many = <T,>(one: T): T[] => Array.from({ length: size }, () => one);
  switch (plan.of) {
    case "Poller":
      return (
        <Poller
          id={id}
          check={agent((asked) => ({ satisfied: isGood(asked) }))}
          checkOutput="check"
          maxAttempts={maxIterations}
          backoff={(["fixed", "linear", "exponential"] as const)[plan.way]}
          onTimeout={onMaxReached}
          skipIf={skipIf}
        >
          Is it there?
        </Poller>
      );
    case "ReviewLoop":
      return (
        <ReviewLoop
          id={id}
          producer={worker}
          reviewer={many(agent((asked) => ({ approved: isGood(asked) })))}
          produceOutput="work"
          reviewOutput="review"
          maxIterations={maxIterations}
          onMaxReached={onMaxReached}
          skipIf={skipIf}
        >
          Make it good.
        </ReviewLoop>
      );
    default:
      return plan.of satisfies never;
  }
}

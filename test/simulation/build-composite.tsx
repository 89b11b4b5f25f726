import type { ReactElement } from "react";
import { Poller } from "treadle";
import { z } from "zod";
import { writtenId } from "../../src/model/address.js";
import type { AgentLike } from "../../src/model/agent.js";
import type { CompositePlan } from "../support/random-workflows/composites.js";
import { TOKENS } from "../support/random-workflows/generate.js";
import type { AttemptPlace, FailureCount } from "./attempt-place.js";

/** The rows of the composites, one table for each kind of row. */
export const compositeSchemas = {
  check: z.object({ satisfied: z.boolean() }),
};

type Row = Record<string, unknown>;

export function compositeElement(plan: CompositePlan, failures: FailureCount): ReactElement {
  const { id, max: maxIterations, onMax: onMaxReached, skip: skipIf } = plan;
  /** Answers by the iteration and the node that it stands for, after as many failures as the plan says. */
  const agent = (answer: (iteration: number, nodeId: string) => Row): AgentLike => ({
    id: "mock",
    supportsNativeStructuredOutput: true,
    generate: async (args) => {
      const place = args?.taskContext as unknown as AttemptPlace;
      if (failures(place) < plan.fails) throw new Error(`${place.nodeId} fails as scripted`);
      return {
        output: answer(place.iteration, writtenId(place.nodeId)),
        usage: { inputTokens: TOKENS - 1, outputTokens: 1 },
      };
    },
  });
  switch (plan.of) {
    case "Poller":
      return (
        <Poller
          id={id}
          check={agent((iteration) => ({ satisfied: iteration >= plan.goodAt }))}
          checkOutput="check"
          maxAttempts={maxIterations}
          backoff={(["fixed", "linear", "exponential"] as const)[plan.way]}
          onTimeout={onMaxReached}
          skipIf={skipIf}
        >
          Is it there?
        </Poller>
      );
    default:
      return plan.of satisfies never;
  }
}

import { expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import type { ServiceError } from "../../src/errors/service-error.js";
import { outputs, rig } from "../support/render-workflow.js";

const { Task, Workflow } = components;

const scorer = { id: "style", name: "Style", description: "", score: async () => ({ score: 1 }) };

function refusal(scorers: unknown): ServiceError {
  try {
    rig(() => (
      <Workflow name="w">
        <Task id="a" output={outputs.note} scorers={scorers as never}>
          {{ text: "a" }}
        </Task>
      </Workflow>
    )).render();
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error("nothing was refused");
}

const cases: [scorers: unknown, place: string, expected: string][] = [
  [[], "scorers", "an object"],
  [{ style: scorer }, 'scorers["style"]', "only scorer, sampling, groundTruth and context"],
  [{ style: null }, 'scorers["style"]', "an object {scorer"],
  [{ style: { scorer: { ...scorer, id: "" } } }, 'scorers["style"].scorer.id', "a non-empty string"],
  [{ style: { scorer: { ...scorer, name: 5 } } }, 'scorers["style"].scorer.name', "a non-empty string"],
  [{ style: { scorer: { ...scorer, score: 1 } } }, 'scorers["style"].scorer.score', "a function"],
  [{ style: {} }, 'scorers["style"].scorer.id', "a non-empty string"],
  [{ style: { scorer, rate: 1 } }, 'scorers["style"].rate', "only scorer, sampling"],
  [{ style: { scorer, sampling: "all" } }, 'scorers["style"].sampling', '{type: "all"}'],
  [{ style: { scorer, sampling: { type: "some" } } }, 'scorers["style"].sampling', '{type: "all"}'],
  [{ style: { scorer, sampling: { type: "ratio" } } }, "sampling", "a rate from 0 to 1, not undefined"],
  [{ style: { scorer, sampling: { type: "ratio", rate: 1.5 } } }, "sampling", "from 0 to 1, not 1.5"],
  [{ style: { scorer, sampling: { type: "ratio", rate: Number.NaN } } }, "sampling", "from 0 to 1, not NaN"],
  [{ style: { scorer, groundTruth: () => 1 } }, 'scorers["style"].groundTruth', "plain JSON"],
  [{ style: { scorer, context: { at: new Map() } } }, 'scorers["style"].context', "plain JSON"],
  [{ one: { scorer }, two: { scorer } }, "scorers", '"one" and "two" have "style"'],
];

it.each(cases)(
  "scorers %j are refused in the first frame, naming the place and what is expected",
  (...each) => {
    const [scorers, place, expected] = each;
    const { code, message } = refusal(scorers);
    expect(code).toBe("INVALID_INPUT");
    expect(message).toContain(place);
    expect(message).toContain(expected);
    expect(message).toContain('"a"');
  },
);

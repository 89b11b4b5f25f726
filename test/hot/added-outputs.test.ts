import { expect, it } from "vitest";
import { z } from "zod";
import { AddedOutputs } from "../../src/hot/added-outputs.js";

const extra = z.object({ n: z.number() });

it("what is offered to several runs keeps its shape until none of them can adopt it any more", () => {
  const store = {};
  const [one, two] = [AddedOutputs.of(store), AddedOutputs.of(store)];
  const settleOne = one.offer({ extra });
  const settleTwo = two.offer({ extra });
  settleOne(false);
  settleOne(false);
  expect(two.schemas).toEqual({ extra });
  settleTwo(false);
  expect(one.schemas).toEqual({});
  expect(AddedOutputs.of({}).schemas).toEqual({});
});

it("what one run has adopted stays, whatever becomes of the offers to others", () => {
  const added = AddedOutputs.of({});
  const [settleOne, settleTwo] = [added.offer({ extra }), added.offer({ extra })];
  settleOne(true);
  settleTwo(false);
  added.offer({ extra })(false);
  expect(added.schemas).toEqual({ extra });
});

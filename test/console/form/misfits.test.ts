import { expect, it } from "vitest";
import { z } from "zod";
import { misfits, misfitText } from "../../../src/console/form/misfits.js";

const against = (schema: z.ZodType, value: unknown) =>
  misfits(z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }), value);

const order = z.object({
  size: z.number().min(2).lt(10),
  steps: z.array(z.object({ title: z.string().min(3) })).max(2),
  notify: z.discriminatedUnion("by", [
    z.object({ by: z.literal("mail"), to: z.array(z.email()).min(1) }),
    z.object({ by: z.literal("none") }),
  ]),
  limit: z.number().positive().nullable(),
});
const FITTING = { size: 2, steps: [{ title: "one" }], notify: { by: "none" }, limit: null };

it("says at each part what its schema does not allow, however deep it lies", () => {
  const value = { ...FITTING, size: 10, steps: [{ title: "one" }, { title: "a" }, { title: "two" }] };
  expect(against(order, value)).toEqual({
    size: "This has to be less than 10.",
    steps: "This has to have 2 items or fewer.",
    "steps[1].title": "This has to have 3 characters or more.",
  });
});

it("looks into the kind of a union that the value is of", () => {
  expect(against(order, FITTING)).toEqual({});
  expect(against(order, { ...FITTING, limit: 0, notify: { by: "mail", to: ["ada"] } })).toEqual({
    limit: "This has to be more than 0.",
    "notify.to[0]": "This has to be written like name@example.com",
  });
  expect(against(order, { ...FITTING, notify: { by: "mail", to: [] } })).toEqual({
    "notify.to": "This has to have 1 item or more.",
  });
});

it("follows references, also of a schema to itself", () => {
  const tree = z.object({
    name: z.string().max(4),
    get children() {
      return z.array(tree);
    },
  });
  const value = { name: "root", children: [{ name: "too long", children: [] }] };
  expect(against(tree, value)).toEqual({ "children[0].name": "This has to have 4 characters or fewer." });
});

it("leaves types, and what has to be there, to the gateway", () => {
  expect(against(order, { ...FITTING, size: "2", limit: undefined })).toEqual({});
  expect(misfits(null, { any: 1 })).toEqual({});
  expect(misfits({ $ref: "#/nowhere" }, 1)).toEqual({});
});

it("puts all of it in a sentence, for who writes JSON", () => {
  expect(misfitText({ "steps[1].title": "This has to have 3 characters or more." })).toBe(
    "The input does not fit. steps[1].title: This has to have 3 characters or more.",
  );
});

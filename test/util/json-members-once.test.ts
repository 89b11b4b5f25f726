import { expect, it } from "vitest";
import { holdsTooManyMembers } from "../../src/util/json-members.js";

it("the names of a value that holds too many are listed once", () => {
  let listings = 0;
  const many = new Proxy(Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`k${at}`, at])), {
    ownKeys(target) {
      listings += 1;
      return Reflect.ownKeys(target);
    },
  });
  expect([holdsTooManyMembers(many), holdsTooManyMembers(many)]).toEqual([true, true]);
  expect(listings).toBe(1);
});

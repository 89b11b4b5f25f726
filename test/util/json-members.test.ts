import { describe, expect, it } from "vitest";
import { holdsTooManyMembers, isTooManyMembers } from "../../src/util/json-members.js";

const dictionary = (names: number) =>
  Object.fromEntries(Array.from({ length: names }, (_, index) => [`name${index}`, index]));
const numbers = (items: number) => Array.from({ length: items }, () => 1);

describe("JSON that has too many members to be taken apart beside other work", () => {
  it.each<[string, unknown]>([
    ["50,001 names in one object", dictionary(50_001)],
    ["the same some levels down", [{ deep: [dictionary(50_001)] }]],
    ["50,001 empty objects", Array.from({ length: 50_001 }, () => ({}))],
    ["50,001 empty lists", Array.from({ length: 50_001 }, () => [])],
    ["500,002 numbers", numbers(500_002)],
    ["numbers in several lists", [numbers(300_000), numbers(300_000)]],
  ])("%s", (_name, value) => {
    expect(isTooManyMembers(JSON.stringify(value))).toBe(true);
    expect(holdsTooManyMembers(value)).toBe(true);
    expect(isTooManyMembers(JSON.stringify(value, null, 1))).toBe(true);
  });

  it.each<[string, unknown]>([
    ["40,000 names", dictionary(40_000)],
    ["400,000 numbers", numbers(400_000)],
    ["a long text of commas, colons and brackets", { text: ',:{["\\'.repeat(200_000) }],
    ["bytes", new Uint8Array(600_000)],
    ["nothing", undefined],
  ])("is not %s", (_name, value) => {
    if (value !== undefined && !ArrayBuffer.isView(value)) {
      expect(isTooManyMembers(JSON.stringify(value))).toBe(false);
    }
    expect(holdsTooManyMembers(value)).toBe(false);
  });
});

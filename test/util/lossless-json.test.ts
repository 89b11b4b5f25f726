import { describe, expect, it } from "vitest";
import { losslessJson, reportLoss } from "../../src/util/lossless-json.js";

const failing = {
  get member() {
    throw new Error("no");
  },
};

describe("lossless JSON", () => {
  it("is the JSON of a value that it keeps", () => {
    expect(losslessJson({ a: [1, undefined], b: undefined })).toEqual({ json: '{"a":[1,null]}' });
  });

  it("of a value that it would not keep is reported with place and kind", () => {
    const answer = losslessJson({ a: [new Map()] });
    expect(answer).toEqual({ loss: { path: "a[0]", what: "a Map" } });
    expect("loss" in answer && reportLoss(answer.loss)).toBe(' "a[0]" is a Map.');
  });

  it("does not exist of nothing, nor of what fails when it is read", () => {
    expect(losslessJson(undefined)).toEqual({ loss: { path: "", what: "undefined" } });
    expect(losslessJson(failing)).toMatchObject({ loss: { path: "" }, cause: new Error("no") });
    expect(reportLoss({ path: "", what: "a Map" })).toBe(" It is a Map.");
  });
});

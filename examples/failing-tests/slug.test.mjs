import assert from "node:assert/strict";
import { test } from "node:test";
import { freeSlug, slugOf } from "./slug.mjs";

test("letters become small", () => {
  assert.equal(slugOf("Weaving"), "weaving");
});

test("every space becomes a dash", () => {
  assert.equal(slugOf("How to weave"), "how-to-weave");
});

test("punctuation goes", () => {
  assert.equal(slugOf("Looms, old and new!"), "looms-old-and-new");
});

test("the third of one name gets a 3", () => {
  assert.equal(freeSlug("Looms", ["looms", "looms-2"]), "looms-3");
});

import { expect, it } from "vitest";
import { publicDeclarations } from "./support/docstrings.js";
import { renderReference } from "./support/reference.js";

it("docs/reference.md names all that the package exports", async () => {
  await expect(
    renderReference(publicDeclarations()),
    "docs/reference.md is out of date: run `npm run docs:reference` and commit the result",
  ).toMatchFileSnapshot("../../docs/reference.md");
});

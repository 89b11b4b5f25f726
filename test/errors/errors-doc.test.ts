import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { errorFamilies } from "../../src/errors/codes.js";
import { renderErrorsDoc } from "../../src/errors/render-errors-doc.js";
import { docsUrlOf } from "../../src/errors/docs-url.js";

describe("docs/errors.md", () => {
  it("is what the code tables render to", async () => {
    await expect(
      renderErrorsDoc(),
      "docs/errors.md is out of date: run `npm run docs:errors` and commit the result",
    ).toMatchFileSnapshot("../../docs/errors.md");
  });

  it("has exactly one heading for the anchor of every code's docsUrl", () => {
    const anchors =
      renderErrorsDoc()
        .match(/^#{1,6} .+$/gm)
        ?.map((line) => line.replace(/^#+ /, "").toLowerCase()) ?? [];
    for (const code of Object.values(errorFamilies).flatMap(Object.keys)) {
      const anchor = docsUrlOf(code).split("#")[1];
      expect(
        anchors.filter((candidate) => candidate === anchor),
        code,
      ).toHaveLength(1);
    }
  });

  it("is what docsUrl points at in this installation", () => {
    const text = readFileSync(fileURLToPath(docsUrlOf("RUN_NOT_FOUND").split("#")[0] ?? ""), "utf8");
    expect(text).toContain("### RUN_NOT_FOUND\n");
  });

  it("links to the section of every family", () => {
    const page = renderErrorsDoc();
    const targets = [...page.matchAll(/\]\(#([^)]+)\)/g)].map((match) => match[1]);
    const sections = [...page.matchAll(/^## (.+)$/gm)].map((match) => match[1]?.toLowerCase());
    expect(targets).toEqual(sections);
    expect(sections).toHaveLength(Object.keys(errorFamilies).length);
  });

  it("tells for each code when it occurs, what to do, whether it is retried, and its HTTP status", () => {
    const entry = renderErrorsDoc().split("### RUN_STILL_RUNNING\n")[1]?.split("\n#")[0];
    expect(entry).toContain(`**When:** ${errorFamilies.Runs.RUN_STILL_RUNNING.when}.`);
    expect(entry).toContain(`**Next:** ${errorFamilies.Runs.RUN_STILL_RUNNING.next}`);
    expect(entry).toContain("Retried: yes · HTTP: 409");
  });

  it("gives the defaults of a code that the table leaves silent: retried, status 500", () => {
    const entry = renderErrorsDoc().split("### TASK_TIMEOUT\n")[1]?.split("\n#")[0];
    expect(entry).toContain("Retried: yes · HTTP: 500");
  });
});

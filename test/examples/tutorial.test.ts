import { symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Workspace } from "../cli/support/treadle.js";
import { commandsIn, EXAMPLES, exampleFiles, wordsOf } from "./support/example-files.js";

const examples = exampleFiles();

/** Commands that start a run that ends by itself. */
const complete = examples.flatMap(({ header }) =>
  commandsIn(header).filter(
    (command) => /^npx treadle (up|graph|openapi) /.test(command) && !/--(run-id|resume)/.test(command),
  ),
);

describe("the examples", () => {
  it("are numbered from 1 without gaps", () => {
    expect(examples.map(({ file }) => Number.parseInt(file, 10))).toEqual(
      Array.from(examples, (_, index) => index + 1),
    );
  });

  it.each(examples)("$file says what it teaches and how to run it", ({ file, header }) => {
    expect(header.trim().startsWith(`${Number.parseInt(file, 10)}. `)).toBe(true);
    expect(commandsIn(header)[0]).toContain(`examples/${file}`);
  });

  it.each(examples)("$file imports the library by its name", ({ text }) => {
    expect(text).toMatch(/ from "treadle";/);
    expect(text).not.toMatch(/ from "\.\.\//);
  });

  it.each(complete)("%s", async (command) => {
    const workspace = new Workspace();
    symlinkSync(EXAMPLES, workspace.path("examples"));
    const { code, stderr, stdout } = await workspace.treadle(wordsOf(command).slice(2));
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).not.toBe("");
  });
});

import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { createCommandText } from "../../src/cli/runs/command-text.js";
import { shellWord } from "../../src/util/shell-word.js";
import { treadleCommand } from "../../src/util/treadle-command.js";
import fc, { propertyRuns } from "../support/property-tests.js";
import { ACTS_ON_TERMINAL, HOSTILE_TEXTS } from "./support/hostile-text.js";

/** The words that bash takes a command line for. */
function wordsOf(command: string): string[] {
  const { stdout } = spawnSync("bash", ["-c", `treadle() { printf '%s\\0' "$@"; }; ${command}`]);
  return stdout.toString("utf8").split("\0").slice(0, -1);
}

/** Without what no argument of a process can hold. */
const argument = (text: string) => Buffer.from(text.replaceAll("\0", "")).toString();

describe("a suggested command", () => {
  it.each([
    "it's",
    "$(touch /tmp/owned)",
    "`id`; rm -rf ~",
    "a && b | c > d",
    "line\nbreak\tand \\ back\\slash 'quoted'",
    "=ls",
    "~",
    "",
    ...Object.values(HOSTILE_TEXTS),
  ])("passes %j on as it is when pasted", (text) => {
    const word = argument(text);
    const command = treadleCommand("approve", ["run 1", word], { scope: word, iteration: 2 });
    expect(wordsOf(command)).toEqual(["approve", "run 1", word, "--scope", word, "--iteration", "2"]);
    expect(command).not.toMatch(ACTS_ON_TERMINAL);
    expect(command).not.toContain("\n");
  });

  it("takes no id for an option", () => {
    const command = treadleCommand("approve", ["r1", "--yes"], { scope: "ops" });
    expect(wordsOf(command)).toEqual(["approve", "--scope", "ops", "--", "r1", "--yes"]);
    expect(
      wordsOf(
        createCommandText({
          options: { db: "a b.db" },
          terminal: { runner: "treadle", cwd: "/", environment: {} },
        })(command),
      ),
    ).toEqual(["--db", "a b.db", "approve", "--scope", "ops", "--", "r1", "--yes"]);
  });

  it("quotes any word", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 8 }).map(argument), (word) => {
        const quoted = shellWord(word);
        expect(quoted).not.toMatch(ACTS_ON_TERMINAL);
        expect(quoted).toMatch(/^(?:[\w./:@%+,-][\w./:@%+=,-]*|\$?'(?:[^']|\\')*'(?:\\''[^']*')*)$/su);
      }),
      propertyRuns(2_000),
    );
  });
});

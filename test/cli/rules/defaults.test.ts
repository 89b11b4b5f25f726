import { expect, it } from "vitest";
import { callIn } from "../support/in-process.js";

interface Option {
  flags: string;
  description: string;
  default?: unknown;
}

interface Manifest {
  options: Option[];
  commands: { name: string; options: Option[] }[];
}

/** Options with a value that stand for nothing at all when they are left out. Any other one tells its default. */
const WITHOUT = new Set([
  // Where: these choose a place that is not chosen otherwise, and what to keep of a document.
  ...["--gateway", "--token", "--filter-output", "--cursor", "--after", "--after-frame"],
  // Which: without them nothing is left out.
  ...["--workflow", "--node", "--type", "--scorer", "--state", "--older-than", "--namespace", "--waits-for"],
  ...["--text", "--annotation"],
  ...["--include", "--exclude", "--name-prefix"],
  // More: what is added to a run, a decision or a message.
  ...[
    "--set",
    "--reset",
    "--label",
    "--run-id",
    "--annotations",
    "--config",
    "--writable",
    "--log-dir",
    "--note",
    "--scope",
  ],
  ...["--correlation", "--reason", "--select", "--rank", "--data", "--pattern"],
]);

/** The same of options that have a default in other commands. */
const WITHOUT_HERE = new Set([
  "treadle ps --status",
  "treadle scores --iteration",
  ...["cancel", "retry", "prune"].map((name) => `treadle ${name} --limit`),
]);

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ");

it("every option with a default shows it, in the help and as data", async () => {
  const { options, commands } = JSON.parse((await callIn("/", ["--llms", "--json"])).stdout) as Manifest;
  const silent: string[] = [];
  const used = new Set<string>();
  for (const { name, options: own } of [{ name: "treadle", options }, ...commands]) {
    const { stdout } = await callIn("/", [...name.split(" ").slice(1), "--help"]);
    const help = oneLine(stdout);
    for (const { flags, description, default: value } of own) {
      if (!/[<[]/.test(flags)) continue;
      const long = /--[a-z-]+/.exec(flags)?.[0] as string;
      if (value !== undefined) {
        const [, after = ""] = help.split(oneLine(description));
        expect(after, `${name} ${long}`).toMatch(/^ \([^)]*\bdefault: /);
      }
      const isReported = value !== undefined || /\bdefault: \S/.test(description);
      if (isReported) continue;
      if (WITHOUT.has(long)) used.add(long);
      else if (WITHOUT_HERE.has(`${name} ${long}`)) used.add(`${name} ${long}`);
      else silent.push(`${name} ${long}`);
    }
  }
  expect(silent).toEqual([]);
  expect([...WITHOUT, ...WITHOUT_HERE].filter((each) => !used.has(each))).toEqual([]);
});

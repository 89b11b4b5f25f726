import { describe, expect, it } from "vitest";
import { callIn } from "./support/in-process.js";

interface Manifest {
  options: { flags: string }[];
  commands: { name: string; options: { flags: string }[] }[];
}

const lettersOf = (options: { flags: string }[]) =>
  options.flatMap(({ flags }) => {
    const [letter, name] = flags.split(/, | /);
    return letter !== undefined && /^-\w$/.test(letter) ? [[letter, name as string] as const] : [];
  });

describe("a letter", () => {
  it("stands for one option over all commands, and the option has it wherever it is known", async () => {
    const { stdout } = await callIn(process.cwd(), ["--llms", "--json"]);
    const { commands, options } = JSON.parse(stdout) as Manifest;
    const names = new Map<string, Set<string>>();
    for (const all of [options, ...commands.map((command) => command.options)]) {
      for (const [letter, name] of lettersOf(all))
        names.set(letter, (names.get(letter) ?? new Set()).add(name));
    }
    for (const [letter, found] of names) expect([...found], letter).toHaveLength(1);
    const letterOf = new Map([...names].map(([letter, [name]]) => [name as string, letter]));
    for (const { name: command, options: own } of commands) {
      for (const { flags } of own) {
        const name = /--[a-z-]+/.exec(flags)?.[0] as string;
        const letter = letterOf.get(name);
        if (letter !== undefined) expect(flags.startsWith(`${letter}, `), `${command} ${flags}`).toBe(true);
      }
    }
    expect(Object.fromEntries(letterOf)).toMatchObject({ "--node": "-n", "--input": "-i" });
  });

  it.each([
    [["cancel", "-n"], "--dry-run"],
    [["prune", "-n"], "--dry-run"],
    [["supervise", "-n"], "--dry-run"],
    [["approve", "r", "-n"], "--dry-run"],
    [["retry-task", "r", "t", "-n"], "--dry-run"],
    [["node", "r", "t", "-i", "2"], "--iteration"],
    [["output", "r", "t", "-i2"], "--iteration"],
    [["hijack", "r", "-i", "2"], "--iteration"],
    [["graph", "a.tsx", "-f", "xml"], "--format"],
    [["supervise", "-c", "2"], "--max-concurrent"],
  ])("that meant something else in %j is refused with the name", async (argv, name) => {
    const { code, stderr } = await callIn(process.cwd(), argv);
    expect(code).toBe(4);
    expect(stderr).toContain(`here it is ${name}`);
  });
});

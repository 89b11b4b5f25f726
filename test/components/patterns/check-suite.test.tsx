import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../support/temporary-folder.js";

const { Workflow, CheckSuite, service, outputs } = createService({
  output: z.object({
    passed: z.boolean(),
    passCount: z.int(),
    total: z.int(),
    results: z.record(z.string(), z.boolean()),
  }),
});

type Props = Parameters<typeof CheckSuite>[0];
const passes = { run: () => ({ passed: true }) };
const fails = { run: () => ({ passed: false }) };
const breaks = {
  run: () => {
    throw new Error("The checker is broken.");
  },
};

const suite = (props: Partial<Props> & Pick<Props, "checks">) =>
  service(() => (
    <Workflow name="suite">
      <CheckSuite id="s" verdictOutput={outputs.output} {...props} />
    </Workflow>
  ));

describe("a CheckSuite", () => {
  it.each([
    ["all-pass", { a: passes, b: passes }, true],
    ["all-pass", { a: passes, b: fails }, false],
    ["majority", { a: passes, b: fails }, false],
    ["majority", { a: passes, b: fails, c: passes }, true],
    ["any-pass", { a: fails, b: passes }, true],
    ["any-pass", { a: fails, b: breaks }, false],
  ] as const)("decides by %s", async (strategy, checks, passed) => {
    const run = testWorkflow(suite({ checks, strategy }));
    expect((await run.run()).output).toMatchObject({ passed, total: Object.keys(checks).length });
  });

  it("says which checks passed: not those that say so, nor those that broke down", async () => {
    const says = (row: Record<string, unknown>) => ({ run: () => row as { passed: boolean } });
    const run = testWorkflow(
      suite({
        checks: {
          passed: says({ passed: true }),
          ok: says({ ok: true }),
          not: says({ passed: false }),
          notOk: says({ ok: false }),
          failed: says({ failed: true }),
          error: says({ error: "no" }),
          noError: says({ error: null }),
          silent: says({ note: "I looked." }),
          broken: breaks,
        },
        strategy: "any-pass",
      }),
    );
    expect((await run.run()).output).toEqual({
      passed: true,
      passCount: 3,
      total: 9,
      results: {
        passed: true,
        ok: true,
        not: false,
        notOk: false,
        failed: false,
        error: false,
        noError: true,
        silent: false,
        broken: false,
      },
    });
  });

  it("asks agents, and any text may be the id of a check", async () => {
    const agent = { id: "critic", generate: async () => ({}) };
    const run = testWorkflow(
      suite({
        checks: [
          { id: "sound?", agent, prompt: "Is it sound?" },
          { id: "b", agent, label: "looks good" },
        ],
      }),
      { agents: { "s-sound:3f": { passed: true, reason: null }, "s-b": { passed: false, reason: "Ugly." } } },
    );
    expect((await run.run()).output).toMatchObject({ results: { "sound?": true, b: false } });
    expect(run.prompt("s-sound:3f")).toBe("Is it sound?");
    expect(run.prompt("s-b")).toContain("looks good");
  });

  it("runs commands in the folder of the run, by the rules of the bash tool", async () => {
    const rootDir = temporaryFolder("suite");
    const run = testWorkflow(
      suite({
        checks: {
          green: { command: "pwd && touch here" },
          red: { command: "echo not good; exit 3" },
          pull: { command: "git pull" },
        },
        maxConcurrency: 1,
      }),
      { options: { rootDir } },
    );
    expect((await run.run()).output).toMatchObject({ results: { green: true, red: false, pull: false } });
    const rows = Object.fromEntries((await run.tasks()).map((task) => [task.nodeId, task]));
    expect(rows["s-green"]?.output).toMatchObject({ exitCode: 0, output: `${rootDir}\n` });
    expect(rows["s-red"]?.output).toMatchObject({ passed: false, exitCode: 3, output: "not good\n" });
    expect(rows["s-pull"]?.state).toBe("failed");
  });

  it("fails the run where a check breaks down and must not", async () => {
    const run = testWorkflow(
      suite({ checks: { a: { run: () => Promise.reject(new TypeError("broken")) } }, continueOnFail: false }),
    );
    await run.run();
    expect(run.result).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("broken") },
    });
  });

  it("asks a check that breaks down no more often for failing the run", async () => {
    const asked = { function: 0, agent: 0 };
    const fails = (kind: keyof typeof asked) => async () => {
      asked[kind] += 1;
      throw new Error(`no network, ${asked[kind]}`);
    };
    for (const check of [
      { run: fails("function") },
      { agent: { id: "checker", generate: fails("agent") }, prompt: "Is it sound?" },
    ]) {
      const run = testWorkflow(suite({ checks: { a: check }, continueOnFail: false }));
      await run.run();
      await run.advance("10m");
      expect(run.result.status).toBe("failed");
    }
    expect(asked).toEqual({ function: 1, agent: 2 });
  });

  it.each<[string, Props["checks"], string]>([
    ["no checks", [], "checks={[]}; expected a list of checks with at least one entry"],
    ["no checks by id", {}, "expected a list of checks with at least one entry"],
    [
      "two of one id",
      [
        { id: "a", ...passes },
        { id: "a", ...passes },
      ],
      'checks[1].id="a"; expected one that no entry of checks before it has',
    ],
    ["the id of the verdict", [{ id: "verdict", ...passes }], "checks[0]"],
    ["nothing to do", [{ id: "a" }], "exactly one of agent, command and run"],
    ["two things to do", [{ id: "a", ...passes, command: "true" }], "exactly one of agent, command and run"],
    ["an empty command", { a: { command: " " } }, 'checks.a.command=" "; expected a command to run'],
    [
      "a field of no check",
      { a: { ...passes, strict: true } as never },
      "checks.a={an object}; expected a check {agent?",
    ],
    ["a text under an id", { a: "npm test" as never }, 'checks.a="npm test"; expected a check {agent?'],
    ["nothing under an id", { a: null as never }, "checks.a={null}; expected a check {agent?"],
    ["nothing to do under an id", { a: {} }, "checks.a={an object}; expected a check with exactly one of"],
    ["the id of the verdict as a key", { verdict: passes }, "checks.verdict={an object}; expected an id"],
    ["a check that is none", [null] as never, "checks[0]={null}; expected a check {id, agent?"],
  ])("refuses %s in the first frame", async (_what, checks, message) => {
    const refusal = await testWorkflow(suite({ checks }))
      .run()
      .catch((error) => error);
    expect(refusal).toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringMatching(/^<CheckSuite id="s">/),
    });
    expect(refusal.message).toContain(message);
  });
});

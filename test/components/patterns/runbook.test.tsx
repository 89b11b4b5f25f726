import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../support/temporary-folder.js";

const { Workflow, Runbook, Parallel, service, outputs } = createService({
  step: z.object({ step: z.string(), output: z.string(), exitCode: z.int() }),
  work: z.object({ text: z.string() }),
});

type Props = Parameters<typeof Runbook>[0];
const agent = { id: "agent", generate: async () => ({}) };

const book = (props: Partial<Props> & Pick<Props, "steps">) =>
  service(() => (
    <Workflow name="book">
      <Runbook id="r" stepOutput={outputs.step} {...props} />
    </Workflow>
  ));

function folder(): string {
  return temporaryFolder("runbook");
}

const states = async (run: ReturnType<typeof testWorkflow>) =>
  Object.fromEntries((await run.tasks()).map(({ nodeId, state }) => [nodeId, state]));

describe("a Runbook", () => {
  it("runs commands in order, in the folder of the run, and waits for people before risky ones", async () => {
    const rootDir = folder();
    const run = testWorkflow(
      book({
        steps: [
          { id: "note", command: "echo one >> log; echo noted", risk: "safe" },
          { id: "delete", command: "echo two >> log", risk: "critical", label: "Delete it all" },
        ],
      }),
      { options: { rootDir } },
    );
    expect((await run.run()).status).toBe("waiting-approval");
    expect(readFileSync(join(rootDir, "log"), "utf8")).toBe("one\n");
    const asked = (await run.events()).find(({ event }) => event.type === "ApprovalRequested");
    expect(asked?.event).toMatchObject({
      nodeId: "r-delete-approval",
      request: {
        title: "Approve the critical step Delete it all?",
        summary: "Delete it all: echo two >> log",
        metadata: { step: "delete", risk: "critical", elevated: true },
      },
    });
    expect((await run.approve("r-delete-approval")).status).toBe("finished");
    expect(readFileSync(join(rootDir, "log"), "utf8")).toBe("one\ntwo\n");
    const rows = (await run.tasks()).map(({ nodeId, output }) => [nodeId, output]);
    expect(Object.fromEntries(rows)).toMatchObject({
      "r-note": { step: "note", output: "noted\n", exitCode: 0 },
      "r-delete-approval": { approved: true },
    });
  });

  it("fails when a step is denied, or skips that step alone", async () => {
    const steps = [
      { id: "one", agent, risk: "risky" as const, output: outputs.work },
      { id: "two", agent, risk: "safe" as const, output: outputs.work },
    ];
    const agents = { "r-two": { text: "done" } };
    const strict = testWorkflow(book({ steps }), { agents });
    await strict.run();
    await strict.deny("r-one-approval");
    expect(strict.result).toMatchObject({ status: "failed", error: { code: "APPROVAL_DENIED" } });

    const lenient = testWorkflow(book({ steps, onDeny: "skip" }), { agents });
    await lenient.run();
    await lenient.deny("r-one-approval");
    expect(lenient.result.status).toBe("finished");
    expect(await states(lenient)).toEqual({
      "r-one-approval": "skipped",
      "r-one": "skipped",
      "r-two": "finished",
    });
  });

  it("stops at a command that ends with an error, without giving it again", async () => {
    const rootDir = folder();
    const run = testWorkflow(
      book({
        steps: [
          { id: "bad", command: "echo tried >> log; echo oh no; exit 7", risk: "safe" },
          { id: "never", command: "echo never >> log", risk: "safe" },
        ],
      }),
      { options: { rootDir } },
    );
    await run.run();
    expect(run.result).toMatchObject({
      status: "failed",
      error: {
        code: "TOOL_COMMAND_FAILED",
        message: expect.stringMatching(/"bad" ended with exit code 7[^]*oh no/),
      },
    });
    expect(readFileSync(join(rootDir, "log"), "utf8")).toBe("tried\n");
  });

  it("keeps the rules of the bash tool", async () => {
    const run = testWorkflow(book({ steps: [{ id: "push", command: "git push", risk: "safe" }] }));
    await run.run();
    expect(run.result.error).toMatchObject({ code: "TOOL_GIT_REMOTE_DISABLED" });
  });

  it("asks the agent of a step, also what its command says, and else the default one", async () => {
    const run = testWorkflow(
      book({
        stepOutput: outputs.work,
        defaultAgent: agent,
        steps: [
          { id: "a b/c", risk: "safe", label: "Look around" },
          { id: "own", agent, command: "kubectl drain", risk: "safe" },
        ],
      }),
      { agents: { "r-a:20b:2fc": { text: "x" }, "r-own": { text: "y" } } },
    );
    expect((await run.run()).status).toBe("finished");
    expect(run.prompt("r-a:20b:2fc")).toBe("Carry out this step: Look around");
    expect(run.prompt("r-own")).toBe("kubectl drain");
  });

  it("does not see the decisions of another one beside it", async () => {
    const steps = [{ id: "one", agent, risk: "risky" as const, output: outputs.work }];
    const run = testWorkflow(
      service(() => (
        <Workflow name="twins">
          <Parallel>
            <Runbook id="x" steps={steps} stepOutput="step" onDeny="skip" />
            <Runbook id="y" steps={steps} stepOutput="step" onDeny="skip" />
          </Parallel>
        </Workflow>
      )),
      { agents: { "y-one": { text: "done" } } },
    );
    await run.run();
    await run.deny("x-one-approval");
    await run.approve("y-one-approval");
    expect(await states(run)).toEqual({
      "x-one-approval": "skipped",
      "x-one": "skipped",
      "y-one-approval": "finished",
      "y-one": "finished",
    });
  });

  describe("refuses an output that cannot take the row of a command, before the first one runs,", () => {
    const touch = (id: string) => ({ id, command: `touch ${id}`, risk: "safe" }) as const;
    it.each<[string, Props["steps"], Partial<Props>, RegExp]>([
      ["as a schema object", [touch("a")], { stepOutput: outputs.work }, /stepOutput=.*step "a".*text: /],
      ["by its key", [touch("a")], { stepOutput: "work" as never }, /stepOutput="work".*step "a".*text: /],
      [
        "of a later step",
        [touch("a"), { ...touch("b"), output: "work" }],
        {},
        /steps\[1\]\.output=.*step "b"/,
      ],
    ])("%s", async (_what, steps, props, message) => {
      const rootDir = folder();
      const run = testWorkflow(book({ ...props, steps }), { options: { rootDir } });
      await expect(run.run()).rejects.toMatchObject({
        code: "INVALID_INPUT",
        message: expect.stringMatching(message),
      });
      expect(readdirSync(rootDir)).toEqual([]);
    });

    it("as a compile error", () => {
      const command = { id: "a", command: "true", risk: "safe" } as const;
      const asked = { ...command, agent };
      const elements = () => [
        // @ts-expect-error its rows have no field of a command
        <Runbook key="1" steps={[{ id: "a", command: "true", risk: "safe" }]} stepOutput={outputs.work} />,
        // @ts-expect-error neither has the step's own output
        <Runbook key="2" steps={[{ ...command, output: outputs.work }]} stepOutput={outputs.step} />,
        <Runbook key="3" steps={[{ ...command, output: outputs.step }]} stepOutput={outputs.work} />,
        <Runbook key="4" steps={[asked]} stepOutput={outputs.work} />,
        <Runbook
          key="5"
          steps={[{ id: "a", risk: "safe" }]}
          defaultAgent={agent}
          stepOutput={outputs.work}
        />,
      ];
      expect(elements).toBeTypeOf("function");
    });
  });

  describe("refuses in the first frame", () => {
    const safe = { id: "a", command: "true", risk: "safe" } as const;
    it.each<[string, Props["steps"], string]>([
      ["no steps", [], "steps={[]}; expected a list with at least one entry"],
      ["two of one id", [safe, safe], 'steps[1].id="a"; expected one that no entry of steps before it has'],
      ["a step for nobody", [{ id: "a", risk: "safe" }], "a command or an agent, or a defaultAgent"],
      [
        "an unknown risk",
        [{ ...safe, risk: "none" as "safe" }],
        'steps[0].risk="none"; expected one of safe, risky, critical',
      ],
      ["an empty command", [{ ...safe, command: "" }], "a command to run"],
      ["a field of no step", [{ ...safe, onDeny: "skip" } as never], "expected a step {id, agent?, command?"],
      ["a step that is none", [null as never], "steps[0]={null}; expected a step {id, agent?, command?"],
    ])("%s", async (_what, steps, message) => {
      await expect(testWorkflow(book({ steps })).run()).rejects.toMatchObject({
        code: "INVALID_INPUT",
        message: expect.stringContaining(message),
      });
    });
  });
});

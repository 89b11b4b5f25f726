import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const { Workflow, Supervisor, service, outputs } = createService({
  plan: z.object({
    tasks: z.array(z.object({ id: z.string(), workerType: z.string(), instructions: z.string() })),
  }),
  work: z.object({ text: z.string() }),
  review: z.object({ allDone: z.boolean(), retriable: z.array(z.string()), comment: z.string() }),
  loose: z.looseObject({}),
  output: z.object({ summary: z.string() }),
});

type Props = Parameters<typeof Supervisor>[0];
const agent = { id: "agent", generate: async () => ({}) };

const flow = (props: Partial<Props> = {}) =>
  service(() => (
    <Workflow name="supervised">
      <Supervisor
        id="s"
        boss={agent}
        workers={{ coder: agent, tester: agent, writer: agent }}
        planOutput={outputs.plan}
        workerOutput={outputs.work}
        reviewOutput={outputs.review}
        finalOutput={outputs.output}
        {...props}
      >
        Ship the page.
      </Supervisor>
    </Workflow>
  ));

const code = { id: "1", workerType: "coder", instructions: "Write the form." };
const more = { id: "2", workerType: "coder", instructions: "Write the button." };
const test = { id: "3", workerType: "tester", instructions: "Try the form." };
const done = { allDone: true, retriable: [], comment: "Good." };
const again = (...retriable: string[]) => ({ allDone: false, retriable, comment: "The form is empty." });

describe("a Supervisor", () => {
  it("lets the workers that the plan names do what it says, and sums up", async () => {
    const run = testWorkflow(flow(), {
      agents: {
        "s-plan": { tasks: [code, more, test] },
        "s-worker-coder": { text: "form" },
        "s-worker-tester": { text: "tried" },
        "s-review": done,
        "s-final": { summary: "Shipped." },
      },
    });
    expect((await run.run()).output).toEqual({ summary: "Shipped." });
    expect(run.calls.map(({ nodeId }) => nodeId)).toEqual([
      "s-plan",
      "s-worker-coder",
      "s-worker-tester",
      "s-review",
      "s-final",
    ]);
    expect(run.prompt("s-plan")).toMatch(/^Ship the page\.[^]*coder, tester, writer/);
    expect(run.prompt("s-worker-coder")).toBe("Write the form.\n\nWrite the button.");
    expect(run.prompt("s-worker-tester")).toBe("Try the form.");
    expect(run.prompt("s-review")).toContain('"text": "tried"');
    expect(run.prompt("s-final")).toMatch(/Ship the page[^]*"text": "form"[^]*Good\./);
  });

  it("gives out again what the review names, with what it said, until all is done", async () => {
    const run = testWorkflow(flow(), {
      agents: {
        "s-plan": { tasks: [code, test] },
        "s-worker-coder": [{ text: "empty" }, { text: "form" }],
        "s-worker-tester": { text: "tried" },
        "s-review": [again("1"), done],
        "s-final": { summary: "Shipped." },
      },
    });
    expect((await run.run()).status).toBe("finished");
    const calls = run.calls.map(({ nodeId, iteration }) => `${nodeId} ${iteration}`);
    expect(calls).toEqual([
      "s-plan 0",
      "s-worker-coder 0",
      "s-worker-tester 0",
      "s-review 0",
      "s-worker-coder 1",
      "s-review 1",
      "s-final 0",
    ]);
    expect(run.calls[4]?.prompt).toMatch(/Write the form\.[^]*"text": "empty"[^]*The form is empty\./);
  });

  it("gives out everything again when the review names nothing, at most maxIterations times", async () => {
    const run = testWorkflow(flow({ maxIterations: 2 }), {
      agents: {
        "s-plan": { tasks: [code, test] },
        "s-worker-coder": { text: "x" },
        "s-worker-tester": { text: "y" },
        "s-review": again(),
        "s-final": { summary: "Left." },
      },
    });
    expect(await run.run()).toMatchObject({ output: { summary: "Left." }, exhaustedLoops: ["s-loop"] });
    expect(run.calls).toHaveLength(8);
  });

  it("sums up at once when there is nothing to do", async () => {
    const run = testWorkflow(flow(), {
      agents: { "s-plan": { tasks: [] }, "s-final": { summary: "Nothing." } },
    });
    expect((await run.run()).output).toEqual({ summary: "Nothing." });
    expect(run.calls).toHaveLength(2);
  });

  it("reviews what is there when a worker fails", async () => {
    const run = testWorkflow(flow({ maxIterations: 1 }), {
      agents: {
        "s-plan": { tasks: [code, test] },
        "s-worker-coder": () => {
          throw Object.assign(new Error("no"), { retryable: false });
        },
        "s-worker-tester": { text: "tried" },
        "s-review": again("1"),
        "s-final": { summary: "Half." },
      },
    });
    expect((await run.run()).output).toEqual({ summary: "Half." });
    expect(run.prompt("s-review")).toContain('"coder": "it failed, there is no result: no"');
    expect(run.prompt("s-final")).toContain('"coder": "it failed, there is no result: no"');
  });

  it("fails clearly when the plan names a worker that there is not", async () => {
    const run = testWorkflow(flow(), {
      agents: { "s-plan": { tasks: [{ ...code, workerType: "cook" }] }, "s-final": { summary: "" } },
    });
    await run.run();
    expect(run.result.error).toMatchObject({
      code: "INVALID_OUTPUT",
      message: expect.stringMatching(/tasks: [^]*one of the workers coder, tester, writer/),
    });
  });

  it("fails clearly when the plan has two tasks of one id", async () => {
    const run = testWorkflow(flow(), {
      agents: { "s-plan": { tasks: [code, { ...test, id: code.id }] }, "s-final": { summary: "" } },
    });
    await run.run();
    expect(run.result.error).toMatchObject({
      code: "INVALID_OUTPUT",
      message: expect.stringMatching(/tasks: [^]*each with an id of its own/),
    });
    expect(run.calls.map(({ nodeId }) => nodeId)).not.toContain("s-worker-coder");
  });

  it("fails clearly when a review does not say whether all is done", async () => {
    const run = testWorkflow(flow({ reviewOutput: "loose" as never }), {
      agents: {
        "s-plan": { tasks: [test] },
        "s-worker-tester": { text: "tried" },
        "s-review": { fine: true },
        "s-final": { summary: "" },
      },
    });
    await run.run();
    expect(run.result.error).toMatchObject({
      code: "INVALID_OUTPUT",
      message: expect.stringContaining("allDone: expected true or false"),
    });
  });

  it("refuses to do without workers", async () => {
    await expect(testWorkflow(flow({ workers: {} })).run()).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("workers={an object}; expected an object of at least one agent"),
    });
  });
});

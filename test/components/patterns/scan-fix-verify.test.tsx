import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const { Workflow, ScanFixVerify, service, outputs } = createService({
  scan: z.object({ issues: z.array(z.object({ file: z.string() })) }),
  fix: z.object({ file: z.string() }),
  verify: z.object({ resolved: z.boolean(), left: z.string() }),
  loose: z.looseObject({}),
  output: z.object({ text: z.string() }),
});

const agent = { id: "agent", generate: async () => ({}) };
type Props = Parameters<typeof ScanFixVerify>[0];

const flow = (props: Partial<Props> = {}) =>
  service(() => (
    <Workflow name="sfv">
      <ScanFixVerify
        scanner={agent}
        fixer={agent}
        verifier={agent}
        scanOutput={outputs.scan}
        fixOutput={outputs.fix}
        verifyOutput={outputs.verify}
        reportOutput={outputs.output}
        {...props}
      >
        Scan src.
      </ScanFixVerify>
    </Workflow>
  ));

const [a, b, c] = [{ file: "a.ts" }, { file: "b.ts" }, { file: "c.ts" }];
const resolved = { resolved: true, left: "" };
const left = { resolved: false, left: "b.ts still fails" };
const fixes = (...count: object[]) =>
  Object.fromEntries(count.map((fix, index) => [`sfv-fix-${index}`, fix as Record<string, unknown>]));

describe("a ScanFixVerify", () => {
  it("fixes each issue, verifies, and scans again until everything is resolved", async () => {
    const run = testWorkflow(flow(), {
      agents: {
        "sfv-scan": [{ issues: [a, b] }, { issues: [b] }],
        ...fixes([a, b], b),
        "sfv-verify": [left, resolved],
        "sfv-report": { text: "Two files." },
      },
    });
    expect((await run.run()).output).toEqual({ text: "Two files." });
    const keys = run.calls.map(({ nodeId, iteration }) => `${nodeId} ${iteration}`);
    expect(keys).toEqual([
      "sfv-scan 0",
      "sfv-fix-0 0",
      "sfv-fix-1 0",
      "sfv-verify 0",
      "sfv-scan 1",
      "sfv-fix-0 1",
      "sfv-verify 1",
      "sfv-report 0",
    ]);
    const [scan, fix, , verify, again, , , report] = run.calls.map(({ prompt }) => prompt);
    expect(scan).toBe("Scan src.");
    expect(fix).toContain("a.ts");
    expect(fix).not.toContain("b.ts");
    expect(verify).toMatch(/a\.ts[^]*b\.ts/);
    expect(again).toContain("b.ts still fails");
    expect(report).toMatch(/"fix": \{\s*"file": "a\.ts"[^]*"resolved": false[^]*"resolved": true/);
  });

  it("is over at once when there are no issues", async () => {
    const run = testWorkflow(flow(), {
      agents: { "sfv-scan": { issues: [] }, "sfv-report": { text: "Clean." } },
    });
    expect((await run.run()).output).toEqual({ text: "Clean." });
    expect((await run.tasks()).map(({ nodeId }) => nodeId).sort()).toEqual(["sfv-report", "sfv-scan"]);
  });

  it("continues to the report after maxRetries rounds", async () => {
    const run = testWorkflow(flow({ maxRetries: 2 }), {
      agents: {
        "sfv-scan": { issues: [a] },
        ...fixes(a),
        "sfv-verify": left,
        "sfv-report": { text: "Left." },
      },
    });
    expect(await run.run()).toMatchObject({ output: { text: "Left." }, exhaustedLoops: ["sfv-loop"] });
  });

  it("lets several fixers take turns, issue by issue and round by round", async () => {
    const used: string[] = [];
    const fixer = (name: string) => ({
      id: name,
      supportsNativeStructuredOutput: true,
      generate: async () => {
        used.push(name);
        return { output: a };
      },
    });
    const run = testWorkflow(flow({ fixer: [fixer("one"), fixer("two")], maxConcurrency: 1 }), {
      agents: {
        "sfv-scan": [{ issues: [a, b, c] }, { issues: [a] }],
        "sfv-verify": [left, resolved],
        "sfv-report": { text: "" },
      },
    });
    await run.run();
    expect(used).toEqual(["one", "two", "one", "two"]);
  });

  it("verifies what is there when a fix fails", async () => {
    const run = testWorkflow(flow({ maxRetries: 1 }), {
      agents: {
        "sfv-scan": { issues: [a, b] },
        "sfv-fix-0": () => {
          throw Object.assign(new Error("cannot"), { retryable: false });
        },
        "sfv-fix-1": b,
        "sfv-verify": left,
        "sfv-report": { text: "Half." },
      },
    });
    expect((await run.run()).output).toEqual({ text: "Half." });
    expect(run.prompt("sfv-verify")).toContain("the fix failed: cannot");
    expect(run.prompt("sfv-report")).toMatch(
      /"fix": "the fix failed: cannot"[^]*"fix": \{\s*"file": "b\.ts"/,
    );
    expect(run.result.failedChildKeys).toEqual(["sfv-fix-0::0"]);
  });

  it("reports the reason of a failed fix with the round that it is known to belong to", async () => {
    const fails = [true, true, false];
    const run = testWorkflow(flow({ maxRetries: 3 }), {
      agents: {
        "sfv-scan": [{ issues: [a, b] }, { issues: [a] }, { issues: [a] }],
        "sfv-fix-0": () => {
          if (fails.shift()) throw Object.assign(new Error("cannot"), { retryable: false });
          return { file: "a.ts" };
        },
        "sfv-fix-1": () => {
          throw Object.assign(new Error("will not"), { retryable: false });
        },
        "sfv-verify": [left, left, resolved],
        "sfv-report": { text: "Done." },
      },
    });
    expect((await run.run()).output).toEqual({ text: "Done." });
    const said = [...(run.prompt("sfv-report") ?? "").matchAll(/"fix": ("[^"]*"|\{)/g)].map(([, fix]) => fix);
    expect(said).toEqual(['"the fix failed"', '"the fix failed: will not"', '"the fix failed"', "{"]);
  });

  it.each([
    ["issues: expected a list", { "sfv-scan": { found: 1 } }],
    [
      "resolved: expected true or false",
      { "sfv-scan": { issues: [1] }, ...fixes(a), "sfv-verify": { ok: 1 } },
    ],
  ])("refuses an answer that it cannot continue with, %s", async (problem, agents) => {
    const run = testWorkflow(flow({ scanOutput: "loose" as never, verifyOutput: "loose" as never }), {
      agents: { ...agents, "sfv-report": { text: "" } },
    });
    await run.run();
    expect(run.result.error).toMatchObject({
      code: "INVALID_OUTPUT",
      message: expect.stringContaining(problem),
    });
  });

  it("refuses to do without a fixer", async () => {
    await expect(testWorkflow(flow({ fixer: [] })).run()).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("fixer={[]}"),
    });
  });
});

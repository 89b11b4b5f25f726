import { createService, type Scorer } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const { Workflow, Sidecar, Loop, Sequence, Task, service, outputs } = createService({
  draft: z.object({ text: z.string(), quality: z.number() }),
  rival: z.object({ text: z.string(), quality: z.number() }),
  output: z.object({
    primaryScore: z.number().nullable(),
    delta: z.number().nullable(),
    cheaperWins: z.boolean(),
  }),
});

type Props = Omit<Parameters<typeof Sidecar>[0], "output" | "sidecarOutput">;
const agent = { id: "agent", generate: async () => ({}) };

/** Says what the row itself says of its quality; notes what else it was given. */
function quality(given: unknown[] = []): Scorer {
  return {
    id: "quality",
    name: "Quality",
    description: "As the row says.",
    score: async ({ output, groundTruth, context }) => {
      given.push([groundTruth, context]);
      const { quality: score } = output as { quality: number };
      if (score < 0) throw new Error("cannot tell");
      return { score };
    },
  };
}

const scorers = { quality: { scorer: quality() } };

const flow = (props: Partial<Props> = {}) =>
  service(() => (
    <Workflow name="compared">
      <Sidecar
        id="s"
        agent={agent}
        sidecar={agent}
        output="draft"
        prompt="Write a line."
        scorers={scorers}
        {...props}
      />
    </Workflow>
  ));

const row = (score: number) => ({ text: "x", quality: score });
const deltaOf = async (run: ReturnType<typeof testWorkflow>, id = "s-delta") =>
  (await run.tasks()).find(({ nodeId }) => nodeId === id)?.output;

describe("a Sidecar", () => {
  it.each([
    [0.9, 0.7, { primaryScore: 0.9, sidecarScore: 0.7, delta: 0.2, cheaperWins: false }],
    [0.5, 0.5, { primaryScore: 0.5, sidecarScore: 0.5, delta: 0, cheaperWins: true }],
    [0.25, 1, { primaryScore: 0.25, sidecarScore: 1, delta: -0.75, cheaperWins: true }],
    [0.5, -1, { primaryScore: 0.5, sidecarScore: null, delta: null, cheaperWins: false }],
  ])("compares what both sides score: %d and %d", async (primary, sidecar, delta) => {
    const run = testWorkflow(flow(), { agents: { s: row(primary), "s-sidecar": row(sidecar) } });
    expect((await run.run()).status).toBe("finished");
    expect(await deltaOf(run)).toEqual(delta);
    expect(run.prompt("s")).toBe("Write a line.");
    expect(run.prompt("s-sidecar")).toBe("Write a line.");
  });

  it("asks both the prompt, the input, and what stands between the tags", async () => {
    const run = testWorkflow(flow({ input: <p>About looms.</p>, children: <p>Be brief.</p> }), {
      agents: { s: row(1), "s-sidecar": row(1) },
    });
    await run.run();
    expect(run.prompt("s-sidecar")).toMatch(/^Write a line\.[^]*About looms\.[^]*Be brief\.$/);
  });

  it("keeps prompt, input and what stands between the tags apart, and shows data as JSON", async () => {
    const agents = { s: row(1), "s-sidecar": row(1) };
    const texts = testWorkflow(flow({ input: "Looms.", children: "Be brief." }), { agents });
    await texts.run();
    expect(texts.prompt("s")).toBe("Write a line.\n\nLooms.\n\nBe brief.");
    const data = testWorkflow(flow({ input: { about: ["looms", "cloth"] }, children: "Be brief." }), {
      agents,
    });
    await data.run();
    expect(data.prompt("s")).toMatch(
      /^Write a line\.\n\n## Input\n\n```json\n\{\n {2}"about": \[[^]*\n```\n\nBe brief\.$/,
    );
  });

  it("continues when the sidecar fails, without a comparison", async () => {
    const run = testWorkflow(flow(), {
      agents: {
        s: row(0.5),
        "s-sidecar": () => {
          throw Object.assign(new Error("no"), { retryable: false });
        },
      },
    });
    expect((await run.run()).status).toBe("finished");
    expect(await deltaOf(run)).toEqual({
      primaryScore: 0.5,
      sidecarScore: null,
      delta: null,
      cheaperWins: false,
    });
  });

  it("tells scorers what the output should be, unless they know it", async () => {
    const given: unknown[] = [];
    const own = { scorer: { ...quality(given), id: "own" }, groundTruth: "mine" };
    const run = testWorkflow(
      flow({
        scorers: { own, other: { scorer: quality(given) } },
        groundTruth: "all",
        context: ["c"],
        maxConcurrency: 1,
      }),
      { agents: { s: row(1), "s-sidecar": row(1) } },
    );
    await run.run();
    expect(given).toHaveLength(4);
    expect(given).toEqual(
      expect.arrayContaining([
        ["mine", ["c"]],
        ["all", ["c"]],
      ]),
    );
  });

  it("hands its delta to the task that needs it, and takes the sidecar's row elsewhere", async () => {
    const run = testWorkflow(
      service(() => (
        <Workflow name="needed">
          <Sidecar
            id="s"
            agent={agent}
            sidecar={agent}
            output={outputs.draft}
            sidecarOutput={outputs.rival}
            scorers={scorers}
          >
            Write.
          </Sidecar>
          <Task id="end" output={outputs.output} needs={{ delta: "s-delta" }}>
            {({ delta }) => delta as z.infer<typeof outputs.output>}
          </Task>
        </Workflow>
      )),
      { agents: { s: row(1), "s-sidecar": row(0.5) } },
    );
    expect((await run.run()).output).toEqual({ primaryScore: 1, delta: 0.5, cheaperWins: false });
  });

  it("makes a delta of its own in each round of loops around it", async () => {
    const run = testWorkflow(
      service(() => (
        <Workflow name="rounds">
          <Loop id="outer" maxIterations={2}>
            <Sequence>
              <Loop id="inner" maxIterations={1}>
                <Sidecar
                  id="s"
                  agent={agent}
                  sidecar={agent}
                  output="draft"
                  scorers={scorers}
                  prompt="Write."
                />
              </Loop>
            </Sequence>
          </Loop>
        </Workflow>
      )),
      {
        agents: {
          "s@@outer=0": row(1),
          "s-sidecar@@outer=0": row(0),
          "s@@outer=1": row(0.5),
          "s-sidecar@@outer=1": row(1),
        },
      },
    );
    await run.run();
    expect(await deltaOf(run, "s-delta@@outer=0")).toMatchObject({ delta: 1 });
    expect(await deltaOf(run, "s-delta@@outer=1")).toMatchObject({ delta: -0.5 });
  });

  it("draws one lot for both sides, whatever either needs to come to its row", async () => {
    const half = { quality: { scorer: quality(), sampling: { type: "ratio" as const, rate: 0.5 } } };
    let asked = 0;
    const run = testWorkflow(
      service(() => (
        <Workflow name="rounds">
          <Loop id="rounds" maxIterations={20} onMaxReached="return-last">
            <Sidecar id="s" agent={agent} sidecar={agent} output="draft" scorers={half} prompt="Write." />
          </Loop>
        </Workflow>
      )),
      {
        agents: {
          s: row(1),
          "s-sidecar": () => {
            asked += 1;
            if (asked % 3 === 0) throw new Error("try again");
            return row(0.5);
          },
        },
      },
    );
    await run.run();
    while (run.result.status === "running") await run.advance("1h");
    expect(run.result.status).toBe("finished");
    const pairs = (await run.tasks()).flatMap(({ nodeId, output }) =>
      nodeId === "s-delta" ? [`${output?.["primaryScore"]} ${output?.["sidecarScore"]}`] : [],
    );
    expect(pairs).toHaveLength(20);
    expect(new Set(pairs)).toEqual(new Set(["1 0.5", "null null"]));
  });

  it("makes no delta without scorers, and refuses to ask nothing", async () => {
    const run = testWorkflow(flow({ scorers: {} }), { agents: { s: row(1), "s-sidecar": row(1) } });
    await run.run();
    expect((await run.tasks()).map(({ nodeId }) => nodeId)).toEqual(["s", "s-sidecar"]);
    const mute = service(() => (
      <Workflow name="mute">
        <Sidecar agent={agent} sidecar={agent} output="draft" />
      </Workflow>
    ));
    await expect(testWorkflow(mute).run()).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("has prompt={undefined}; expected what both agents are asked"),
    });
  });
});

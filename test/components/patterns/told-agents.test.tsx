import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const module = createService({
  plan: z.object({
    tasks: z.array(z.object({ id: z.string(), workerType: z.string(), instructions: z.string() })),
  }),
  loose: z.looseObject({}),
});
const { Workflow, service, outputs } = module;
const { Supervisor, ReviewLoop, DriftDetector, Optimizer, ScanFixVerify, Panel, Poller, ClassifyAndRoute } =
  module;

type Row = Record<string, unknown>;

/** Answers with one row after the other, and keeps what it was asked. */
function scripted(...rows: Row[]) {
  const prompts: string[] = [];
  const agent = {
    id: "scripted",
    supportsNativeStructuredOutput: true,
    generate: async ({ prompt }: { prompt?: string } = {}) => {
      prompts.push(prompt ?? "");
      return { output: rows[Math.min(prompts.length, rows.length) - 1] };
    },
  };
  return { agent, prompts };
}

const { agent: any } = scripted({ anything: true });
const loose = "loose" as never;
const wrongPlan = { tasks: [{ id: "1", workerType: "cook", instructions: "Boil it." }] };
const rightPlan = { tasks: [{ id: "1", workerType: "coder", instructions: "Write it." }] };

describe("a composite that cannot continue with an agent's answer tells the agent, within the attempt", () => {
  it.each<[string, Row, Row, RegExp, (agent: typeof any) => React.ReactNode]>([
    [
      "Supervisor: a worker that there is not",
      wrongPlan,
      rightPlan,
      /tasks: .*one of the workers coder/,
      (agent) => (
        <Supervisor
          boss={[agent]}
          workers={{ coder: any }}
          planOutput={outputs.plan}
          workerOutput={loose}
          reviewOutput={loose}
          finalOutput={loose}
        >
          Ship it.
        </Supervisor>
      ),
    ],
    [
      "ReviewLoop",
      { fine: true },
      { approved: true },
      /approved: expected true or false/,
      (agent) => <ReviewLoop producer={any} reviewer={agent} produceOutput={loose} reviewOutput={loose} />,
    ],
    [
      "DriftDetector",
      { fine: true },
      { drifted: false },
      /drifted: expected true or false/,
      (agent) => (
        <DriftDetector
          captureAgent={any}
          compareAgent={agent}
          captureOutput={loose}
          compareOutput={loose}
          baseline={1}
        />
      ),
    ],
    [
      "Optimizer",
      { score: "high" },
      { score: 1 },
      /score: expected a number/,
      (agent) => (
        <Optimizer
          generator={any}
          evaluator={agent}
          generateOutput={loose}
          evaluateOutput={loose}
          maxIterations={1}
        />
      ),
    ],
    [
      "ScanFixVerify",
      { issues: "none" },
      { issues: [] },
      /issues: expected a list/,
      (agent) => (
        <ScanFixVerify
          scanner={agent}
          fixer={any}
          verifier={any}
          scanOutput={loose}
          fixOutput={loose}
          verifyOutput={loose}
          reportOutput={loose}
        />
      ),
    ],
    [
      "Panel",
      { opinion: "yes" },
      { vote: "yes" },
      /vote: expected a text, a number, true or false/,
      (agent) => (
        <Panel
          panelists={[agent]}
          moderator={any}
          panelistOutput={loose}
          moderatorOutput={loose}
          strategy="vote"
        />
      ),
    ],
    [
      "Poller",
      { up: true },
      { satisfied: true },
      /satisfied: expected true or false/,
      (agent) => (
        <Poller check={agent} checkOutput={loose}>
          Is it up?
        </Poller>
      ),
    ],
    [
      "ClassifyAndRoute: a category that there is not",
      { classifications: [{ category: "soup", itemId: "0" }] },
      { classifications: [{ category: "bug", itemId: "0" }] },
      /soup/,
      (agent) => (
        <ClassifyAndRoute
          items={["It does not start."]}
          categories={{ bug: any }}
          classifierAgent={agent}
          classifierOutput={loose}
          routeOutput={loose}
        />
      ),
    ],
  ])("%s", async (_what, wrong, right, message, element) => {
    const { agent, prompts } = scripted(wrong, right, { allDone: true });
    const run = testWorkflow(service(() => <Workflow name="told">{element(agent)}</Workflow>));
    await run.run();
    expect(prompts[1]).toMatch(message);
    expect(run.result.status).toBe("finished");
    const events = (await run.events()).map(({ event }) => event.type);
    expect(events).not.toContain("NodeFailed");
  });
});

// Loaded here, since a SuperService that loads it takes turns of its process for that.
import "diff";
import type { ReactElement } from "react";
import {
  CheckSuite,
  ClassifyAndRoute,
  ContentPipeline,
  Debate,
  DecisionTable,
  DriftDetector,
  EscalationChain,
  GatherAndSynthesize,
  Kanban,
  Optimizer,
  Panel,
  Poller,
  ReviewLoop,
  Runbook,
  ScanFixVerify,
  Sidecar,
  SuperService,
  Supervisor,
  Task,
} from "treadle";
import { z } from "zod";
import { writtenId } from "../../src/model/address.js";
import type { AgentLike } from "../../src/model/agent.js";
import { createScorer } from "../../src/scorers/create-scorer.js";
import type { CompositePlan } from "../support/random-workflows/composites.js";
import { TOKENS } from "../support/random-workflows/generate.js";
import type { AttemptPlace, FailureCount } from "./attempt-place.js";

/** The rows of the composites, one table for each kind of row. */
export const compositeSchemas = {
  check: z.object({ satisfied: z.boolean() }),
  classified: z.object({ classifications: z.array(z.object({ category: z.string() })) }),
  board: z.object({ total: z.int(), done: z.array(z.string()), left: z.array(z.string()) }),
  drift: z.object({ drifted: z.boolean() }),
  escalation: z.object({ escalated: z.boolean(), fromLevel: z.int(), toLevel: z.int() }),
  plan: z.object({ tasks: z.array(z.looseObject({})) }),
  progress: z.object({ allDone: z.boolean(), retriable: z.array(z.string()) }),
  review: z.object({ approved: z.boolean() }),
  scan: z.object({ issues: z.array(z.int()) }),
  score: z.object({ score: z.number() }),
  verdict: z.object({ passed: z.boolean(), results: z.record(z.string(), z.boolean()) }),
  verified: z.object({ resolved: z.boolean() }),
  work: z.object({ node: z.string(), seen: z.int() }),
};

type Row = Record<string, unknown>;

interface Asked {
  nodeId: string;
  iteration: number;
  prompt: string;
}

/** Says the same of the same row. */
const brief = createScorer({
  id: "brief",
  name: "Brief",
  description: "Has seen little.",
  score: async ({ output }) => ({ score: 1 / (1 + Number((output as Row)["seen"])) }),
});

export function compositeElement(plan: CompositePlan, failures: FailureCount): ReactElement {
  const { id, size, goodAt, max: maxIterations, onMax: onMaxReached, skip: skipIf } = plan;
  /** Answers by what it is asked, after as many failures as the plan says. */
  const agent = (answer: (asked: Asked) => Row): AgentLike => ({
    id: "mock",
    supportsNativeStructuredOutput: true,
    generate: async (args) => {
      const place = args?.taskContext as unknown as AttemptPlace;
      if ((await failures(place)) < plan.fails) throw new Error(`${place.nodeId} fails as scripted`);
      return {
        output: answer({ ...place, nodeId: writtenId(place.nodeId), prompt: args?.prompt ?? "" }),
        usage: { inputTokens: TOKENS - 1, outputTokens: 1 },
      };
    },
  });
  const isGood = ({ iteration }: Asked) => iteration >= goodAt;
  /** What rows of others it was shown is in its row. */
  const worker = agent(({ nodeId, prompt }) => ({ node: nodeId, seen: prompt.length }));
  const each = <T,>(part: (n: number) => T): T[] => Array.from({ length: size }, (_, n) => part(n));
  switch (plan.of) {
    case "CheckSuite":
      return (
        <CheckSuite
          id={id}
          checks={each((n) => ({ id: `c${n}`, agent: agent(() => ({ passed: n <= goodAt })) }))}
          verdictOutput="verdict"
          strategy={(["all-pass", "majority", "any-pass"] as const)[plan.way]}
          skipIf={skipIf}
        />
      );
    case "ClassifyAndRoute": {
      const items = each((n) => ({ id: n }));
      const classifications = items.map((item) => ({ category: item.id % 2 === 0 ? "even" : "odd" }));
      return (
        <ClassifyAndRoute
          id={id}
          items={items}
          categories={{ even: worker, odd: worker }}
          classifierAgent={agent(() => ({ classifications }))}
          classifierOutput="classified"
          routeOutput="work"
          skipIf={skipIf}
        />
      );
    }
    case "ContentPipeline":
      return (
        <ContentPipeline
          id={id}
          stages={each((n) => ({ id: `s${n}`, agent: worker, output: "work" }))}
          skipIf={skipIf}
        >
          Make it, step by step.
        </ContentPipeline>
      );
    case "Debate":
      return (
        <Debate
          id={id}
          proposer={worker}
          opponent={worker}
          judge={worker}
          rounds={maxIterations}
          argumentOutput="work"
          verdictOutput="work"
          topic="Looms."
          skipIf={skipIf}
        />
      );
    case "DecisionTable": {
      const then = (name: string) => (
        <Task id={`${id}-${name}`} output="work" agent={worker}>
          Do it.
        </Task>
      );
      return (
        <DecisionTable
          id={id}
          rules={each((n) => ({ when: n >= goodAt, then: then(`rule${n}`) }))}
          default={then("none")}
          strategy={plan.way === 0 ? "first-match" : "all-match"}
          skipIf={skipIf}
        />
      );
    }
    case "DriftDetector":
      return (
        <DriftDetector
          id={id}
          captureAgent={worker}
          compareAgent={agent((asked) => ({ drifted: isGood(asked) }))}
          captureOutput="work"
          compareOutput="drift"
          baseline={{ seen: 0 }}
          poll={{ intervalMs: 60_000, maxPolls: maxIterations }}
          alert={
            <Task id={`${id}-alarm`} output="value">
              {{ v: goodAt }}
            </Task>
          }
          skipIf={skipIf}
        />
      );
    case "EscalationChain":
      return (
        <EscalationChain
          id={id}
          levels={each((n) => ({ agent: worker, output: "work", escalateIf: () => n < goodAt }))}
          humanFallback
          escalationOutput="escalation"
          skipIf={skipIf}
        >
          Settle it.
        </EscalationChain>
      );
    case "GatherAndSynthesize":
      return (
        <GatherAndSynthesize
          id={id}
          sources={Object.fromEntries(each((n) => [`s${n}`, worker]))}
          synthesizer={worker}
          gatherOutput="work"
          synthesisOutput="work"
          skipIf={skipIf}
        >
          What is there?
        </GatherAndSynthesize>
      );
    case "Kanban":
      return (
        <Kanban
          id={id}
          columns={[
            { name: "todo", agent: worker, output: "work" },
            { name: "check", agent: worker, output: "work" },
          ]}
          useTickets={() => each((n) => ({ id: `t${n}` }))}
          onComplete="board"
          maxIterations={maxIterations}
          skipIf={skipIf}
        />
      );
    case "Optimizer":
      return (
        <Optimizer
          id={id}
          generator={worker}
          evaluator={agent(({ iteration }) => ({ score: iteration }))}
          generateOutput="work"
          evaluateOutput="score"
          targetScore={goodAt}
          maxIterations={maxIterations}
          onMaxReached={onMaxReached}
          skipIf={skipIf}
        >
          Make it better.
        </Optimizer>
      );
    case "Panel":
      return (
        <Panel
          id={id}
          panelists={each((n) => agent(() => ({ approved: n >= goodAt })))}
          moderator={worker}
          panelistOutput="review"
          moderatorOutput="work"
          strategy={(["synthesize", "vote", "consensus"] as const)[plan.way]}
          skipIf={skipIf}
        >
          May it go out?
        </Panel>
      );
    case "Poller":
      return (
        <Poller
          id={id}
          check={agent((asked) => ({ satisfied: isGood(asked) }))}
          checkOutput="check"
          maxAttempts={maxIterations}
          backoff={(["fixed", "linear", "exponential"] as const)[plan.way]}
          onTimeout={onMaxReached}
          skipIf={skipIf}
        >
          Is it there?
        </Poller>
      );
    case "ReviewLoop":
      return (
        <ReviewLoop
          id={id}
          producer={worker}
          reviewer={each(() => agent((asked) => ({ approved: isGood(asked) })))}
          produceOutput="work"
          reviewOutput="review"
          maxIterations={maxIterations}
          onMaxReached={onMaxReached}
          skipIf={skipIf}
        >
          Make it good.
        </ReviewLoop>
      );
    case "Runbook":
      return (
        <Runbook
          id={id}
          steps={each((n) => ({ id: `s${n}`, risk: n === 1 ? ("risky" as const) : ("safe" as const) }))}
          defaultAgent={worker}
          stepOutput="work"
          onDeny={onMaxReached === "fail" ? "fail" : "skip"}
          skipIf={skipIf}
        />
      );
    case "ScanFixVerify": {
      const issues = (iteration: number) => each((n) => n).slice(iteration);
      return (
        <ScanFixVerify
          id={id}
          scanner={agent(({ iteration }) => ({ issues: issues(iteration) }))}
          fixer={worker}
          verifier={agent((asked) => {
            if (!asked.nodeId.endsWith("-report")) return { resolved: isGood(asked) };
            return { node: asked.nodeId, seen: asked.prompt.length };
          })}
          scanOutput="scan"
          fixOutput="work"
          verifyOutput="verified"
          reportOutput="work"
          maxRetries={maxIterations}
          skipIf={skipIf}
        />
      );
    }
    case "Sidecar":
      return (
        <Sidecar
          id={id}
          agent={worker}
          sidecar={worker}
          output="work"
          scorers={{ brief: { scorer: brief } }}
          prompt="Do it twice."
          maxConcurrency={Math.min(size, 2)}
          skipIf={skipIf}
        />
      );
    case "SuperService": {
      const file = (n: number) => ({ path: `${id}/${n}.txt`, content: `As ${id} wants it.\n` });
      return (
        <SuperService
          id={id}
          strategy="Make it so."
          agent={agent(({ nodeId }) => ({ summary: nodeId, edits: each(file) }))}
          targetFiles={[id]}
          dryRun={plan.way === 0}
          skipIf={skipIf}
        />
      );
    }
    case "Supervisor": {
      const tasks = each((n) => ({ id: `t${n}`, workerType: `w${n}`, instructions: `Do ${n}.` }));
      return (
        <Supervisor
          id={id}
          boss={agent((asked) => {
            if (asked.nodeId.endsWith("-plan")) return { tasks };
            if (asked.nodeId.endsWith("-review")) return { allDone: isGood(asked), retriable: ["t0"] };
            return { node: asked.nodeId, seen: asked.prompt.length };
          })}
          workers={Object.fromEntries(tasks.map(({ workerType }) => [workerType, worker]))}
          planOutput="plan"
          workerOutput="work"
          reviewOutput="progress"
          finalOutput="work"
          maxIterations={maxIterations}
          skipIf={skipIf}
        >
          Do it all.
        </Supervisor>
      );
    }
    default:
      return plan.of satisfies never;
  }
}

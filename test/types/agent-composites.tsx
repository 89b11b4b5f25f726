/** Compiled, never run: what the types of the composites that ask agents accept and refuse. */
import { z } from "zod";
import type { ServiceComponents } from "../../src/components/components.js";
import type { AgentLike } from "../../src/model/agent.js";

const schemas = {
  note: z.object({ text: z.string() }),
  review: z.object({ approved: z.boolean(), comment: z.string() }),
  loose: z.looseObject({}),
  score: z.object({ score: z.number() }),
  vote: z.object({ vote: z.enum(["yes", "no"]) }),
  classification: z.object({
    classifications: z.array(z.object({ category: z.enum(["bug"]), itemId: z.string().optional() })),
  }),
  items: z.object({ classifications: z.array(z.object({ itemId: z.string() })) }),
  escalation: z.object({ escalated: z.boolean(), fromLevel: z.int(), toLevel: z.int() }),
  explained: z.object({ escalated: z.boolean(), reason: z.string() }),
};
type Schemas = typeof schemas;

declare const service: ServiceComponents<Schemas>;
declare const outputs: Schemas;
declare const agent: AgentLike;

const {
  ClassifyAndRoute,
  ContentPipeline,
  Debate,
  DecisionTable,
  EscalationChain,
  GatherAndSynthesize,
  Optimizer,
  Panel,
} = service;

const generating = { generator: [agent, agent], generateOutput: outputs.note } as const;
<Optimizer {...generating} evaluator={agent} evaluateOutput={outputs.score} targetScore={1} />;
<Optimizer
  {...generating}
  evaluator={({ candidate }, { attempt }) => ({ score: candidate.text.length + attempt })}
  evaluateOutput="score"
/>;
<Optimizer
  {...generating}
  // @ts-expect-error the candidate is a note
  evaluator={({ candidate }) => ({ score: candidate.length })}
  evaluateOutput="score"
/>;
// @ts-expect-error a score is a number
<Optimizer {...generating} evaluator={() => ({ score: "high" })} evaluateOutput="score" />;
// @ts-expect-error a note has no score
<Optimizer {...generating} evaluator={agent} evaluateOutput="note" />;

const seats = { panelists: [agent, [agent, agent], { agent, role: "critic" }], moderator: agent } as const;
<Panel {...seats} panelistOutput="note" moderatorOutput="note" />;
<Panel {...seats} panelistOutput={outputs.vote} moderatorOutput="note" strategy="vote" minAgree={2} />;
<Panel {...seats} panelistOutput="review" moderatorOutput="note" strategy="consensus" />;
<Panel {...seats} panelistOutput="loose" moderatorOutput="note" strategy="consensus" />;
// @ts-expect-error a note is no vote
<Panel {...seats} panelistOutput="note" moderatorOutput="note" strategy="vote" />;
// @ts-expect-error not a strategy
<Panel {...seats} panelistOutput="vote" moderatorOutput="note" strategy="majority" />;
// @ts-expect-error a panelist has an agent
<Panel {...seats} panelists={[{ role: "critic" }]} panelistOutput="vote" moderatorOutput="note" />;

const sides = { proposer: agent, opponent: agent, judge: [agent, agent], topic: "Looms." } as const;
<Debate {...sides} argumentOutput={outputs.note} verdictOutput="review" rounds={3} />;
// @ts-expect-error not an output
<Debate {...sides} argumentOutput={outputs.note} verdictOutput="nope" />;

<GatherAndSynthesize
  sources={{ code: agent, law: { agent, prompt: <p>Only the licences.</p> } }}
  synthesizer={agent}
  gatherOutput="note"
  synthesisOutput={outputs.review}
  gatheredResults={null}
/>;

<ContentPipeline stages={[{ id: "draft", agent: [agent], output: outputs.note, label: "Draft it" }]} />;
// @ts-expect-error a stage writes to an output of the workflow
<ContentPipeline stages={[{ id: "draft", agent, output: "nope" }]} />;

const desk = { items: [1], categories: { bug: agent }, classifierAgent: agent, routeOutput: "note" } as const;
<ClassifyAndRoute {...desk} classifierOutput={outputs.classification} />;
<ClassifyAndRoute
  {...desk}
  classifierOutput="loose"
  classificationResult={{ classifications: [{ category: "bug" }] }}
/>;
// @ts-expect-error entries without a category
<ClassifyAndRoute {...desk} classifierOutput="items" />;
// @ts-expect-error nothing is classified in a note
<ClassifyAndRoute {...desk} classifierOutput={outputs.note} />;

<DecisionTable rules={[{ when: true, then: <p /> }]} default={null} strategy="all-match" />;
// @ts-expect-error a condition is true or false
<DecisionTable rules={[{ when: undefined, then: <p /> }]} />;

<EscalationChain
  levels={[
    { agent, output: outputs.score, escalateIf: (row) => row.score < 1 },
    { agent: [agent, agent], output: "review", escalateIf: (row) => !row.approved, label: "experts" },
  ]}
  escalationOutput={outputs.escalation}
  humanFallback
/>;
<EscalationChain
  levels={[
    // @ts-expect-error a score has no comment
    { agent, output: outputs.score, escalateIf: (row) => row.comment === "" },
  ]}
  escalationOutput="loose"
/>;
// @ts-expect-error a check has no reason
<EscalationChain levels={[{ agent, output: "note" }]} escalationOutput="explained" />;
// @ts-expect-error a note does not say whether it was escalated
<EscalationChain levels={[{ agent, output: "note" }]} escalationOutput="note" />;

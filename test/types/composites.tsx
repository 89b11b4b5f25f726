/** Compiled, never run: what the types of the composites accept and refuse. */
import { z } from "zod";
import type { ServiceComponents } from "../../src/components/components.js";
import type { HoldsFields } from "../../src/components/patterns/holds-fields.js";
import type { AgentLike } from "../../src/model/agent.js";

const schemas = {
  ran: z.object({ step: z.string(), exitCode: z.int() }),
  note: z.object({ text: z.string() }),
  review: z.object({ approved: z.boolean(), comment: z.string() }),
  defaulted: z.object({ approved: z.boolean().default(false) }),
  maybe: z.object({ approved: z.boolean().optional() }),
  worded: z.object({ approved: z.string() }),
  unknown: z.object({ approved: z.unknown() }),
  loose: z.looseObject({}),
  verdict: z.object({ passed: z.boolean(), results: z.record(z.string(), z.boolean()) }),
  reasoned: z.object({ passed: z.boolean(), reason: z.string() }),
  drift: z.object({ drifted: z.boolean(), significance: z.string() }),
  scan: z.object({ issues: z.array(z.string()) }),
  verified: z.object({ resolved: z.boolean() }),
  plan: z.object({
    tasks: z.array(z.object({ id: z.string(), workerType: z.string(), instructions: z.string() })),
  }),
  list: z.object({ tasks: z.array(z.string()) }),
  progress: z.object({ allDone: z.boolean() }),
  board: z.object({ done: z.array(z.string()) }),
  change: z.object({ diff: z.string() }),
};
type Schemas = typeof schemas;

declare const service: ServiceComponents<Schemas>;
declare const outputs: Schemas;
declare const agent: AgentLike;
declare function expectType<T>(value: T): void;

// The fields that composites read.
type Approves<T> = HoldsFields<Schemas, T, { approved: boolean }>;
declare const missing: Approves<"note">;
expectType<"approved">(missing["fields that the composite reads"]);
declare const fits: [Approves<"review">, Approves<"defaulted">, Approves<"unknown">, Approves<"loose">];
expectType<[unknown, unknown, unknown, unknown]>(fits);
declare const typeMismatches: [Approves<"maybe">, Approves<Schemas["worded"]>];
expectType<{ "fields that the composite reads": "approved" }[]>(typeMismatches);

const {
  Poller,
  ReviewLoop,
  CheckSuite,
  DriftDetector,
  ScanFixVerify,
  Runbook,
  Supervisor,
  Kanban,
  SuperService,
  Sidecar,
} = service;

// @ts-expect-error a row of it is never satisfied
<Poller check={agent} checkOutput={outputs.note} />;

const work = { producer: agent, reviewer: agent, produceOutput: "note" } as const;
<ReviewLoop {...work} reviewOutput={outputs.review} />;
<ReviewLoop {...work} reviewOutput="loose" />;
<ReviewLoop {...work} producer={[agent, agent]} reviewer={[agent, [agent, agent]]} reviewOutput="review" />;
// @ts-expect-error a note does not say whether it is approved
<ReviewLoop {...work} reviewOutput={outputs.note} />;
// @ts-expect-error nor does a text
<ReviewLoop {...work} reviewOutput="worded" />;
// @ts-expect-error not an output
<ReviewLoop {...work} reviewOutput="nope" />;
// @ts-expect-error a reviewer is required
<ReviewLoop producer={agent} produceOutput="note" reviewOutput="review" />;

const checks = { a: { command: "tsc" }, b: { run: () => ({ ok: true }) }, c: { agent } };
<CheckSuite checks={checks} verdictOutput={outputs.verdict} />;
<CheckSuite checks={[{ id: "a", agent: [agent, agent] }]} verdictOutput="loose" />;
// @ts-expect-error the verdict has no reason
<CheckSuite checks={checks} verdictOutput={outputs.reasoned} />;
// @ts-expect-error a note is no verdict
<CheckSuite checks={checks} verdictOutput="note" />;
// @ts-expect-error a function has to say whether the check passes
<CheckSuite checks={{ a: { run: () => ({ text: "I looked." }) } }} verdictOutput="verdict" />;

const watch = { captureAgent: agent, compareAgent: agent, captureOutput: "note", baseline: 3 } as const;
<DriftDetector {...watch} compareOutput={outputs.drift} />;
<DriftDetector {...watch} compareOutput="note" alertIf={({ text }) => text === "worse"} />;
// @ts-expect-error a note does not say whether there is a drift
<DriftDetector {...watch} compareOutput="note" />;
// @ts-expect-error a note has no significance
<DriftDetector {...watch} compareOutput="note" alertIf={({ significance }) => significance === "high"} />;

const crew = { scanner: agent, fixer: [agent, [agent, agent]], verifier: agent, fixOutput: "note" } as const;
<ScanFixVerify {...crew} scanOutput="scan" verifyOutput={outputs.verified} reportOutput="note" />;
// @ts-expect-error a note has no issues
<ScanFixVerify {...crew} scanOutput="note" verifyOutput="verified" reportOutput="note" />;
// @ts-expect-error a note does not say whether all is resolved
<ScanFixVerify {...crew} scanOutput="scan" verifyOutput="note" reportOutput="note" />;

const steps = [
  { id: "a", command: "true", risk: "safe" },
  { id: "b", agent, risk: "critical", output: "review" },
] as const;
<Runbook steps={steps} stepOutput={outputs.ran} approvalRequest={{ summary: "Sure?" }} onDeny="skip" />;
// @ts-expect-error a note cannot take the row of a command
<Runbook steps={steps} stepOutput={outputs.note} />;
// @ts-expect-error not an output
<Runbook steps={[{ id: "a", command: "true", risk: "safe", output: "nope" }]} stepOutput="ran" />;
// @ts-expect-error there is no such risk
<Runbook steps={[{ id: "a", command: "true", risk: "none" }]} stepOutput="ran" />;

const office = {
  boss: agent,
  workers: { coder: agent, tester: [agent, agent] },
  workerOutput: "note",
} as const;
<Supervisor {...office} planOutput={outputs.plan} reviewOutput="progress" finalOutput="note" />;
// @ts-expect-error a list of texts names no workers
<Supervisor {...office} planOutput="list" reviewOutput="progress" finalOutput="note" />;
// @ts-expect-error a note does not say whether all is done
<Supervisor {...office} planOutput="plan" reviewOutput="note" finalOutput="note" />;

const columns = [{ name: "a", agent, output: "note" }] as const;
<Kanban columns={columns} useTickets={() => [{ id: "1", title: "x" }]} onComplete={outputs.board} />;
<Kanban
  columns={[{ name: "a", output: outputs.note, prompt: ({ item }) => item.title, task: { retries: 1 } }]}
  agents={{ a: agent }}
  useTickets={() => [{ id: "1", title: "x" }]}
/>;
// @ts-expect-error tickets need an id
<Kanban columns={columns} useTickets={() => [{ title: "x" }]} />;
// @ts-expect-error a board has no text
<Kanban columns={columns} useTickets={() => [{ id: "1" }]} onComplete={outputs.note} />;

<SuperService strategy={<p>Tidy up.</p>} agent={[agent, agent]} targetFiles={["src"]} />;
<SuperService strategy="Tidy up." agent={agent} reportOutput={outputs.change} dryRun />;
// @ts-expect-error a report has no text
<SuperService strategy="Tidy up." agent={agent} reportOutput="note" />;

<Sidecar
  agent={agent}
  sidecar={[agent, agent]}
  output={outputs.note}
  sidecarOutput="review"
  prompt="Write."
/>;
// @ts-expect-error not an output
<Sidecar agent={agent} sidecar={agent} output="note" sidecarOutput="nope" prompt="Write." />;
// @ts-expect-error a sidecar is required
<Sidecar agent={agent} output="note" prompt="Write." />;

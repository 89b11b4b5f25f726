import { writtenId } from "../model/address.js";
import type {
  AttemptHandle,
  AttemptJob,
  AttemptReport,
  ScoreJob,
  ScoreOutcome,
  TaskDispatcher,
} from "../engine/ports.js";
import type { MockCheck } from "./mock-check.js";
import type { ScoreAddress, Scorer } from "../model/scorer.js";
import { type MockAgent, type MockCall, toAgent } from "./mock-agent.js";
import { type MockScorer, type MockScorerCall, toScorer } from "./mock-scorer.js";

/** The mocks of a test, and what it keeps of their calls. */
export interface Mocks {
  /** By task id. */
  readonly agents: Readonly<Record<string, MockAgent>>;
  /** By scorer id. */
  readonly scorers: Readonly<Record<string, MockScorer>>;
  readonly calls: MockCall[];
  readonly scorerCalls: MockScorerCall[];
  readonly check: MockCheck;
}

/** Runs attempts and scorers elsewhere, with mocks in place of agents and of the scorers that have one. */
export class MockDispatcher implements TaskDispatcher {
  readonly #inner: TaskDispatcher;
  readonly #mocks: Mocks;

  constructor(inner: TaskDispatcher, mocks: Mocks) {
    this.#inner = inner;
    this.#mocks = mocks;
  }

  dispatch(job: AttemptJob, report: AttemptReport): AttemptHandle {
    return this.#inner.dispatch(this.#mocked(job), report);
  }

  score(job: ScoreJob): Promise<ScoreOutcome> {
    const { row, scorer } = job.score;
    return this.#inner.score({ ...job, score: { ...job.score, scorer: this.#scorerOf(row, scorer) } });
  }

  #scorerOf(row: ScoreAddress, scorer: Scorer): Scorer {
    const { scorers, scorerCalls: calls, check } = this.#mocks;
    const mock = Object.hasOwn(scorers, scorer.id) ? scorers[scorer.id] : undefined;
    const { nodeId, iteration, attempt, scorerId } = row;
    if (mock === undefined) return check.guardScorer(nodeId, scorer);
    const place = { nodeId, iteration, attempt, scorerId };
    return toScorer(scorer, mock, { place, calls, onLie: (error) => check.refuse(error) });
  }

  #mocked(job: AttemptJob): AttemptJob {
    if (job.task.kind !== "agent") return job;
    // A mock for the id an author wrote also answers inside nested loops.
    const { agents, calls } = this.#mocks;
    const nodeId = [job.nodeId, writtenId(job.nodeId)].find((id) => Object.hasOwn(agents, id));
    const mock = nodeId === undefined ? undefined : agents[nodeId];
    if (nodeId === undefined || mock === undefined) return this.#unmocked(job);
    const { fallbackAgent: _fallback, ...task } = job.task;
    return { ...job, task: { ...task, agent: toAgent(nodeId, mock, calls) } };
  }

  #unmocked(job: AttemptJob): AttemptJob {
    const { agent, fallbackAgent } = job.task;
    const { check } = this.#mocks;
    const guarded = {
      ...(agent !== undefined && { agent: check.guard(job.nodeId, agent) }),
      ...(fallbackAgent !== undefined && { fallbackAgent: check.guard(job.nodeId, fallbackAgent) }),
    };
    return { ...job, task: { ...job.task, ...guarded } };
  }
}

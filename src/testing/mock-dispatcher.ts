import { type TaskPlace, writtenId } from "../model/address.js";
import type { TaskDescriptor } from "../model/task.js";
import type {
  AttemptHandle,
  AttemptJob,
  AttemptLink,
  MountedRun,
  ScoreJob,
  ScoreOutcome,
  TaskDispatcher,
} from "../engine/index.js";
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

  dispatch(job: AttemptJob, link: AttemptLink, run: MountedRun): AttemptHandle {
    const taskAt = (place: TaskPlace) => {
      const mounted = run.taskAt(place);
      return { ...mounted, task: this.#mocked(mounted.task) };
    };
    return this.#inner.dispatch(job, link, { ...run, taskAt });
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

  #mocked(task: TaskDescriptor): TaskDescriptor {
    if (task.kind !== "agent") return task;
    // A mock for the id an author wrote also answers inside nested loops.
    const { agents, calls } = this.#mocks;
    const nodeId = [task.nodeId, writtenId(task.nodeId)].find((id) => Object.hasOwn(agents, id));
    const mock = nodeId === undefined ? undefined : agents[nodeId];
    if (nodeId === undefined || mock === undefined) return this.#unmocked(task);
    const { fallbackAgent: _fallback, ...rest } = task;
    return { ...rest, agent: toAgent(nodeId, mock, calls) };
  }

  #unmocked(task: TaskDescriptor): TaskDescriptor {
    const { agent, fallbackAgent, nodeId } = task;
    const { check } = this.#mocks;
    return {
      ...task,
      ...(agent !== undefined && { agent: check.guard(nodeId, agent) }),
      ...(fallbackAgent !== undefined && { fallbackAgent: check.guard(nodeId, fallbackAgent) }),
    };
  }
}

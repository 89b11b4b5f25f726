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
import { type MockAgent, type MockCall, toAgent } from "./mock-agent.js";

/** Runs attempts elsewhere, with mocks in place of agents. */
export class MockDispatcher implements TaskDispatcher {
  readonly #inner: TaskDispatcher;
  readonly #mocks: Readonly<Record<string, MockAgent>>;
  readonly #calls: MockCall[];
  readonly #check: MockCheck;

  constructor(
    inner: TaskDispatcher,
    {
      mocks,
      calls,
      check,
    }: { mocks: Readonly<Record<string, MockAgent>>; calls: MockCall[]; check: MockCheck },
  ) {
    this.#inner = inner;
    this.#mocks = mocks;
    this.#calls = calls;
    this.#check = check;
  }

  dispatch(job: AttemptJob, report: AttemptReport): AttemptHandle {
    return this.#inner.dispatch(this.#mocked(job), report);
  }

  score(job: ScoreJob): Promise<ScoreOutcome> {
    return this.#inner.score(job);
  }

  #mocked(job: AttemptJob): AttemptJob {
    if (job.task.kind !== "agent") return job;
    // A mock for the id an author wrote also answers inside nested loops.
    const nodeId = [job.nodeId, writtenId(job.nodeId)].find((id) => Object.hasOwn(this.#mocks, id));
    const mock = nodeId === undefined ? undefined : this.#mocks[nodeId];
    if (nodeId === undefined || mock === undefined) return this.#unmocked(job);
    const { fallbackAgent: _fallback, ...task } = job.task;
    return { ...job, task: { ...task, agent: toAgent(nodeId, mock, this.#calls) } };
  }

  #unmocked(job: AttemptJob): AttemptJob {
    const { agent, fallbackAgent } = job.task;
    const guarded = {
      ...(agent !== undefined && { agent: this.#check.guard(job.nodeId, agent) }),
      ...(fallbackAgent !== undefined && { fallbackAgent: this.#check.guard(job.nodeId, fallbackAgent) }),
    };
    return { ...job, task: { ...job.task, ...guarded } };
  }
}

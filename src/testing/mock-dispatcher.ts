import type { AttemptHandle, AttemptJob, AttemptReport, TaskDispatcher } from "../engine/ports.js";
import { type MockAgent, type MockCall, toAgent } from "./mock-agent.js";

/** Runs attempts elsewhere, with mocks in place of agents. */
export class MockDispatcher implements TaskDispatcher {
  readonly #inner: TaskDispatcher;
  readonly #mocks: Readonly<Record<string, MockAgent>>;
  readonly #calls: MockCall[];

  constructor(inner: TaskDispatcher, mocks: Readonly<Record<string, MockAgent>>, calls: MockCall[]) {
    this.#inner = inner;
    this.#mocks = mocks;
    this.#calls = calls;
  }

  dispatch(job: AttemptJob, report: AttemptReport): AttemptHandle {
    return this.#inner.dispatch(this.#mocked(job), report);
  }

  #mocked(job: AttemptJob): AttemptJob {
    if (job.task.kind !== "agent") return job;
    // A mock for the id an author wrote also answers inside nested loops.
    const nodeId = [job.nodeId, job.nodeId.split("@@")[0] as string].find((id) =>
      Object.hasOwn(this.#mocks, id),
    );
    const mock = nodeId === undefined ? undefined : this.#mocks[nodeId];
    if (nodeId === undefined || mock === undefined) return job;
    const { fallbackAgent: _fallback, ...task } = job.task;
    return { ...job, task: { ...task, agent: toAgent(nodeId, mock, this.#calls) } };
  }
}

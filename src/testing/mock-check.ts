import { writtenId } from "../model/address.js";
import { ServiceError } from "../errors/service-error.js";
import type { AgentInput } from "../model/agent.js";
import type { Store } from "../store/contract.js";

/**
 * Refuses a test whose mocks miss their tasks: a mistyped id would let the task's own agent run, with its
 * costs and its effects, in what is meant to be a test without either.
 */
export class MockCheck {
  readonly #ids: readonly string[];
  readonly #stores = new Set<Store>();
  #refusal: ServiceError | undefined;

  constructor(ids: readonly string[]) {
    this.#ids = ids;
  }

  /** The first mistake that was found; the test fails with it. */
  get refusal(): ServiceError | undefined {
    return this.#refusal;
  }

  /** Nodes of runs in this store count as mounted. */
  look(store: Store): void {
    this.#stores.add(store);
  }

  /** The agents of a task without a mock: they are asked only when every mock has found its task. */
  guard<A extends AgentInput | AgentInput[]>(nodeId: string, agents: A): A {
    if (this.#ids.length === 0) return agents;
    if (Array.isArray(agents)) return agents.map((agent) => this.#guarded(nodeId, agent)) as A;
    return this.#guarded(nodeId, agents as AgentInput) as A;
  }

  #guarded(nodeId: string, agent: AgentInput): AgentInput {
    return new Proxy(agent, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== "function") return value;
        const method = value.bind(target) as (...args: unknown[]) => unknown;
        if (property !== "generate") return method;
        return async (...args: unknown[]) => {
          await this.#check(nodeId);
          return method(...args);
        };
      },
    });
  }

  async #check(nodeId: string): Promise<void> {
    const mounted = new Set<string>();
    for (const store of this.#stores) {
      for (const { runId } of await store.listRuns({ limit: MOST_RUNS })) {
        for (const node of await store.listNodes(runId)) {
          mounted.add(node.nodeId).add(writtenId(node.nodeId));
        }
      }
    }
    const unknown = this.#ids.filter((id) => !mounted.has(id));
    if (unknown.length === 0) return;
    this.#refusal ??= new ServiceError(
      "INVALID_INPUT",
      `The task "${nodeId}" has no mock and would ask its own agent, while no task has the id of the mock${unknown.length === 1 ? "" : "s"} ${unknown.map((id) => `"${id}"`).join(", ")}.`,
      { details: { nodeId, unknownMocks: unknown }, retryable: false },
    );
    throw this.#refusal;
  }
}

/** Child runs of one test. */
const MOST_RUNS = 500;

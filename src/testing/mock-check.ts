import { writtenId } from "../model/address.js";
import { ServiceError } from "../errors/service-error.js";
import type { AgentInput } from "../model/agent.js";
import type { Scorer } from "../model/scorer.js";
import { isJudge } from "../scorers/judge-mark.js";
import { nearest } from "../util/nearest.js";
import type { Store } from "../store/index.js";

/**
 * Refuses a test whose mocks miss their tasks: a mistyped id would let the task's own agent run, with its
 * costs and its effects, in what is meant to be a test without either.
 */
export class MockCheck {
  readonly #ids: readonly string[];
  readonly #scorerIds: readonly string[];
  readonly #stores = new Set<Store>();
  #refusal: ServiceError | undefined;

  constructor({ agents, scorers }: { agents: readonly string[]; scorers: readonly string[] }) {
    this.#ids = agents;
    this.#scorerIds = scorers;
  }

  /** The first mistake that was found; the test fails with it. */
  get refusal(): ServiceError | undefined {
    return this.#refusal;
  }

  refuse(error: ServiceError): void {
    this.#refusal ??= error;
  }

  /** Nodes of runs in this store count as mounted, and their scores as sampled. */
  look(store: Store): void {
    this.#stores.add(store);
  }

  /** The agents of a task without a mock: they are asked only when every mock has found its task. */
  guard<A extends AgentInput | AgentInput[]>(nodeId: string, agents: A): A {
    if (this.#ids.length === 0) return agents;
    if (Array.isArray(agents)) return agents.map((agent) => this.#guarded(nodeId, agent)) as A;
    return this.#guarded(nodeId, agents as AgentInput) as A;
  }

  /**
   * A scorer without a mock: where it asks a model, only when every mock has found its scorer. Others cost
   * nothing and may well be meant, unless their id is nearly that of a mock.
   */
  guardScorer(nodeId: string, scorer: Scorer): Scorer {
    if (this.#scorerIds.length === 0) return scorer;
    return {
      ...scorer,
      score: async (input) => {
        await this.#checkScorer(nodeId, scorer);
        return scorer.score(input);
      },
    };
  }

  async #checkScorer(nodeId: string, scorer: Scorer): Promise<void> {
    const sampled = new Set<string>();
    await this.#eachRun(async (store, runId) => {
      for (const { scorerId } of await store.listScores({ runId, limit: MOST_SCORES })) sampled.add(scorerId);
    });
    const unknown = this.#scorerIds.filter(
      (id) => !sampled.has(id) && (isJudge(scorer) || nearest(id, [scorer.id]) !== undefined),
    );
    if (unknown.length === 0) return;
    throw this.#missed(`The scorer "${scorer.id}" of task "${nodeId}" has no mock and would be asked`, {
      unknown,
      who: "scorer",
      details: { nodeId, scorerId: scorer.id },
    });
  }

  /** The refusal for mocks that nothing has the id of. */
  #missed(
    what: string,
    { unknown, who, details }: { unknown: readonly string[]; who: string; details: Record<string, unknown> },
  ): ServiceError {
    const mocks = `mock${unknown.length === 1 ? "" : "s"} ${unknown.map((id) => `"${id}"`).join(", ")}`;
    this.#refusal ??= new ServiceError(
      "INVALID_INPUT",
      `${what}, while no ${who} has the id of the ${mocks}.`,
      { details: { ...details, unknownMocks: unknown }, retryable: false },
    );
    return this.#refusal;
  }

  async #eachRun(visit: (store: Store, runId: string) => Promise<void>): Promise<void> {
    for (const store of this.#stores) {
      for (const { runId } of await store.listRuns({ limit: MOST_RUNS })) await visit(store, runId);
    }
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
    await this.#eachRun(async (store, runId) => {
      for (const node of await store.listNodes(runId)) mounted.add(node.nodeId).add(writtenId(node.nodeId));
    });
    const unknown = this.#ids.filter((id) => !mounted.has(id));
    if (unknown.length === 0) return;
    throw this.#missed(`The task "${nodeId}" has no mock and would ask its own agent`, {
      unknown,
      who: "task",
      details: { nodeId },
    });
  }
}

/** Child runs of one test. */
const MOST_RUNS = 500;

/** Scores of one run. */
const MOST_SCORES = 100_000;

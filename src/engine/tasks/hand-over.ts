import { ServiceError } from "../../errors/service-error.js";
import type { AgentCliEvent, AgentLike } from "../../model/agent.js";
import type { RunnerContext, RunnerResult } from "../ports.js";
import { ownMicrotask } from "../../util/own-timers.js";

/** The record of an attempt that was handed over, under `hijack` of its meta. */
export interface HandedOver {
  /** The agent that had it. */
  agentId: string;
  /** The agent's own name of the session. */
  sessionId: string;
  /** Folder in which the command opens the session. */
  cwd: string;
  /** Name or path of the program that opens it. */
  command: string;
  /** Its arguments; no shell looks at them. */
  args: string[];
  /** Variables to add; never credentials. */
  env: Record<string, string>;
}

const CANNOT_BE_OPENED = "has no session that a person can open";

/**
 * Gives the session of one attempt's agent to a person: the agent is stopped, and
 * the task waits until the person gives the session back.
 */
export class HandOver {
  readonly #context: RunnerContext;
  readonly #agent: AgentLike;
  readonly #agentId: string;
  readonly #controller = new AbortController();
  /** Fires when the attempt is aborted, and when the agent has to stop because a person takes over. */
  readonly signal: AbortSignal;
  #isWanted: boolean;
  #sessionId: string | null = null;
  #given: HandedOver | null = null;

  /** @throws TASK_HIJACK_UNSUPPORTED the task is to be handed over by itself and its agent cannot */
  constructor(context: RunnerContext, about: { agent: AgentLike; agentId: string; isWanted: boolean }) {
    this.#context = context;
    this.#agent = about.agent;
    this.#agentId = about.agentId;
    this.#isWanted = about.isWanted;
    if (this.#isWanted && this.#commandFor("") === undefined) {
      const { nodeId } = context.job;
      throw new ServiceError(
        "TASK_HIJACK_UNSUPPORTED",
        `Task ${nodeId} is to be handed over, but ${this.#agentId} has no session that a person can open.`,
        { details: { nodeId, agentId: this.#agentId }, retryable: false },
      );
    }
    this.signal = AbortSignal.any([context.runtime.signal, this.#controller.signal]);
    context.onHandOver(() => {
      this.#isWanted = true;
      this.#give();
    });
  }

  /** The agent has said something: perhaps which session it has. */
  note(event: AgentCliEvent): void {
    if (event.type !== "started" || event.resume === undefined) return;
    this.#sessionId = event.resume;
    this.#context.record.meta = { ...this.#context.record.meta, sessionId: event.resume };
    this.#give();
  }

  /** How the attempt ends once its agent has stopped; null without a hijack. */
  result(): RunnerResult | null {
    const given = this.#given;
    if (given === null) return null;
    const { job, record, report } = this.#context;
    record.meta = { ...record.meta, hijack: given };
    report.event({
      type: "RunHijacked",
      nodeId: job.nodeId,
      iteration: job.iteration,
      attempt: job.attempt,
      engine: this.#agent.capabilities?.engine ?? this.#agentId,
      mode: "native-cli",
      resume: given.sessionId,
      cwd: given.cwd,
    });
    return { kind: "park", status: "waiting-event", reason: "a person has taken over its session" };
  }

  /**
   * How the attempt ends although its agent has answered: a session that a person is to have has no answer yet.
   * Null when no person wants the session, or the agent has named none.
   */
  resultOfAnswer(sessionId: string | undefined): RunnerResult | null {
    if (sessionId !== undefined) this.#sessionId ??= sessionId;
    this.#give();
    if (this.#isWanted && this.#given === null) this.#refuse("has named no session");
    return this.result();
  }

  #give(): void {
    if (!this.#isWanted || this.#given !== null) return;
    if (this.#sessionId === null) {
      if (this.#commandFor("") === undefined) this.#refuse(CANNOT_BE_OPENED);
      return;
    }
    const command = this.#commandFor(this.#sessionId);
    if (command === undefined) return this.#refuse(CANNOT_BE_OPENED);
    const cwd = this.#context.runtime.rootDir;
    this.#given = { agentId: this.#agentId, sessionId: this.#sessionId, cwd, ...command };
    const reason = new ServiceError("RUN_HIJACKED", "A person takes over the agent's session.");
    // The agent may begin to listen only after it has named its session.
    ownMicrotask(() => this.#controller.abort(reason));
  }

  #commandFor(sessionId: string) {
    const { runId, nodeId, iteration, attempt } = this.#context.job;
    return this.#agent.resumeCommand?.(sessionId, { runId, nodeId, iteration, attempt });
  }

  #refuse(why: string): void {
    this.#isWanted = false;
    const { nodeId, iteration, attempt } = this.#context.job;
    const reason = `its agent ${this.#agentId} ${why}`;
    this.#context.report.event({ type: "RunHijackRefused", nodeId, iteration, attempt, reason });
  }
}

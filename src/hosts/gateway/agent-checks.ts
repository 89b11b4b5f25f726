import { type AgentCheck, checkAgents } from "../../operations/index.js";
import { AGENT_ENGINES } from "../../model/agent.js";
import type { Clock } from "../../util/clock.js";

/** How long an answer holds, milliseconds: a check starts every tool that is installed. */
const FRESH_MS = 60_000;

export interface CheckedAgents {
  agents: AgentCheck[];
  checkedAtMs: number;
}

/** What the tools of this machine say of themselves, asked at most once a minute however many clients ask. */
export class AgentChecks {
  readonly #clock: Clock;
  #newest: Promise<CheckedAgents> | undefined;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  read(): Promise<CheckedAgents> {
    const nowMs = this.#clock.now();
    if (this.#newest === undefined || Math.abs(nowMs - this.#askedAtMs) >= FRESH_MS) {
      this.#askedAtMs = nowMs;
      this.#newest = checkAgents(AGENT_ENGINES).then((agents) => ({ agents, checkedAtMs: nowMs }));
      this.#newest.catch(() => {
        this.#newest = undefined;
      });
    }
    return this.#newest;
  }
}

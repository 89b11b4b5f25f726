import type { TaskKey } from "../../../src/model/address.js";
import type { Command } from "../../../src/scheduler/commands.js";

type Ask = Extract<Command, { type: "ask-slot" }>;

/** Gives a number of slots out, in the order in which they are asked for. */
export class SlotLimiter {
  readonly #most: number;
  readonly #asked = new Map<TaskKey, Ask>();
  readonly #held = new Set<TaskKey>();

  constructor(most: number) {
    this.#most = most;
  }

  hear(command: Command): void {
    if (command.type === "ask-slot") this.#asked.set(command.key, command);
    if (command.type !== "free-slot") return;
    if (!this.#held.delete(command.key))
      throw new Error(`${command.key} leaves a slot that it does not hold.`);
  }

  get canGive(): boolean {
    return this.#asked.size > 0 && this.#held.size < this.#most;
  }

  give(): Ask[] {
    const given: Ask[] = [];
    for (const [key, ask] of this.#asked) {
      if (this.#held.size === this.#most) break;
      this.#asked.delete(key);
      this.#held.add(key);
      given.push(ask);
    }
    return given;
  }
}

import type { SchemaMap } from "../model/schema.js";

interface AddedOutput {
  schema: SchemaMap[string];
  /** Offers of code with it that no run has tried yet. */
  offers: number;
  isAdopted: boolean;
}

/** By store: runs of one program may share it, and each row of a key is written by the one schema that it has there. */
const known = new WeakMap<object, AddedOutputs>();

/**
 * Outputs that newer code has added to what the code that opened a store declares, for all runs. Once
 * adopted one stays as it is; one that is offered keeps its shape until it is known that no run has adopted it.
 */
export class AddedOutputs {
  readonly #outputs = new Map<string, AddedOutput>();

  private constructor() {}

  static of(store: object): AddedOutputs {
    const added = known.get(store) ?? new AddedOutputs();
    known.set(store, added);
    return added;
  }

  get schemas(): SchemaMap {
    return Object.fromEntries([...this.#outputs].map(([key, { schema }]) => [key, schema]));
  }

  /**
   * @param outputs those of the offered code that the first code of its run does not have, compared already
   * @returns to be called when it is known whether the run continues with them; counts once
   */
  offer(outputs: SchemaMap): (isAdopted: boolean) => void {
    const keys = Object.keys(outputs);
    for (const key of keys) {
      const schema = outputs[key] as SchemaMap[string];
      const output = this.#outputs.get(key) ?? { schema, offers: 0, isAdopted: false };
      this.#outputs.set(key, output);
      output.offers += 1;
    }
    let isSettled = false;
    return (isAdopted) => {
      if (isSettled) return;
      isSettled = true;
      for (const key of keys) this.#settle(key, isAdopted);
    };
  }

  #settle(key: string, isAdopted: boolean): void {
    const output = this.#outputs.get(key) as AddedOutput;
    output.offers -= 1;
    output.isAdopted ||= isAdopted;
    if (output.offers === 0 && !output.isAdopted) this.#outputs.delete(key);
  }
}

import { ServiceError } from "../../errors/service-error.js";

/** Shorter values are no secrets, and stand in every second line. */
const SHORTEST = 6;

/** Values of secret bindings by the variable inside. Lives as long as the sandbox and is stored nowhere. */
export class BoundSecrets {
  readonly values: Readonly<Record<string, string>>;

  /**
   * @param bindings name inside to the name of this process's variable
   * @throws SANDBOX_EXECUTION_FAILED naming a variable that has no value
   */
  constructor(bindings: Readonly<Record<string, string>> = {}) {
    this.values = Object.fromEntries(
      Object.entries(bindings).map(([name, variable]) => {
        const value = process.env[variable];
        if (value !== undefined && value !== "") return [name, value];
        throw new ServiceError(
          "SANDBOX_EXECUTION_FAILED",
          `The secret binding ${name} takes its value from the variable ${variable}, which is not set in the process that drives the run: set it there, and resume.`,
          { details: { name, variable }, retryable: false },
        );
      }),
    );
  }

  /** Whether there is none to look for. */
  get isEmpty(): boolean {
    return this.#searched().length === 0;
  }

  /** The text with the names in place of the values, also where they stand in JSON. */
  redacted(text: string): string {
    let result = text;
    for (const [name, value] of this.#searched()) {
      for (const form of [value, JSON.stringify(value).slice(1, -1)]) {
        result = result.replaceAll(form, `[secret ${name}]`);
      }
    }
    return result;
  }

  /** @throws SANDBOX_BUNDLE_INVALID when bytes that would be stored hold a value */
  refuseIn(bytes: Buffer, what: string): void {
    const found = this.#searched().find(([, value]) => bytes.includes(value));
    if (found === undefined) return;
    throw new ServiceError(
      "SANDBOX_BUNDLE_INVALID",
      `${what} holds the value of the secret binding ${found[0]}: nothing of it was taken.`,
      { details: { name: found[0] }, retryable: false },
    );
  }

  #searched(): [string, string][] {
    return Object.entries(this.values).filter(([, value]) => value.length >= SHORTEST);
  }
}

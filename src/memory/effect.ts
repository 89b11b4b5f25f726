import type { Effect } from "effect";
import { ensureError } from "../errors/ensure-error.js";
import { ServiceError } from "../errors/service-error.js";
import { loadEffect } from "../observability/effect/load-effect.js";

/** The same operation as a computation of the effect library: it does nothing until it is run. */
export type EffectTwin<Operation> = Operation extends (...args: infer Arguments) => Promise<infer Value>
  ? (...args: Arguments) => Effect.Effect<Value, ServiceError>
  : never;

/** A twin for each operation, its name with `Effect` behind it. */
export type EffectTwins<Operations> = {
  readonly [Name in keyof Operations & string as `${Name}Effect`]: EffectTwin<Operations[Name]>;
};

/**
 * The operations with their twins. The library is loaded by the first call of a twin, which fails with
 * OPTIONAL_PACKAGE_MISSING where it is not installed: who calls none has no need of it.
 */
export function withEffectTwins<Operations extends object>(
  operations: Operations,
  names: readonly (keyof Operations & string)[],
): Operations & EffectTwins<Operations> {
  for (const name of names) {
    const operation = operations[name] as (...args: unknown[]) => Promise<unknown>;
    const twin = (...args: unknown[]) =>
      loadEffect().Effect.tryPromise({ try: () => operation.apply(operations, args), catch: toServiceError });
    Object.defineProperty(operations, `${name}Effect`, { value: twin });
  }
  return operations as Operations & EffectTwins<Operations>;
}

function toServiceError(thrown: unknown): ServiceError {
  if (ServiceError.is(thrown)) return thrown;
  const error = ensureError(thrown);
  return new ServiceError("INTERNAL_ERROR", error.message, { cause: error });
}

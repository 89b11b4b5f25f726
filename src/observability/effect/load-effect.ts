import { createRequire } from "node:module";
import { ServiceError } from "../../errors/service-error.js";

/** The very modules that an import gives: they are ES modules, however they are loaded. */
const require = createRequire(import.meta.url);

function load() {
  return {
    Cause: require("effect/Cause") as typeof import("effect/Cause"),
    Context: require("effect/Context") as typeof import("effect/Context"),
    Effect: require("effect/Effect") as typeof import("effect/Effect"),
    Layer: require("effect/Layer") as typeof import("effect/Layer"),
    Logger: require("effect/Logger") as typeof import("effect/Logger"),
    Option: require("effect/Option") as typeof import("effect/Option"),
    References: require("effect/References") as typeof import("effect/References"),
    Tracer: require("effect/Tracer") as typeof import("effect/Tracer"),
  };
}

export type EffectLibrary = ReturnType<typeof load>;

const loaded: { library?: EffectLibrary } = {};

/**
 * The effect library, loaded by the first who needs it: a user of metrics has no need of it.
 * @throws OPTIONAL_PACKAGE_MISSING
 */
export function loadEffect(): EffectLibrary {
  try {
    loaded.library ??= load();
    return loaded.library;
  } catch (cause) {
    throw new ServiceError(
      "OPTIONAL_PACKAGE_MISSING",
      'The package "effect", version 4, is not installed; layers, ServiceObservability, trackServiceEvent and what a memory store offers as `…Effect` are made of it. Run `npm install effect@4`.',
      { details: { package: "effect" }, cause },
    );
  }
}

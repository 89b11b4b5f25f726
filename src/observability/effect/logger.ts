import type { Layer } from "effect";
import { Logger } from "../log/logger.js";
import type { ResolvedObservabilityOptions } from "../options.js";
import { loadEffect } from "./load-effect.js";

/** Writes the logs of effects like those of runs: the same lines, with the fields of the task around. */
export function loggerLayer({ logFormat, logLevel }: ResolvedObservabilityOptions): Layer.Layer<never> {
  const { Cause, Layer, Logger: EffectLogger, References } = loadEffect();
  const logger = new Logger({ format: logFormat, level: logLevel });
  const own = EffectLogger.make<unknown, void>(({ message, logLevel: severity, cause, fiber }) => {
    const said = Array.isArray(message) ? (message as unknown[]) : [message];
    logger.log(severity === "All" || severity === "None" ? "Info" : severity, said.map(textOf).join(" "), {
      ...fiber.getRef(References.CurrentLogAnnotations),
      cause: cause.reasons.length === 0 ? undefined : Cause.pretty(cause),
    });
  });
  return Layer.merge(EffectLogger.layer([own]), Layer.succeed(References.MinimumLogLevel, logLevel));
}

function textOf(said: unknown): string {
  if (typeof said === "string") return said;
  if (said instanceof Error) return `${said.name}: ${said.message}`;
  try {
    return JSON.stringify(said) ?? String(said);
  } catch {
    return String(said);
  }
}

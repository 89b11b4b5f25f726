import { ServiceError } from "../../errors/service-error.js";
import type { ToolEffect } from "../../model/tool-effect.js";
import { toTaggedJson } from "../../store/index.js";
import type { EffectReport } from "../../tools/tool-context.js";
import { utf8Length } from "../../util/bounded-text.js";
import { DEEPEST_INPUT } from "../../util/nesting.js";
import { withoutSecrets } from "../attempt/without-secrets.js";
import type { MountedJob } from "../ports.js";

/** Of arguments and of a result each, bytes of JSON. */
export const MOST_EFFECT_BYTES = 65_536;

/**
 * Journal of the calls of one attempt that can be undone.
 * @returns what takes the reports; it refuses arguments that cannot be kept, before the call is made
 */
export function effectJournal(
  { nodeId, iteration, attempt }: Pick<MountedJob, "nodeId" | "iteration" | "attempt">,
  keep: (effect: ToolEffect) => void,
): (report: EffectReport) => void {
  const begun = new Map<number, ToolEffect>();
  return ({ toolName, seq, idempotencyKey, args, outcome, result }) => {
    const before = begun.get(seq) ?? {
      nodeId,
      iteration,
      attempt,
      callNo: seq,
      toolName,
      idempotencyKey,
      argsJson: argumentsOf(toolName, args),
      resultJson: null,
      outcome,
      revertState: null,
    };
    const effect = { ...before, outcome, resultJson: outcome === "done" ? resultOf(result) : null };
    if (outcome === "unknown") begun.set(seq, effect);
    else begun.delete(seq);
    keep(effect);
  };
}

/** @throws INVALID_INPUT */
function argumentsOf(toolName: string, args: unknown): string {
  const refuse = (problem: string) =>
    new ServiceError(
      "INVALID_INPUT",
      `Tool ${toolName} can be undone, so its arguments are kept, and these cannot be: ${problem}. The call was not made.`,
      { details: { toolName, limitBytes: MOST_EFFECT_BYTES } },
    );
  const json = jsonOf(args, (_path, problem) => refuse(problem));
  if (utf8Length(json) > MOST_EFFECT_BYTES) throw refuse(`they have more than ${MOST_EFFECT_BYTES} bytes`);
  return json;
}

/** The call was made: a result that cannot be kept does not undo that. */
function resultOf(result: unknown): string | null {
  if (result === undefined) return null;
  try {
    const json = jsonOf(result, () => new ServiceError("INVALID_INPUT", "It is no data."));
    return utf8Length(json) > MOST_EFFECT_BYTES ? null : json;
  } catch {
    return null;
  }
}

function jsonOf(value: unknown, refuse: (path: readonly unknown[], problem: string) => ServiceError): string {
  return toTaggedJson(withoutSecrets(value), { refuse, maxDepth: DEEPEST_INPUT });
}

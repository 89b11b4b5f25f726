import { losslessJson, reportLoss } from "../util/lossless-json.js";
import { ClientError } from "./client-error.js";

/**
 * Params of a method as they are sent: all of what was given arrives.
 * @throws INVALID_INPUT for what JSON would lose, as the operations do for who calls them without a gateway
 */
export function sentParams(method: string, params: unknown): string {
  const kept = losslessJson(params ?? {});
  if ("json" in kept) return kept.json;
  const { loss, cause } = kept;
  throw new ClientError(
    {
      code: "INVALID_INPUT",
      message: `The params of ${method} are not JSON:${reportLoss(loss)}`,
      details: { method, path: loss.path },
    },
    cause === undefined ? undefined : { cause },
  );
}

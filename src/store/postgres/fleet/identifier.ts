import { sha256Hex } from "../../../util/hash.js";

/** Kind of a job: a worker asks for those of its queues and its code, and so never sees another's. */
export function identifierOf(queue: string, code: string): string {
  return `${queue} ${sha256Hex(code).slice(0, 40)}`;
}

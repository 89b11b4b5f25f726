import { ServiceError } from "../../errors/service-error.js";
import { taskKey, type TaskPlace } from "../../model/address.js";
import type { RunSession } from "../session/session.js";

/** Adds the table to an error about a stored row: the reader of a row knows its task only. */
export function nameTable({ state }: Pick<RunSession, "state">, thrown: unknown): void {
  if (!ServiceError.is(thrown, "INVALID_OUTPUT")) return;
  const { details } = thrown;
  const place = details?.["storedRow"] as TaskPlace | undefined;
  const node = place === undefined ? undefined : state.nodes.get(taskKey(place));
  if (details !== undefined && node !== undefined) details["table"] = node.row.outputKey;
}

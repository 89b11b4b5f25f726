import { type MemoryFactFilter, type MemoryFactPage, pageMemoryFacts } from "./read/page-memory-facts.js";
import { databaseOf, type OperationTarget } from "./request/target.js";

/**
 * Facts of a database, by namespace and key, a page at a time. Expired ones are left out.
 * @throws INVALID_INPUT for a filter or cursor that is not as described; STORAGE_ERROR for a fact that is damaged
 */
export async function listMemoryFacts(
  target: OperationTarget,
  filter: MemoryFactFilter = {},
): Promise<MemoryFactPage> {
  return pageMemoryFacts([databaseOf(target)], filter);
}

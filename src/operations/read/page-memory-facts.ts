import type { MemoryFact } from "../../model/memory.js";
import { namespaceText } from "../../model/memory-namespace.js";
import { checkOptions } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import type { FactAddress, ServiceDb } from "../../store/index.js";
import { type Clock, systemClock } from "../../util/clock.js";
import { boundedRows } from "./bounded-rows.js";
import { cursorParts, wrongCursor } from "./page-cursor.js";

/** Which facts are listed. */
export interface MemoryFactFilter {
  /** `kind:id` with the id percent-escaped. @default all */
  namespace?: string;
  /** @default all */
  key?: string;
  /** Key or value has this text, in upper or lower case. @default all */
  text?: string;
  /** At most 500. @default 500 */
  limit?: number;
  /** `nextCursor` of the page before. @default the first page */
  cursor?: string;
}

/** A page of facts, by namespace and key. */
export interface MemoryFactPage {
  /** By namespace and key, at most `limit`. */
  facts: MemoryFact[];
  /** Pass as `cursor` for the next page; null at the end. */
  nextCursor: string | null;
}

const LARGEST_PAGE = 500;

const RULES = {
  namespace: rules.name,
  key: rules.name,
  text: rules.name,
  limit: rules.withDefault(rules.positiveInteger, LARGEST_PAGE),
  cursor: rules.text,
} satisfies rules.OptionRules<MemoryFactFilter>;

/**
 * Facts of several databases, a page at a time. Expired ones are left out.
 * @throws INVALID_INPUT for a filter or cursor that is not as described; STORAGE_ERROR for a fact that is damaged
 */
export async function pageMemoryFacts(
  databases: readonly ServiceDb[],
  filter: MemoryFactFilter = {},
  { clock = systemClock }: { clock?: Pick<Clock, "now"> } = {},
): Promise<MemoryFactPage> {
  const { namespace, key, text, cursor, limit: wanted } = checkOptions("listMemoryFacts", filter, RULES);
  const limit = Math.min(wanted, LARGEST_PAGE);
  const query = {
    nowMs: clock.now(),
    ...(namespace !== undefined && { namespace: namespaceText(namespace) }),
    ...(key !== undefined && { key }),
    ...(text !== undefined && { text }),
    ...(cursor !== undefined && { after: positionOf(cursor) }),
  };
  const lists = await Promise.all(
    databases.map(async ({ store }) => {
      await store.prepare();
      const read = (after: MemoryFact | undefined, most: number) =>
        store.memory.listFacts({ ...query, ...(after !== undefined && { after }), limit: most });
      return boundedRows<MemoryFact>(read, { limit });
    }),
  );
  // Nothing is shown from beyond the end of a list that has more: what follows there comes first.
  const [horizon] = lists.flatMap(({ rows, hasMore }) => (hasMore ? rows.slice(-1) : [])).sort(byAddress);
  const facts = lists
    .flatMap(({ rows }) => rows)
    .sort(byAddress)
    .filter((fact) => horizon === undefined || byAddress(fact, horizon) <= 0);
  // Facts of one address, from several databases, are on one page: the cursor cannot tell them apart.
  let end = Math.min(limit, facts.length);
  while (end > 0 && end < facts.length && isSame(facts[end], facts[end - 1])) end += 1;
  const last = facts[end - 1];
  return {
    facts: facts.slice(0, end),
    nextCursor:
      (end < facts.length || horizon !== undefined) && last !== undefined
        ? JSON.stringify([last.namespace, last.key])
        : null,
  };
}

/** In the order of the database, which compares bytes of UTF-8. */
function byAddress(one: MemoryFact, other: MemoryFact): number {
  return compared(one.namespace, other.namespace) || compared(one.key, other.key);
}

function compared(one: string, other: string): number {
  return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function isSame(one: FactAddress | undefined, other: FactAddress | undefined): boolean {
  return one?.namespace === other?.namespace && one?.key === other?.key;
}

function positionOf(cursor: string): FactAddress {
  const [namespace, key, ...rest] = cursorParts(cursor);
  if (typeof namespace === "string" && typeof key === "string" && rest.length === 0)
    return { namespace, key };
  throw wrongCursor(cursor, "facts");
}

/** Tasks of one run that want slots of the same limits. */
export interface Contender {
  /** Names of the limits that each of its slots counts for. */
  readonly limits: readonly string[];
  /** Slots wanted. */
  readonly wanted: number;
}

/**
 * Shares free slots out, one to each contender in turn until nothing fits any more.
 * One that lacks a slot of one of its limits keeps a slot of its others free for
 * when there is one: otherwise those that need less would always be faster. The task that
 * comes first in the order comes first for all limits, so two never wait for each other.
 *
 * @param order who has waited longest for a slot comes first
 * @param free slots of each limit
 * @returns the contenders that get one, as positions in `order`, in the order in which they get it
 */
export function shareSlots(order: readonly Contender[], free: ReadonlyMap<string, number>): number[] {
  const room = new Map(free);
  const roomOf = (limit: string) => room.get(limit) ?? 0;
  const take = (limits: readonly string[]) => {
    for (const limit of limits) room.set(limit, roomOf(limit) - 1);
  };
  const given: number[] = [];
  let rest = order.map(({ wanted }, at) => ({ at, wanted }));
  while (rest.length > 0) {
    const next: typeof rest = [];
    for (const { at, wanted } of rest) {
      const { limits } = order[at] as Contender;
      if (wanted <= 0) continue;
      const open = limits.filter((limit) => roomOf(limit) > 0);
      take(open);
      if (open.length < limits.length) continue;
      given.push(at);
      next.push({ at, wanted: wanted - 1 });
    }
    rest = next;
  }
  return given;
}

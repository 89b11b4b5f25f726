/**
 * Of a task that only counts or records what others of its composite have done. A used-up budget does not refuse it
 * once there is something to count, and none of those that it counts may come after it. Not a prop that authors see.
 *
 * @param byPlace ids of members that are known by their place in a list, so that another list gives them to others
 */
export function bookkeeping(byPlace: readonly string[] = []): object {
  return { bookkeeping: byPlace };
}

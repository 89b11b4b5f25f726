/**
 * Of a task that only counts or records what others of its composite have done. A used-up budget does not refuse it
 * once there is something to count. Not a prop that authors see.
 */
export const BOOKKEEPING: object = { bookkeeping: true };

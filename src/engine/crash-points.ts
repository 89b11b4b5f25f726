/**
 * Named places where a test may kill the process for real. Set
 * `SERVICE_CRASH_AT=<point>` or `<point>:<n>` to die by SIGKILL when the point
 * is passed for the n-th time. Costs one comparison otherwise.
 */
export const CRASH_POINTS = [
  "run-created",
  "before-commit",
  "after-commit",
  "before-start",
  "after-start",
  "attempt-completed",
  "before-claim",
  "after-claim",
  "before-end",
  "after-end",
] as const;

export type CrashPoint = (typeof CRASH_POINTS)[number];

export type CrashTrigger = (point: CrashPoint) => void;

/** The trigger an environment asks for; undefined for none. */
export function crashTriggerFrom(value: string | undefined): CrashTrigger | undefined {
  if (value === undefined || value === "") return undefined;
  const [name, count] = value.split(":");
  let remaining = count === undefined ? 1 : Number(count);
  return (point) => {
    if (point !== name) return;
    remaining -= 1;
    if (remaining === 0) process.kill(process.pid, "SIGKILL");
  };
}

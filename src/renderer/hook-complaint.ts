/** The console message of a React one of whose hooks is called while it knows of no render. */
const COMPLAINT = /^(?:Warning: )?Invalid hook call\b/;

/**
 * Renders without that complaint. React tries a render again that has failed and complains with each try, before
 * the error that says the same with component, copies and remedy.
 * @param target where they complain
 * @param render synchronous
 */
export function withoutHookComplaint(target: Pick<Console, "error">, render: () => void): void {
  const print = target.error;
  const filtered = (...said: unknown[]) => {
    if (!COMPLAINT.test(String(said[0]))) print.apply(target, said);
  };
  // One that cannot be changed complains.
  Reflect.set(target, "error", filtered);
  try {
    render();
  } finally {
    if (target.error === filtered) target.error = print;
  }
}

/** `work`, never twice at once: calls while it is under way lead to one more. It must not reject. */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let isAskedAgain = false;
  const run = async () => {
    do {
      isAskedAgain = false;
      await work();
    } while (isAskedAgain);
    current = undefined;
  };
  return () => {
    if (current === undefined) current = run();
    else isAskedAgain = true;
    return current;
  };
}

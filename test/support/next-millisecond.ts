/** Once the machine's clock shows another millisecond: what has been written down before is older from then on. */
export async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await new Promise<void>((resolve) => setImmediate(resolve));
}

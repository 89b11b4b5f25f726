/** How long a client waits before it connects again. */
export interface ReconnectOptions {
  /** Longest first wait, ms. @default 250 */
  minDelayMs?: number;
  /** Longest wait of all, ms. @default 15000 */
  maxDelayMs?: number;
}

/**
 * Milliseconds before the next try: half of a span that doubles with every failure, and a random part of the
 * other half, so that many clients do not come back at one moment.
 * @param failures in a row, from 1
 * @param random from 0 to 1
 */
export function backOffMs(failures: number, random: number, options: ReconnectOptions = {}): number {
  const { minDelayMs = 250, maxDelayMs = 15_000 } = options;
  const span = Math.min(maxDelayMs, minDelayMs * 2 ** Math.min(failures - 1, 30));
  return span / 2 + (span / 2) * random;
}

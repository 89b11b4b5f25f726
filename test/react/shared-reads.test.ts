import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { GatewayClient } from "../../src/client/index.js";
import { SharedReads } from "../../src/react/shared-reads.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A gateway that tells of no changes. */
function silentGateway(): GatewayClient {
  return {
    onConnection: () => () => {},
    async *changes({ signal }: { signal?: AbortSignal } = {}) {
      await new Promise((resolve) => signal?.addEventListener("abort", resolve));
    },
  } as Partial<GatewayClient> as GatewayClient;
}

it("a change is read anew by everything that is looked at, however much was made in one render", async () => {
  const reads = new SharedReads(silentGateway());
  const loads = new Map<number, number>();
  const queries = Array.from({ length: 120 }, (_, row) =>
    reads.query([row], {
      load: async () => loads.set(row, (loads.get(row) ?? 0) + 1).size,
      nextLookMs: () => 1_000_000,
      isAbout: () => true,
    }),
  );
  const leave = queries.map((query) => query.subscribe(() => {}));
  await vi.advanceTimersByTimeAsync(0);
  reads.refresh();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([...loads.values()]).toEqual(queries.map(() => 2));
  expect(reads.query([0], { load: async () => 0, nextLookMs: () => 1, isAbout: () => true })).toBe(
    queries[0],
  );
  for (const each of leave) each();
  expect(vi.getTimerCount()).toBe(0);
});

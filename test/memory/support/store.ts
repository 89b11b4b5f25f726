import { onTestFinished } from "vitest";
import { createMemoryStore, type MemoryStoreOptions } from "../../../src/memory/create-memory-store.js";
import type { MemoryStore } from "../../../src/memory/memory-store.js";
import { VirtualClock } from "../../../src/testing/virtual-clock.js";

/** Memory of its own, in virtual time. */
export function memoryInTest(options: MemoryStoreOptions & { path?: string } = {}): {
  memory: MemoryStore;
  clock: VirtualClock;
} {
  const { path = ":memory:", ...rest } = options;
  const clock = new VirtualClock();
  const memory = createMemoryStore(path, { clock, ...rest });
  onTestFinished(() => memory.close());
  return { memory, clock };
}

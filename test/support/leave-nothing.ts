import { afterAll, vi } from "vitest";

// The files of a worker share its process: what one has replaced is put back before the next one.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

import { vi } from "vitest";
import type { RunnerServices } from "../../../src/engine/ports.js";

vi.mock("../../../src/engine/attempt/local-dispatcher.js", async (importOriginal) => {
  const [module, { JsonDispatcher }] = await Promise.all([
    importOriginal<typeof import("../../../src/engine/attempt/local-dispatcher.js")>(),
    import("./json-dispatcher.js"),
  ]);
  class LocalDispatcher extends JsonDispatcher {
    constructor(services: RunnerServices) {
      super(new module.LocalDispatcher(services));
    }
  }
  return { ...module, LocalDispatcher };
});

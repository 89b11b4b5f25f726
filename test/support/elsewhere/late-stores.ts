import { vi } from "vitest";

// Each workflow's database is reached through this class.
vi.mock("../../../src/store/service-db.js", async (importOriginal) => {
  const [module, { lateStore }] = await Promise.all([
    importOriginal<typeof import("../../../src/store/service-db.js")>(),
    import("./late-store.js"),
  ]);
  class ServiceDb extends module.ServiceDb {
    constructor(db: unknown) {
      super(db);
      Object.defineProperty(this, "store", { value: lateStore(this.store) });
    }
  }
  return { ...module, ServiceDb };
});

// Hosts and the workspace's operations open databases without a workflow by it.
vi.mock("../../../src/store/open-existing.js", async (importOriginal) => {
  const [module, { lateStore }] = await Promise.all([
    importOriginal<typeof import("../../../src/store/open-existing.js")>(),
    import("./late-store.js"),
  ]);
  const openExisting: typeof module.openExisting = (...args) =>
    lateStore(module.openExisting(...args)) as ReturnType<typeof module.openExisting>;
  return { ...module, openExisting };
});

import { defineConfig } from "vitest/config";
import base from "../vitest.config.js";

const { projects: _theSuite, ...shared } = base.test ?? {};

export default defineConfig({
  ...base,
  test: { ...shared, include: ["test/soak/**/*.soak.ts"], testTimeout: 0, maxWorkers: 1 },
});

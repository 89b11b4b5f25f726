import { defineConfig, mergeConfig } from "vitest/config";
import base from "../vitest.config.js";

const soaked = mergeConfig(base, defineConfig({ test: { testTimeout: 0, maxWorkers: 1 } }));
soaked.test = { ...soaked.test, include: ["test/soak/**/*.soak.ts"] };

export default soaked;

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

export default defineConfig({
  root: at("."),
  resolve: {
    alias: [
      { find: /^treadle$/, replacement: at("src/index.ts") },
      { find: /^treadle\/jsx-runtime$/, replacement: at("jsx-runtime/jsx-runtime.ts") },
      { find: /^treadle\/jsx-dev-runtime$/, replacement: at("jsx-runtime/jsx-dev-runtime.ts") },
      { find: /^treadle\/([a-z]+)$/, replacement: at("src/$1/index.ts") },
    ],
  },
  oxc: { jsx: { runtime: "automatic", importSource: "treadle" } },
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    testTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
  },
});

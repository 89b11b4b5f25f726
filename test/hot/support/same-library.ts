import { vi } from "vitest";

/** Generations import the library that the test has, not the one that was built. */
vi.mock("../../../src/loader/resolve-own.js", () => {
  const places: Readonly<Record<string, string>> = {
    treadle: "../../../src/index.ts",
    "treadle/jsx-runtime": "../../../jsx-runtime/jsx-runtime.ts",
    "treadle/jsx-dev-runtime": "../../../jsx-runtime/jsx-dev-runtime.ts",
  };
  return {
    resolveOwn: (name: string) => {
      const place = places[name];
      return place === undefined ? import.meta.resolve(name) : new URL(place, import.meta.url).href;
    },
  };
});

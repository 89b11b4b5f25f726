/** In tests, workflow files import the library that the test has, not the one that was built. */
const PLACES: Readonly<Record<string, string>> = {
  treadle: "../../src/index.ts",
  "treadle/jsx-runtime": "../../jsx-runtime/jsx-runtime.ts",
  "treadle/jsx-dev-runtime": "../../jsx-runtime/jsx-dev-runtime.ts",
};

export const resolveOwn = (name: string): string => {
  const place = PLACES[name];
  return place === undefined ? import.meta.resolve(name) : new URL(place, import.meta.url).href;
};

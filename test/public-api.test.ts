import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const manifest = JSON.parse(
  readFileSync(fileURLToPath(new URL("../package.json", import.meta.url)), "utf8"),
) as { exports: Record<string, unknown> };

/** A change here is a change of what users rely on: names are added on purpose and removed with a major version. */
describe("the public names of", () => {
  const subpaths = Object.keys(manifest.exports).filter((path) => path !== "./package.json");

  test.each(subpaths)("%s", async (path) => {
    const names = Object.keys(await import(`treadle${path.slice(1)}`)).sort();
    expect(names).toMatchSnapshot();
  });
});

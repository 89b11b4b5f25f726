import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";

const CLIENT = fileURLToPath(new URL("../../src/client/index.ts", import.meta.url));

it("is under 15 KB in a browser, needs no other package, and nothing of Node", async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [CLIENT],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
  });
  const [bundle] = outputFiles;
  expect(gzipSync(bundle?.contents ?? "").byteLength).toBeLessThan(15_000);
  const foreign = Object.keys(metafile.inputs).filter((path) => path.includes("node_modules"));
  expect(foreign).toEqual([]);
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
});

import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { openGateway } from "../hosts/gateway/support/gateway.js";

const LARGEST = 250 * 1024;

/** The files that a page or a module loads before it runs, not those that it imports later. */
function loadedBy(text: string): string[] {
  return [...text.matchAll(/(?:from|import|src=|href=)\s*"[./]*(?:_ui\/)?([^"/:]+\.(?:js|css))"/g)].flatMap(
    ([, name]) => name ?? [],
  );
}

it("the first view of the operator's page is less than 250 KB, compressed", async () => {
  const { url } = await openGateway(() => {});
  const wanted = loadedBy(await (await fetch(`${url}/console`)).text());
  // Loaded at once: nothing waits until a module has said what it imports.
  const named = wanted.length;
  let size = 0;
  for (const name of wanted) {
    const text = await (await fetch(`${url}/_ui/${name}`)).text();
    size += gzipSync(text).length;
    for (const other of loadedBy(text)) if (!wanted.includes(other)) wanted.push(other);
  }
  expect(wanted).toHaveLength(named);
  expect(size).toBeGreaterThan(50 * 1024);
  expect(size).toBeLessThan(LARGEST);
});

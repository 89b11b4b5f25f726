import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { ANY_CALLER } from "../../../../src/hosts/gateway/caller.js";
import { openExtensionStream } from "../../../../src/hosts/gateway/socket/extension-stream.js";
import type { StreamContext } from "../../../../src/hosts/gateway/socket/stream-method.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

it("a long stream of an extension keeps nothing of the items that it has sent", async () => {
  const sent: WeakRef<object>[] = [];
  async function* handler() {
    for (let n = 0; ; n += 1) {
      const item = { n };
      sent.push(new WeakRef(item));
      yield item;
    }
  }
  const context = { caller: ANY_CALLER, signal: new AbortController().signal } as StreamContext;
  const method = { namespace: "n", key: "k", scope: "run:read" as const, handler };
  const items = openExtensionStream(method, {}, context).items[Symbol.asyncIterator]();
  for (let n = 0; n < 100; n += 1) await items.next();
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(sent.filter((item) => item.deref() !== undefined).length).toBeLessThan(10);
  await items.return?.();
});

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { startServer } from "../../../src/hosts/server/index.js";

it("a server on a taken port says so as the event error", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const server = startServer({ port });
  const error = await new Promise((resolve) => server.once("error", resolve));
  expect(error).toMatchObject({ code: "ADDRESS_IN_USE", details: { port, host: "127.0.0.1" } });
});

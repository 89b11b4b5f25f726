import { describe, expect, it, onTestFinished } from "vitest";
import type { AddressInfo } from "node:net";
import { createHttpTool, createOpenApiTools } from "../../src/index.js";
import { startServer } from "../../src/hosts/server/index.js";
import { Gateway } from "../../src/hosts/gateway/gateway.js";
import { temporaryFolder } from "../support/temporary-folder.js";

type Started = { port: number; close(): Promise<void> };

async function gateway(host: string): Promise<Started> {
  const made = new Gateway({ workspaceRoot: temporaryFolder() });
  onTestFinished(() => made.close());
  const server = await made.listen({ port: 0, host });
  return { port: (server.address() as AddressInfo).port, close: () => made.close() };
}

async function server(host: string): Promise<Started> {
  const made = startServer({ port: 0, host });
  await new Promise((resolve) => made.once("listening", resolve));
  const close = () => new Promise<void>((resolve) => void made.close(() => resolve()));
  onTestFinished(() => (made.listening ? close() : undefined));
  return { port: (made.address() as AddressInfo).port, close };
}

describe.each([
  ["gateway", gateway],
  ["server", server],
])("the port of a %s of this process", (_name, open) => {
  it("is closed to requests of tools, by every name of this machine", async () => {
    const { port } = await open("127.0.0.1");
    const tool = createHttpTool({ denyPrivate: false });
    for (const host of [
      "127.0.0.1",
      "localhost",
      "LOCALHOST",
      "127.9.9.9",
      "127.1",
      "2130706433",
      "0x7f000001",
      "0.0.0.0",
      "[::1]",
      "[::]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
    ]) {
      const call = tool.execute({ url: `http://${host}:${port}/health` });
      await expect(call, host).rejects.toMatchObject({ code: "TOOL_ADDRESS_REFUSED" });
    }
  });

  it("is closed to the tools of an OpenAPI document", async () => {
    const { port } = await open("127.0.0.1");
    const tools = await createOpenApiTools(
      {
        openapi: "3.1.0",
        info: { title: "own", version: "1" },
        paths: { "/health": { get: { operationId: "health", responses: {} } } },
      },
      { baseUrl: `http://localhost:${port}` },
    );
    await expect(tools["health"]?.execute({})).rejects.toThrow(/closed to tools/);
  });

  it("is open again once nothing listens there", async () => {
    const { port, close } = await open("127.0.0.1");
    await close();
    const call = createHttpTool().execute({ url: `http://127.0.0.1:${port}/health` });
    await expect(call).rejects.toMatchObject({ code: "TOOL_HTTP_FAILED" });
  });
});

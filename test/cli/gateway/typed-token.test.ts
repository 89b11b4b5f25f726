import { expect, it } from "vitest";
import { openClient } from "../../../src/cli/source/open-client.js";
import { openGateway } from "../../hosts/gateway/support/gateway.js";
import { doubling } from "../../hosts/gateway/support/workflows.js";
import { memoryTerminal } from "../support/terminal.js";

it("a token of standard input is good for every client of the call, as for each look of --watch", async () => {
  const { url } = await openGateway((gateway, folder) => gateway.register("double", doubling(folder)), {
    auth: { mode: "token", tokens: { secret: { role: "operator", scopes: ["*"] } } },
  });
  const terminal = memoryTerminal({ isInteractive: true });
  terminal.input.end("secret\n");
  const gateway = { url, isNamed: true, token: "-" };
  for (let look = 0; look < 2; look += 1) {
    const client = await openClient(gateway, terminal);
    await expect(client.listRuns()).resolves.toMatchObject({ runs: [] });
    client.close();
  }
});

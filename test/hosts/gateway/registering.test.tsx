import { describe, expect, it } from "vitest";
import { Gateway } from "../../../src/hosts/gateway/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { openGateway } from "./support/gateway.js";
import { asking, doubling } from "./support/workflows.js";

describe("what is registered", () => {
  it("is chained, and listed by key to who asks for it", async () => {
    const { call, url } = await openGateway((gateway, folder) => {
      gateway
        .register("twice", doubling(folder), { ui: { entry: "app.tsx" } })
        .register("ask", asking(folder));
    });
    const workflows = [
      {
        key: "ask",
        workflowName: "ask",
        readableName: null,
        description: null,
        schedule: null,
        hasWebhook: false,
        fingerprint: null,
        uiPath: null,
      },
      {
        key: "twice",
        workflowName: "double",
        readableName: "Doubling",
        description: "Twice as much.",
        schedule: null,
        hasWebhook: false,
        fingerprint: null,
        uiPath: "/workflows/twice",
      },
    ];
    expect(await call("listWorkflows")).toEqual({ workflows, broken: [] });
    expect(await (await fetch(`${url}/workflows?x=1`)).json()).toEqual({ workflows, broken: [] });
  });

  it.each(["", "a/b", "a b", "..", ".hidden", "ä", "a?b", "a%2fb", "x".repeat(129), 5, undefined])(
    "has no key such as %j",
    (key) => {
      expect(() => new Gateway().register(key as string, doubling(temporaryFolder()))).toThrow(
        expect.objectContaining({ code: "INVALID_INPUT", message: expect.stringContaining("key") }),
      );
    },
  );

  it.each([
    ["schedule", { schedule: "bad" }],
    ["schedule", { schedule: "0 0 30 2 *" }],
    ["webhook.signal.name", { webhook: { secret: "s", signal: {} } }],
    ["webhook.secret", { webhook: {} }],
  ])("is refused naming the option %s, for %j", (option, options) => {
    expect(() => new Gateway().register("key", doubling(temporaryFolder()), options as never)).toThrow(
      expect.objectContaining({
        code: "INVALID_INPUT",
        message: expect.stringContaining(`Option ${option}:`),
      }),
    );
  });

  it("has no key twice", () => {
    const folder = temporaryFolder();
    const gateway = new Gateway().register("twice", doubling(folder));
    expect(() => gateway.register("twice", asking(folder))).toThrow(
      expect.objectContaining({ code: "WORKFLOW_EXISTS" }),
    );
  });

  it.each([undefined, null, {}, "flow.tsx", { build: () => null }])(
    "is a workflow, and not %j",
    (workflow) => {
      expect(() => new Gateway().register("key", workflow as never)).toThrow(
        expect.objectContaining({ name: "ServiceError" }),
      );
    },
  );

  it("is all there is: a gateway that listens takes no more", async () => {
    const { gateway, folder } = await openGateway((gateway, folder) =>
      gateway.register("ask", asking(folder)),
    );
    expect(() => gateway.register("twice", doubling(folder))).toThrow(
      expect.objectContaining({ code: "GATEWAY_LISTENS" }),
    );
    expect(() => gateway.extend("own", {})).toThrow(expect.objectContaining({ code: "GATEWAY_LISTENS" }));
    await expect(gateway.listen({ port: 0 })).rejects.toMatchObject({ code: "GATEWAY_LISTENS" });
    await gateway.close();
    await gateway.close();
    expect(() => gateway.register("twice", doubling(folder))).toThrow(
      expect.objectContaining({ code: "GATEWAY_CLOSED" }),
    );
    await expect(gateway.listen({ port: 0 })).rejects.toMatchObject({ code: "GATEWAY_CLOSED" });
  });
});

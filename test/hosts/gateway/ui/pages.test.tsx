import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGateway, rawRequest } from "../support/gateway.js";
import { doubling } from "../support/workflows.js";

const HOSTILE = "</script><script>alert(1)</script>\u2028<!--";

/** A page's module and what it imports, in a workspace. */
function writePage(folder: string, text = 'import "./app.css";\ndocument.title += "!";\n'): void {
  writeFileSync(join(folder, "app.css"), "p { color: red }");
  writeFileSync(join(folder, "app.ts"), text);
}

const sources = (html: string) =>
  [...html.matchAll(/(?:src|href)="([^"]*_ui\/[^"]+)"/g)].map(([, path]) => path ?? "");

describe("a page of a gateway", () => {
  it("loads its module with hashed names that may be kept for ever, and is not kept itself", async () => {
    const { url } = await openGateway(
      (gateway, folder) => {
        writePage(folder);
        gateway.register("twice", doubling(folder), { ui: { entry: "app.ts", title: "Twice" } });
      },
      { operatorUi: false },
    );
    const response = await fetch(`${url}/workflows/twice`);
    const html = await response.text();
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=UTF-8",
    ]);
    expect(html).toContain("<title>Twice</title>");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    const files = sources(html);
    expect(files).toEqual([
      expect.stringMatching(/^\.\.\/_ui\/app-[A-Z0-9]{8}\.css$/),
      expect.stringMatching(/^\.\.\/_ui\/app-[A-Z0-9]{8}\.js$/),
    ]);
    for (const [index, file] of files.entries()) {
      const asset = await fetch(new URL(file, `${url}/workflows/twice`));
      expect(asset.status).toBe(200);
      expect(asset.headers.get("content-type")).toMatch(["text/css", "text/javascript"][index] ?? "");
      expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(asset.headers.get("x-content-type-options")).toBe("nosniff");
      expect(asset.headers.get("content-encoding")).toBe("gzip");
      const plain = await fetch(asset.url, { headers: { "accept-encoding": "identity" } });
      expect(plain.headers.get("content-encoding")).toBe(null);
      expect(await plain.text()).toBe(await asset.text());
    }
    expect((await fetch(`${url}/_ui/${encodeURIComponent("../../service.db")}`)).status).toBe(404);
  });

  it("is given its props as data that no text in them can end", async () => {
    const { url } = await openGateway((_gateway, folder) => writePage(folder), {
      ui: { entry: "app.ts", title: HOSTILE, props: { greeting: HOSTILE } },
    });
    const html = await (await fetch(url)).text();
    expect(html).not.toContain("alert(1)</script>");
    expect(html).not.toContain("\u2028<");
    const [, json = ""] =
      /<script type="application\/json" id="treadle-boot">(.*?)<\/script>/s.exec(html) ?? [];
    expect(JSON.parse(json)).toEqual({
      basePath: "./",
      pagePath: "",
      workflowKey: null,
      title: HOSTILE,
      requiresToken: false,
      props: { greeting: HOSTILE },
    });
  });

  it("that cannot be bundled says where, until its file is corrected; the gateway answers all the while", async () => {
    const gateway = await openGateway((_gateway, folder) => writePage(folder, "let = <;\n"), {
      ui: { entry: "app.ts" },
    });
    const broken = await fetch(gateway.url);
    expect(broken.status).toBe(500);
    expect(await broken.text()).toContain("app.ts:1:");
    await gateway.call("health");
    writePage(gateway.folder);
    expect((await fetch(gateway.url)).status).toBe(200);
  });

  it("that cannot be bundled shows no sources where callers need credentials", async () => {
    const { url } = await openGateway((_gateway, folder) => writePage(folder, "let secret = <;\n"), {
      ui: { entry: "app.ts" },
      auth: { mode: "token", tokens: { right: { role: "operator", scopes: ["*"] } } },
    });
    const text = await (await fetch(url)).text();
    expect(text).toContain("The log of the gateway says why.");
    expect(text).not.toContain("secret");
  });

  it("is open to those without a token, and to no origin that is not let in", async () => {
    const { url } = await openGateway((_gateway, folder) => writePage(folder), {
      ui: { entry: "app.ts" },
      auth: {
        mode: "token",
        tokens: { right: { role: "operator", scopes: ["*"] } },
        allowedOrigins: ["https://ops.example"],
      },
    });
    const html = await (await fetch(url)).text();
    expect(html).toContain('"requiresToken":true');
    for (const path of ["/", `/${sources(html)[1]?.slice(2)}`]) {
      expect((await rawRequest(`${url}${path}`)).status).toBe(200);
      const foreign = await rawRequest(`${url}${path}`, { headers: { origin: "https://evil.example" } });
      expect(foreign.status).toBe(403);
    }
    expect((await fetch(`${url}/nothing-here`)).status).toBe(401);
  });

  it("is answered under a name of this machine only, where callers need no credentials", async () => {
    const { url } = await openGateway((_gateway, folder) => writePage(folder), { ui: { entry: "app.ts" } });
    expect((await rawRequest(url, { headers: { host: "evil.example" } })).status).toBe(403);
  });

  it("at a path that is taken, or the gateway's own, is refused", async () => {
    const at = (path: string) =>
      openGateway((_gateway, folder) => writePage(folder), { ui: { entry: "app.ts", path } });
    await expect(at("/console")).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(at("/v1/pages")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});

describe("the operator's page", () => {
  it("is at /console, where / leads to, and at / or elsewhere when it is configured so", async () => {
    const usual = await openGateway(() => {});
    const first = await fetch(usual.url);
    expect([first.redirected, new URL(first.url).pathname, first.status]).toEqual([true, "/console", 200]);
    expect(await first.text()).toContain("<title>treadle console</title>");
    expect(new URL((await fetch(`${usual.url}/console/`)).url).pathname).toBe("/console");
    const other = await openGateway(() => {}, { ui: true, operatorUi: { path: "/ops/desk", title: "Desk" } });
    expect(await (await fetch(`${other.url}/`)).text()).toContain('id="treadle-boot"');
    const desk = await (await fetch(`${other.url}/ops/desk`)).text();
    expect(desk).toContain("<title>Desk</title>");
    for (const file of sources(desk)) {
      expect((await fetch(new URL(file, `${other.url}/ops/desk`))).status).toBe(200);
    }
    const none = await openGateway(() => {}, { operatorUi: false });
    expect((await fetch(`${none.url}/console`)).status).toBe(404);
  });

  it("of a workflow knows which one", async () => {
    const { url } = await openGateway((gateway, folder) =>
      gateway.register("twice", doubling(folder), { ui: true }),
    );
    const html = await (await fetch(`${url}/workflows/twice`)).text();
    expect(html).toContain('"workflowKey":"twice"');
  });
});

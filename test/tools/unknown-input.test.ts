import { expect, it } from "vitest";
import { createHttpTool, createTools } from "../../src/tools/index.js";
import { workspace } from "./support/workspace.js";

const fitting = {
  read: { path: "a.txt" },
  write: { path: "a.txt", content: "" },
  edit: { path: "a.txt", patch: "" },
  grep: { pattern: "a" },
  bash: { cmd: "true" },
  http: { url: "http://127.0.0.1:9/" },
};

it.each([
  ["read", { lines: 3 }],
  ["write", { append: true }],
  ["edit", { dryRun: true }],
  ["grep", { include: "*.ts" }],
  ["bash", { cwd: "folder" }],
  ["bash", { opts: { dir: "folder" } }],
  ["http", { params: { q: "1" } }],
  ["http", { auth: { type: "bearer", token: "t", scheme: "Token" } }],
] as const)("%s refuses what it does not know instead of continuing without it: %j", async (name, more) => {
  const tools = { ...createTools({ rootDir: await workspace({ "a.txt": "a" }) }), http: createHttpTool() };
  const unknown = Object.keys("opts" in more ? more.opts : "auth" in more ? more.auth : more).at(-1);
  await expect(tools[name].execute({ ...fitting[name], ...more } as never)).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringContaining(`"${unknown}"`),
  });
});

import { existsSync, mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { removeLeftFolders } from "../../../src/agents/cli/left-folders.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

it("folders of calls go when their process has died and a day is over, and no others", async () => {
  const parent = temporaryFolder();
  const yesterday = new Date(Date.now() - 2 * 86_400_000);
  const make = (name: string, touched: Date) => {
    mkdirSync(join(parent, name));
    utimesSync(join(parent, name), touched, touched);
    return name;
  };
  const dead = make("ours-dead-1", yesterday);
  const kept = [make("ours-alive-1", yesterday), make("ours-dead-2", new Date()), make("theirs", yesterday)];
  await removeLeftFolders(parent, {
    prefix: "ours-",
    isUsed: (name) => name.includes("alive"),
    untouchedMs: 86_400_000,
  });
  expect(existsSync(join(parent, dead))).toBe(false);
  expect(kept.filter((name) => !existsSync(join(parent, name)))).toEqual([]);
});

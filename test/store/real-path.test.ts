import { renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LiveText } from "../../src/engine/attempt/live-text.js";
import { ByRun, fileIdentity } from "../../src/store/real-path.js";
import { databasePath, openStore } from "./support/database.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** One file, opened by two paths. */
function twoPaths() {
  const path = databasePath();
  const one = openStore(path, {});
  one.prepare();
  const link = join(temporaryFolder(), "linked.db");
  symlinkSync(path, link);
  return [one, openStore(link, {})] as const;
}

it("what is known of a run is known by every path to its database", () => {
  const [one, other] = twoPaths();
  const known = new ByRun<string>();
  known.set(one, "run", "a");
  expect(known.get(other, "run")).toBe("a");
  expect(known.get(other, "run-2")).toBeUndefined();
  known.delete(other, "run", "another value");
  expect(known.get(one, "run")).toBe("a");
  known.delete(other, "run", "a");
  expect(known.get(one, "run")).toBeUndefined();
});

it("runs of databases in memory are known apart", () => {
  const known = new ByRun<string>();
  const [one, other] = [openStore(":memory:", {}), openStore(":memory:", {})];
  known.set(one, "run", "a");
  expect(known.get(other, "run")).toBeUndefined();
});

it("what an agent writes is heard by every path to its database", () => {
  const [one, other] = twoPaths();
  const heard: string[] = [];
  const live = new LiveText();
  const forget = live.listen(other, "run", ({ text }) => heard.push(text));
  const piece = { runId: "run", nodeId: "a", iteration: 0, attempt: 1 };
  live.say(one, { ...piece, text: "first" });
  forget();
  live.say(one, { ...piece, text: "second" });
  expect(heard).toEqual(["first"]);
});

it("a file that is open is the one it was, whatever becomes of the folders on its path", () => {
  const folder = temporaryFolder();
  const store = openStore(join(folder, "service.db"), {});
  const before = fileIdentity(store);
  store.prepare();
  expect(fileIdentity(store)).toBe(before);
  renameSync(folder, `${folder}-moved`);
  symlinkSync(`${folder}-moved`, folder);
  expect(fileIdentity(store)).toBe(before);
  renameSync(folder, `${folder}-link`);
  renameSync(`${folder}-moved`, folder);
});

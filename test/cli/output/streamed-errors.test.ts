import { expect, it } from "vitest";
import { callIn } from "../support/in-process.js";
import { Workspace } from "../support/treadle.js";

it("an error of a command that prints one document a line is one line as well", async () => {
  const { folder } = new Workspace({});
  const nobody = "http://127.0.0.1:9";
  for (const argv of [
    ["events", "x"],
    ["logs", "x", "--follow"],
    ["supervise", "--db", "nowhere.db"],
    ["gateway", "--port", "99999"],
    ["ps", "--watch", "--gateway", nobody],
    ["events", "x", "--limit", "0"],
  ]) {
    const { code, stdout } = await callIn(folder, [...argv, "--json"]);
    expect({ argv, failed: code > 0 }).toEqual({ argv, failed: true });
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false });
  }
  // The one document of the others is made to be read.
  expect((await callIn(folder, ["inspect", "x", "--json"])).stdout.split("\n").length).toBeGreaterThan(5);
});

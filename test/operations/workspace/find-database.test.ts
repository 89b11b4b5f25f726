import { describe, expect, it } from "vitest";
import { findDatabase } from "../../../src/operations/workspace/open-workspace.js";
import { Workspace } from "../../cli/support/treadle.js";

describe("the database of a workspace", () => {
  it("is service.db of the nearest folder that has one, or a .service folder", () => {
    const workspace = new Workspace({
      "service.db": "",
      "inner/.service/x": "",
      "inner/deep/x": "",
      "other/x": "",
    });
    expect(findDatabase(workspace.path("other"), undefined)).toBe(workspace.path("service.db"));
    workspace.write("inner/service.db", "");
    expect(findDatabase(workspace.path("inner/deep"), undefined)).toBe(workspace.path("inner/service.db"));
  });

  it("is the named one, relative to the current folder", () => {
    const workspace = new Workspace({ "service.db": "", "data/mine.db": "" });
    expect(findDatabase(workspace.folder, "data/mine.db")).toBe(workspace.path("data/mine.db"));
  });

  it("does not exist before the first run", () => {
    const workspace = new Workspace({ ".service/x": "" });
    expect(() => findDatabase(workspace.folder, undefined)).toThrow(
      expect.objectContaining({ code: "CLI_DB_NOT_FOUND" }),
    );
    expect(() => findDatabase(workspace.folder, "gone.db")).toThrow(
      expect.objectContaining({ code: "CLI_DB_NOT_FOUND", message: expect.stringContaining("gone.db") }),
    );
  });
});

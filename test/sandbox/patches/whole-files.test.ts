import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DiffPatch } from "../../../src/model/sandbox-provider.js";
import { Snapshots } from "../../../src/sandbox/patches/snapshots.js";
import { putWholeFiles, wholeFile } from "../../../src/sandbox/patches/whole-files.js";
import { writeFolder } from "../../support/folder-content.js";

const CONTENT = Buffer.of(0, 1, 2, 255);
const patch = (path: string, operation: DiffPatch["operation"], diff = ""): DiffPatch => ({
  path,
  operation,
  diff,
  binaryContent: CONTENT.toString("base64"),
});

let snapshots: Snapshots;
let given: string;

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "treadle-whole-"));
  mkdirSync(join(folder, "files"));
  writeFolder(join(folder, "files"), { logo: "-\0", notes: "-one\n" });
  snapshots = new Snapshots(join(folder, "git"));
  given = await snapshots.take(join(folder, "files"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const put = async (patches: readonly DiffPatch[]) =>
  putWholeFiles(
    snapshots,
    given,
    patches.flatMap((each) => wholeFile(each) ?? []),
  );

describe("a whole file of a patch is refused where", () => {
  it.each<[string, DiffPatch[], string]>([
    ["it is deleted", [patch("logo", "delete")], "deletes a file and has binaryContent"],
    ["it is no base64", [{ ...patch("logo", "modify"), binaryContent: "AA=A" }], "no base64"],
    [
      "lines are changed beside it",
      [patch("notes", "modify", "--- a/notes\n+++ b/notes\n@@ -1 +1 @@\n-one\n+eins\n")],
      "beside a diff that changes lines",
    ],
    ["it is added and was there", [patch("logo", "add")], "it has to modify it"],
    ["it is modified and was not there", [patch("logos", "modify")], "there is no base"],
    [
      "it was made from another content",
      [patch("logo", "modify", "index 1234567..89abcde 100644\n")],
      "was made from the content 1234567",
    ],
    ["it leaves the folder", [patch("../logo", "add")], "is about no file of the folder"],
    ["it stands elsewhere", [patch("/tmp/logo", "add")], "is about no file of the folder"],
    ["its path has an end inside", [patch("a\u0000b", "add")], "is about no file of the folder"],
    ["it is of a repository", [patch(".git/config", "add")], "a place that no file can have"],
    ["a file is in its way", [patch("notes/logo", "add")], '"notes" in the sandbox\'s diffBundle would go'],
    ["it is a link", [patch("l", "add", "new file mode 120000\n")], "gives the file the mode 120000"],
    ["its path is there twice", [patch("b", "add"), patch("b", "add")], "is there twice"],
  ])("%s", async (_, patches, message) => {
    await expect(put(patches)).rejects.toMatchObject({
      code: "SANDBOX_BUNDLE_INVALID",
      message: expect.stringContaining(message) as string,
    });
  });

  it("there are more than 1,000", async () => {
    const many = Array.from({ length: 1_001 }, (_, n) => patch(`f${n}`, "add"));
    await expect(put(many)).rejects.toMatchObject({ code: "SANDBOX_BUNDLE_TOO_LARGE" });
  });
});

it("a whole file that is as it was changes nothing", async () => {
  const same = { ...patch("logo", "modify"), binaryContent: Buffer.of(0).toString("base64") };
  expect(await put([same])).toBe(given);
});

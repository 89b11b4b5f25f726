import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { schemas } from "../conformance/store/fixtures.js";
import { openStore, temporaryFolder } from "./support/database.js";

it.each([
  ["through a file", "file/service.db"],
  ["to a name that is too long", `${"n".repeat(300)}.db`],
  ["to a name with a null byte", "a\0b.db"],
])("a path that leads %s is a STORAGE_ERROR that names it", (_what, name) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  const path = join(folder, name);
  expect(() => openStore(path, schemas).prepare()).toThrow(
    expect.objectContaining({ code: "STORAGE_ERROR", details: { path }, retryable: false }),
  );
});

import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { schemas } from "../../conformance/store/fixtures.js";

/** Makes a database, and dies right before or right after the file appears at its path. */
const [path = "", moment = ""] = process.argv.slice(2);
const { linkSync } = fs;
fs.linkSync = (from, to) => {
  if (moment === "after") linkSync(from, to);
  process.kill(process.pid, "SIGKILL");
};
syncBuiltinESMExports();
const { createSqliteDb } = await import("../../../src/store/create-sqlite-db.js");
createSqliteDb({ path, schemas }).store.prepare();
process.stdout.write("survived");

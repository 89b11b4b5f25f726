import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { coversFor } from "../../../src/process/isolation/ways.js";
import { workspaceState } from "../../../src/process/workspace-state.js";
import { runCommand } from "../../../src/tools/process/run-command.js";
import { once } from "../../../src/util/once.js";
import { forgedJournal } from "../../support/forged-journal.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { confinedTo, isIsolationPermitted, permittedWays } from "../../tools/support/isolation.js";

if (!isIsolationPermitted) {
  console.warn("This host permits no isolation: what commands leave beside a database is NOT tested here.");
}

function database(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  const db = new Database(path);
  db.pragma("journal_mode = WAL");
  db.exec(`CREATE TABLE decisions (text); INSERT INTO decisions VALUES ('${text}')`);
  db.close();
  return path;
}

function decisionIn(path: string): unknown {
  const db = new Database(path);
  try {
    return db.prepare("SELECT text FROM decisions").pluck().get();
  } finally {
    db.close();
  }
}

const bytesOf = (text: string) => once(() => readFileSync(database(join(temporaryFolder(), "a.db"), text)));
const sound = bytesOf("denied");
const forged = bytesOf("approved");

/** A workspace with its database at `name`, and what an attack brings along. */
function scene(name: string) {
  const root = temporaryFolder();
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, sound());
  writeFileSync(join(root, "forged.db"), forged());
  writeFileSync(join(root, "forged-journal"), forgedJournal(forged()));
  return { root, path, hidden: workspaceState(root, path) };
}

/** The command in each manner in which this host keeps the database from it: those of tools, and those of agents. */
async function inEach(name: string, cmd: string) {
  const asTools = permittedWays(confinedTo(temporaryFolder())).map(async (_way, index) => {
    const place = scene(name);
    const confinement = confinedTo(place.root, { hidden: place.hidden });
    await runCommand({
      argv: ["bash", "-c", cmd],
      isolation: permittedWays(confinement)[index],
      cwd: place.root,
      env: confinement.env,
      signal: new AbortController().signal,
      maxOutputBytes: 10_000,
    });
    return place;
  });
  const asAgents = coversFor([]).map(async (_way, index) => {
    const place = scene(name);
    const [program = "", ...args] = coversFor(place.hidden)[index]?.argv ?? [];
    // Whether it may: a host that forbids it starts nothing, and leaves the place as it was.
    await promisify(execFile)(program, [...args, "bash", "-c", cmd], { cwd: place.root }).catch(
      () => undefined,
    );
    return place;
  });
  return Promise.all([...asTools, ...asAgents]);
}

it("a journal beside a database is what the database holds when it is opened next", () => {
  const { root, path } = scene("service.db");
  writeFileSync(`${path}-journal`, readFileSync(join(root, "forged-journal")));
  expect(decisionIn(path)).toBe("approved");
});

const RENAME =
  "R=$PWD; mv data d2; mkdir -p data/run; cp forged.db $DB; cd ..; mv $R $R-2; mkdir -p $(dirname $R/$DB); cp $R-2/forged.db $R/$DB";

describe.runIf(isIsolationPermitted)("the database of a workspace is what it was after a command", () => {
  it.each([
    ["has left a journal beside it", "service.db", "cp forged-journal $DB-journal"],
    ["has renamed a journal to its name", "service.db", "mv -f forged-journal $DB-journal"],
    [
      "has linked a journal",
      "service.db",
      "ln -f forged-journal $DB-journal; ln -sf $PWD/forged-journal $DB-journal",
    ],
    ["has left a log beside it", "service.db", "cp forged.db $DB-wal; cp forged.db $DB-shm"],
    ["has replaced it", "service.db", "cp forged.db $DB; mv -f forged.db $DB"],
    ["has renamed a folder above it", "data/run/own.db", RENAME],
    ["has renamed the private folder that it lies in", ".service/runs.db", `mv .service s2; ${RENAME}`],
    [
      "has planted all in that folder",
      ".service/runs.db",
      "for f in '' -wal -journal; do cp forged-journal $DB$f; done",
    ],
    [
      "has uncovered it",
      "service.db",
      "umount $DB; unshare -Urm sh -c 'umount $DB; umount .; cp forged.db $DB'",
    ],
  ])("%s", async (_what, name, attack) => {
    for (const { path } of await inEach(name, `DB=${name}; export DB; ${attack}`)) {
      expect(decisionIn(path)).toBe("denied");
    }
  });

  it("and no workflow can be left in a state folder that was not there", async () => {
    const plant = "mkdir -p .service/workflows; echo evil > .service/workflows/report.tsx";
    for (const { root } of await inEach("service.db", plant)) {
      expect(existsSync(join(root, ".service/workflows"))).toBe(false);
    }
  });

  it("and a folder of the root without a database gets no state folder", async () => {
    for (const { root } of await inEach("data/run/own.db", "true")) {
      expect(existsSync(join(root, ".service"))).toBe(false);
    }
  });
});

import { chmodSync } from "node:fs";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { jsx } from "../../../jsx-runtime/jsx-runtime.js";
import {
  type CreateServicePostgresOptions,
  createServicePostgres,
  runWorkflow,
  ServiceError,
} from "../../../src/index.js";
import { mountSmallDisk, type SmallDisk } from "../../support/crash/small-disk.js";
import { initializePglite } from "../../support/pglite/initialized-folder.js";
import { PostgresServer } from "../../support/postgres/server.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** What a new database takes, with its log, and some room. */
const MEGABYTES = 140;

function smallDisk(): SmallDisk | undefined {
  const parent = temporaryFolder();
  // A server is another user's.
  chmodSync(parent, 0o755);
  const disk = mountSmallDisk(parent, MEGABYTES);
  onTestFinished(() => disk?.unmount());
  return disk;
}

async function onServer(folder: string): Promise<CreateServicePostgresOptions> {
  const server = await PostgresServer.start([], folder);
  onTestFinished(() => server.remove());
  return { connectionString: server.url(), waitMs: 2_000 };
}

const inFolder = async (folder: string): Promise<CreateServicePostgresOptions> => ({
  provider: "pglite",
  dataDir: await initializePglite(join(folder, "data")),
});

describe.for([
  ["a server", onServer],
  ["PGlite", inFolder],
] as const)("the full disk of %s", ([, place]) => {
  it("stops a run, which goes on when there is room", async ({ skip }) => {
    const disk = smallDisk();
    if (disk === undefined) return skip("This user may not mount a small disk.");
    const api = await createServicePostgres(
      { note: z.object({ text: z.string() }) },
      await place(disk.folder),
    );
    onTestFinished(() => api.close());
    const { Workflow, Task, outputs, service } = api;
    const executions: string[] = [];
    let makeRoom: (() => void) | undefined;
    const large = randomBytes(3_000_000).toString("base64");
    const texts: Record<string, () => string> = {
      before: () => "small",
      large() {
        makeRoom ??= disk.fill();
        return large;
      },
      after: () => "small again",
    };
    const workflow = service(() =>
      jsx(Workflow, {
        name: "filling",
        children: Object.entries(texts).map(([id, text]) =>
          jsx(
            Task,
            {
              id,
              output: outputs.note,
              children: () => {
                executions.push(id);
                return { text: text() };
              },
            },
            id,
          ),
        ),
      }),
    );

    const first = runWorkflow(workflow, { runId: "run-1", input: {} });
    await expect(first).rejects.toMatchObject({
      code: "DB_WRITE_FAILED",
      message: expect.stringContaining("disk is full") as string,
    });
    expect(await rowsOf(api)).toEqual([["before", "small"]]);

    makeRoom?.();
    const resumed = await expectResumed(() => runWorkflow(workflow, { runId: "run-1", resume: true }));
    expect(resumed.status).toBe("finished");
    expect(executions).toEqual(["before", "large", "large", "after"]);
    expect(await rowsOf(api)).toEqual([
      ["after", "small again"],
      ["before", "small"],
      ["large", large],
    ]);
  });
});

async function rowsOf({ db }: { db: { execute(text: string): Promise<unknown> } }): Promise<unknown[]> {
  const rows = (await db.execute("SELECT node_id, text FROM note ORDER BY node_id")) as {
    node_id: string;
    text: string;
  }[];
  return rows.map(({ node_id, text }) => [node_id, text]);
}

/** The lease could not be given up either where there was no room for that: then it ends with its heartbeat. */
async function expectResumed<T>(resume: () => Promise<T>): Promise<T> {
  let found: { result: T } | undefined;
  await expect
    .poll(async () => {
      found = await resume().then(
        (result) => ({ result }),
        (error: unknown) => {
          if (ServiceError.is(error, "RUN_OWNER_ALIVE")) return undefined;
          throw error;
        },
      );
      return found !== undefined;
    })
    .toBe(true);
  return (found as { result: T }).result;
}

import { once } from "node:events";
import { join } from "node:path";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { createService, ServiceDb, startServer } from "../../../../src/index.js";
import { Gateway } from "../../../../src/hosts/gateway/index.js";
import { randomFrom } from "../../../support/crash/random.js";
import { followByEvents, followBySocket } from "./followers.js";

export interface CrowdOptions {
  folder: string;
  runs: number;
  sockets: number;
  eventStreams: number;
  /** Tasks of each run, one after the other, and how long each takes, milliseconds. */
  tasks: number;
  taskMs: number;
  /** Says when connections break. */
  seed: number;
}

export interface Crowd {
  gateway: Gateway;
  url: string;
  /** Starts the runs, has all clients follow them to their end, and tells what is wrong with what they got. */
  round(name: string): Promise<{ wrong: string[]; connections: number; events: number }>;
  close(): Promise<void>;
}

/** A gateway and a server of one database, with many clients that follow its runs and often break off. */
export async function openCrowd(options: CrowdOptions): Promise<Crowd> {
  const { folder, tasks, taskMs } = options;
  const { Workflow, Sequence, Task, service, outputs } = createService(
    { row: z.object({ n: z.number() }) },
    { dbPath: join(folder, "service.db") },
  );
  const workflow = service(() => (
    <Workflow name="chatter">
      <Sequence>
        {Array.from({ length: tasks }, (_, n) => (
          <Task key={n} id={`t${n}`} output={outputs.row}>
            {async (_deps: unknown, { log }: { log(text: string): void }) => {
              log(`task ${n}`);
              await pause(taskMs);
              return { n };
            }}
          </Task>
        ))}
      </Sequence>
    </Workflow>
  ));
  const db = new ServiceDb(workflow.db);
  const flood = async function* () {
    for (;;) yield "x".repeat(65_536);
  };
  const gateway = new Gateway({ workspaceRoot: folder })
    .register("chatter", workflow)
    .extend("crowd", { streams: { flood: { handler: flood } } });
  const listening = await gateway.listen({ port: 0 });
  const server = startServer({ port: 0, db: workflow.db });
  await once(server, "listening");
  const [url, serverUrl] = [listening, server].map(
    (each) => `http://127.0.0.1:${(each.address() as AddressInfo).port}`,
  ) as [string, string];

  const launch = async (runId: string) => {
    const body = JSON.stringify({ workflow: "chatter", runId, input: {} });
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${url}/v1/rpc/launchRun`, { method: "POST", headers, body });
    if (!response.ok) throw new Error(await response.text());
  };
  const random = randomFrom(options.seed);
  return {
    gateway,
    url,
    async round(name) {
      const runIds = Array.from({ length: options.runs }, (_, n) => `${name}-${n}`);
      for (const runId of runIds) await launch(runId);
      const breaksAfter = () => (random() < 0.7 ? 1 + Math.floor(random() * 30) : undefined);
      const runOf = (n: number) => runIds[n % runIds.length] as string;
      const all = await Promise.all([
        ...Array.from({ length: options.sockets }, (_, n) =>
          followBySocket({ url, runId: runOf(n), breaksAfter }),
        ),
        ...Array.from({ length: options.eventStreams }, (_, n) =>
          followByEvents({ url: serverUrl, runId: runOf(n * 7), breaksAfter }),
        ),
      ]);
      const wrong: string[] = [];
      for (const { runId, seqs } of all) {
        const stored = await db.store.listEvents(runId, { limit: 1_000_000 });
        const expected = stored.map(({ seq }) => seq).join();
        if (seqs.join() !== expected) wrong.push(`${runId}: ${seqs.join()}, not ${expected}`);
      }
      const connections = all.reduce((sum, each) => sum + each.connections, 0);
      return { wrong, connections, events: all.reduce((sum, { seqs }) => sum + seqs.length, 0) };
    },
    async close() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await gateway.close();
      await db.store.close();
    },
  };
}

import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/util/ids.js";
import { engineRunning } from "./support/engine.js";
import { networks } from "./support/isolation.js";
import { eventually, processesWith } from "./support/processes.js";

const command = `
  sleep 600 &
  (sleep 600 &)
  setsid sleep 600 &
  sh -c 'trap "" TERM HUP; sleep 600; sleep 600' &
  wait
`;

describe.each(networks)(
  "the death of the engine (allowNetwork: $allowNetwork, isolation: $toolIsolation)",
  (network) => {
    it.each(["SIGKILL", "SIGTERM"] as const)(
      "by %s leaves no process of a running command behind",
      async (signal) => {
        const marker = `marker-${newId()}`;
        const engine = await engineRunning(command, { ...network, marker });
        const left = async () => (await processesWith(marker)).filter((pid) => pid !== engine.pid);
        await eventually(async () => (await left()).length >= 5, 100_000);
        engine.kill(signal);
        await once(engine, "exit");
        await eventually(async () => (await left()).length === 0, 100_000);
        expect(await left()).toEqual([]);
      },
    );
  },
);

import { readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";

it("a secret of the environment that a task throws is neither stored nor shown", async () => {
  const secret = "zebra-4711-quartz";
  vi.stubEnv("MY_API_KEY", secret);
  const { api, run, path, store } = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Task, service, outputs } = api;
  const workflow = service(() => (
    <Workflow name="leaks">
      <Task id="leak" output={outputs.row} retries={0}>
        {() => {
          throw new Error(`401 for key ${secret}`, { cause: new TypeError(`no ${secret}`) });
        }}
      </Task>
    </Workflow>
  ));
  const result = await run(workflow);
  expect(JSON.stringify(result.error)).toContain("401 for key [redacted]");
  expect(JSON.stringify([result, await store.listEvents("run", { limit: 100 })])).not.toContain(secret);
  await store.close();
  expect(readFileSync(path).includes(secret)).toBe(false);
});

const NAMES = ["API_KEY", "API_KEY_2", "SESSION_COOKIE", "SENTRY_DSN", "DB_PASS", "SERVICE_AUTH"];

it("it does not matter how the environment names a secret, or whether it does, if it looks like one", async () => {
  const named = NAMES.map((name, at) => {
    vi.stubEnv(name, `zebra-${at}-quartz-4711`);
    return `zebra-${at}-quartz-4711`;
  });
  vi.stubEnv("HOOK", "https://hooks.example/in?token=otter-77-basalt");
  const shapes = [
    `gh${"p_"}${"a1B2".repeat(9)}`,
    `AI${"za"}${"Sy3D_".repeat(7)}`,
    `npm${"_"}${"z9Y8".repeat(9)}`,
  ];
  const secrets = [...named, "otter-77-basalt", ...shapes, "hunter77"];
  const { api, run, path, store } = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Task, service, outputs } = api;
  const workflow = service(() => (
    <Workflow name="leaks">
      <Task id="leak" output={outputs.row} retries={0}>
        {() => {
          const text = `${secrets.slice(0, -1).join(" ")} postgres://app:hunter77@db/app`;
          console.log(text);
          throw new Error(text, { cause: new TypeError(text) });
        }}
      </Task>
    </Workflow>
  ));
  const result = await run(workflow);
  const told = JSON.stringify([result, await store.listEvents("run", { limit: 100 })]);
  await store.close();
  const file = readFileSync(path);
  for (const secret of secrets) {
    expect(told).not.toContain(secret);
    expect(file.includes(secret)).toBe(false);
  }
  expect(told).toContain("postgres://app:[redacted]@db/app");
});

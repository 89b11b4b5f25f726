/** Started as a process of another user, with a request to the runtime as JSON on its input: prints what came of it as JSON. */
import { readFileSync } from "node:fs";
import { BubblewrapRuntime } from "../../src/sandbox/runtimes/bubblewrap.js";
import { DockerRuntime } from "../../src/sandbox/runtimes/docker.js";

const { docker, ...request } = JSON.parse(readFileSync(0, "utf8"));
const parts = { signal: new AbortController().signal, heartbeat: () => undefined };
const runtime = docker === undefined ? new BubblewrapRuntime() : new DockerRuntime({ find: () => docker });
const answer = await runtime.run({ ...request, ...parts }).then(
  (result) => ({ result }),
  ({ code, message }) => ({ error: { code, message } }),
);
console.log(JSON.stringify(answer));

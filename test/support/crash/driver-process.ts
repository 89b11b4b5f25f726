import { spawn } from "node:child_process";
import type { RunResult } from "../../../src/index.js";
import type { DriverOrder } from "./driver.js";

/** When a driver process dies. */
export type Death =
  | { kind: "none" }
  /** At the n-th passing of a named point of the engine. */
  | { kind: "point"; point: string; n: number }
  /** This many milliseconds after it was about to drive the run. */
  | { kind: "time"; ms: number };

export interface Life {
  wasKilled: boolean;
  /** Absent when it was killed before it could say. */
  result?: RunResult;
  /** From being about to drive the run to its result, or to its death; milliseconds. */
  droveMs: number;
}

/** A process that ends otherwise than by its result or by SIGKILL is a failure of the test. */
const LONGEST_LIFE_MS = 250_000;

/** Runs one driver process to its end, natural or not. */
export function liveAndDie(program: string, order: DriverOrder, death: Death): Promise<Life> {
  const child = spawn(process.execPath, [program, JSON.stringify(order)], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      SERVICE_CRASH_AT: death.kind === "point" ? `${death.point}:${death.n}` : "",
    },
  });
  let stdout = "";
  let stderr = "";
  let readyAt: number | undefined;
  let answeredAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let timedOut = false;
  const limit = setTimeout(() => {
    timedOut = true;
    child.kill("SIGKILL");
  }, LONGEST_LIFE_MS);
  child.stderr.on("data", (text: Buffer) => {
    stderr += text.toString();
  });
  child.stdout.on("data", (text: Buffer) => {
    stdout += text.toString();
    if (stdout.indexOf("\n") < stdout.length - 1) answeredAt ??= performance.now();
    if (readyAt !== undefined) return;
    readyAt = performance.now();
    if (death.kind === "time") timer = setTimeout(() => child.kill("SIGKILL"), death.ms);
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(limit);
      clearTimeout(timer);
      const wasKilled = signal === "SIGKILL" && !timedOut;
      if (!wasKilled && code !== 0) {
        const why = timedOut ? `did not end within ${LONGEST_LIFE_MS} ms` : `ended with ${code ?? signal}`;
        reject(new Error(`The driver of ${order.runId} ${why}:\n${stderr.slice(-2_000)}`));
        return;
      }
      const answer = stdout.split("\n")[1];
      resolve({
        wasKilled,
        droveMs: readyAt === undefined ? 0 : (answeredAt ?? performance.now()) - readyAt,
        ...(!wasKilled && answer !== undefined && { result: JSON.parse(answer) as RunResult }),
      });
    });
  });
}

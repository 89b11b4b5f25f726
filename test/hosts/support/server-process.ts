import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Workspace } from "../../cli/support/treadle.js";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export interface ServerCall {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: T;
}

/** A server of the built package in a process of its own, working in a workspace. */
export class ServerProcess {
  readonly url: string;
  readonly process: ChildProcess;
  stderr = "";

  private constructor(child: ChildProcess, port: number) {
    this.process = child;
    this.url = `http://127.0.0.1:${port}`;
    child.stderr?.on("data", (chunk) => {
      this.stderr += chunk;
    });
  }

  static async start(
    workspace: Workspace,
    { env = {}, ...options }: Record<string, unknown> & { env?: Record<string, string> } = {},
  ): Promise<ServerProcess> {
    const child = spawn(
      process.execPath,
      [at("server-program.mjs"), at("../../../dist"), JSON.stringify(options)],
      {
        cwd: workspace.folder,
        env: { PATH: process.env.PATH ?? "", HOME: workspace.folder, ...env },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    onTestFinished(() => {
      child.kill("SIGKILL");
    });
    const [line] = (await Promise.race([
      once(child.stdout, "data"),
      once(child, "exit").then(async () => {
        throw new Error(`the server ended: ${String(child.stderr.read())}`);
      }),
    ])) as [Buffer];
    return new ServerProcess(child, Number(String(line).trim()));
  }

  async call<T = Record<string, unknown>>(path: string, call: ServerCall = {}): Promise<Answer<T>> {
    const { method = call.body === undefined ? "GET" : "POST", body, headers = {} } = call;
    const response = await fetch(this.url + path, {
      method,
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") ?? false;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  async kill(): Promise<void> {
    this.process.kill("SIGKILL");
    await once(this.process, "exit");
  }
}

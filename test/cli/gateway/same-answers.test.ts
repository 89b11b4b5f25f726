import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openGateway, type OpenGateway } from "../../hosts/gateway/support/gateway.js";
import { asking, doubling } from "../../hosts/gateway/support/workflows.js";
import { callIn } from "../support/in-process.js";

const TOKEN = "secret-of-ada";
const tokens = { [TOKEN]: { role: "operator", scopes: ["*"], userId: "ada" } };

/** One run that has ended, one that waits, and a schedule, all made by the gateway. */
async function stage(): Promise<
  OpenGateway & { local(...argv: string[]): Call; remote(...argv: string[]): Call }
> {
  const gateway = await openGateway(
    (gateway, folder) => gateway.register("double", doubling(folder)).register("ask", asking(folder)),
    { auth: { mode: "token", tokens } },
  );
  const headers = { authorization: `Bearer ${TOKEN}` };
  await gateway.call("launchRun", { workflow: "double", input: { n: 2 }, runId: "d1" }, headers);
  await gateway.until("d1", "finished", headers);
  await gateway.call("launchRun", { workflow: "ask", runId: "a1" }, headers);
  await gateway.until("a1", "waiting-approval", headers);
  await gateway.call("cronCreate", { workflow: "ask", pattern: "0 3 1 1 *", cronId: "yearly" }, headers);
  const local = (...argv: string[]) =>
    callIn(gateway.folder, [...argv, "--db", join(gateway.folder, "service.db")]);
  for (const [key, value] of [
    ["language", "Portuguese"],
    ["tea", '{"sugar":2}'],
  ] as const)
    await local("memory", "set", key, value, "--namespace", "user:ada");
  const remote = (...argv: string[]) =>
    // A folder without a database: nothing is read beside the gateway.
    callIn("/", [...argv, "--gateway", gateway.url, "--token", TOKEN]);
  return { ...gateway, local, remote };
}

type Call = ReturnType<typeof callIn>;

/** Commands to paste name the place that they are for; who drove a run is for those on its machine; a wait lasts until now. */
const placeless = (text: string) =>
  text
    .replaceAll(/ --(?:db|gateway) [^\s"']+/g, "")
    .replaceAll(/("ownerId": ?)"[^"]*"/g, '$1"(hidden)"')
    .replaceAll(/("waitedMs": ?)\d+/g, "$1(now)");

/** Each with everything that it can be asked for. */
const READS: readonly (readonly string[])[] = [
  ["ps"],
  ["ps", "--status", "waiting-approval", "--workflow", "ask"],
  ["ps", "--limit", "1"],
  ["ps", "--waits-for", "approval,timer"],
  ["ps", "--with-failures"],
  ["ps", "--text", "D", "--annotation", "team=core"],
  ["inspect", "d1"],
  ["inspect", "latest"],
  ["why", "a"],
  ["why", "-"],
  ["node", "d1", "double"],
  ["output", "d1", "double"],
  ["events", "d1"],
  ["events", "d1", "--type", "Node", "--after", "2", "--limit", "2"],
  ["events", "d1", "--node", "double"],
  ["events", "d1", "--follow"],
  // It waits, and has no further events of this kind.
  ["events", "a1", "--type", "RunStarted", "--limit", "1"],
  ["events", "a1", "--type", "RunStarted", "--limit", "1", "--follow"],
  // More than a gateway gives in one answer.
  ["scores", "d1", "--limit", "1000"],
  ["inbox", "--limit", "1000"],
  ["cron", "history", "yearly", "--limit", "1000"],
  ["memory", "list", "--limit", "1000"],
  ["timeline", "d1"],
  ["timeline", "d1", "--after-frame", "0", "--limit", "1"],
  ["timeline", "d1", "--limit", "1000"],
  ["frame", "d1"],
  ["frame", "d1", "1"],
  ["diff", "d1", "1"],
  ["diff", "d1", "1", "2"],
  ["diff", "d1", "--node", "double"],
  ["fork", "d1", "--frame", "1", "--dry-run"],
  ["rewind", "d1", "1", "--dry-run"],
  ["logs", "d1"],
  ["logs", "d1", "--tail", "1"],
  ["logs", "d1", "--follow"],
  ["inbox"],
  ["inbox", "--workflow", "double"],
  ["approve", "a1", "gate", "--dry-run"],
  ["deny", "a1", "--dry-run"],
  ["cancel", "a1", "--dry-run"],
  ["cancel", "--workflow", "ask", "--dry-run"],
  ["complete-task", "a1", "go", "--data", '{"n":1}', "--dry-run"],
  ["skip-task", "a1", "go", "--dry-run"],
  ["prune", "--older-than", "0s", "--dry-run"],
  ["prune", "d1", "--dry-run"],
  ["cron", "list"],
  ["cron", "history", "yearly"],
  ["memory", "list"],
  ["memory", "list", "--namespace", "user:ada", "--limit", "1"],
  ["memory", "get", "language", "--namespace", "user:ada"],
];

/** Refused alike: code and exit code. */
const REFUSED: readonly (readonly string[])[] = [
  ["inspect", "nobody"],
  ["node", "d1", "nothing"],
  ["output", "a1", "gate"],
  ["approve", "d1", "--yes"],
  ["signal", "d1", "go"],
  ["cancel", "d1"],
  ["frame", "d1", "99"],
  ["diff", "d1", "1", "99"],
  ["fork", "d1", "--node", "nothing"],
  ["fork", "d1", "--frame", "1", "--node", "double"],
  ["replay", "d1", "--node", "nothing"],
  ["rewind", "d1", "99", "--yes"],
  ["complete-task", "a1", "gate", "--data", "{}", "--yes"],
  ["complete-task", "a1", "go", "--yes"],
  ["skip-task", "d1", "double", "--yes"],
  ["prune", "a1", "--yes"],
  ["prune", "d1", "--limit", "1"],
  ["up", "--resume", "a1", "--input", "{}"],
  ["up", "--resume", "a1", "--set", "n=1"],
  ["up", "--resume", "a1", "--annotations", "{}"],
  ["up", "--resume", "a1", "--run-id", "another"],
  ["cron", "history", "nothing"],
  ["memory", "get", "nothing", "--namespace", "user:ada"],
  ["memory", "get", "language"],
  ["memory", "list", "--namespace", "ada"],
];

interface Refusal {
  error: { code: string };
}

afterEach(() => vi.unstubAllEnvs());

describe("a command", () => {
  it("has the same document of a database and of a gateway on the same runs, and the same text", async () => {
    const { local, remote } = await stage();
    for (const argv of READS) {
      const here = await local(...argv, "--json");
      const there = await remote(...argv, "--json");
      expect({ argv, ...there, stdout: placeless(there.stdout) }).toEqual({
        argv,
        ...here,
        stdout: placeless(here.stdout),
      });
      const text = await remote(...argv);
      expect({ argv, code: text.code }).toEqual({ argv, code: (await local(...argv)).code });
      expect(`${there.stdout}${text.stdout}${text.stderr}`).not.toContain(TOKEN);
    }
  });

  it("is refused with the same code by both", async () => {
    const { local, remote } = await stage();
    for (const argv of REFUSED) {
      const here = await local(...argv, "--json");
      const there = await remote(...argv, "--json");
      const codeOf = ({ code, stdout }: Awaited<Call>) => [code, (JSON.parse(stdout) as Refusal).error.code];
      expect({ argv, code: codeOf(there) }).toEqual({ argv, code: codeOf(here) });
    }
  });

  it("decides, signals, cancels, retries and schedules through a gateway", async () => {
    const { remote } = await stage();
    const json = async (...argv: string[]) =>
      JSON.parse((await remote(...argv, "--json")).stdout) as Record<string, unknown>;
    expect(await json("approve", "a1", "--note", "fine", "--yes")).toEqual({
      runId: "a1",
      nodeId: "gate",
      iteration: 0,
      approved: true,
      seq: null,
      decidedBy: "ada",
      driven: true,
    });
    await expect.poll(async () => (await json("why", "a1")).status).toBe("waiting-event");
    expect(await json("signal", "a1", "go", "--data", '{"n":3}')).toMatchObject({
      signal: "go",
      driven: true,
    });
    await expect.poll(async () => (await json("why", "a1")).status).toBe("finished");
    expect(await json("retry-task", "a1", "gate", "--yes")).toMatchObject({
      success: true,
      seq: expect.any(Number),
      driven: true,
    });
    await expect.poll(async () => (await json("why", "a1")).status).toBe("waiting-approval");
    await json("approve", "a1", "--yes");
    await expect.poll(async () => (await json("why", "a1")).status).toBe("waiting-event");
    expect(await json("complete-task", "a1", "go", "--data", '{"n":3}', "--yes")).toMatchObject({
      action: "complete",
      completedBy: "ada",
      driven: true,
    });
    await expect.poll(async () => (await json("why", "a1")).status).toBe("finished");
    await json("retry-task", "a1", "gate", "--yes");
    await expect.poll(async () => (await json("why", "a1")).status).toBe("waiting-approval");
    expect(await json("cancel", "a1", "--reason", "late")).toMatchObject({ runId: "a1" });
    await expect.poll(async () => (await json("why", "a1")).status).toBe("cancelled");
    expect(await json("up", "--resume", "a1")).toMatchObject({ runId: "a1", status: "running" });
    await expect.poll(async () => (await json("why", "a1")).status).toBe("waiting-approval");
    await json("approve", "a1", "--yes");
    await expect.poll(async () => (await json("why", "a1")).status).toBe("waiting-event");
    expect(await json("skip-task", "a1", "go", "--yes")).toMatchObject({ action: "skip", skippedBy: "ada" });
    await expect.poll(async () => (await json("why", "a1")).status).not.toBe("waiting-event");
    const made = await remote("up", "double", "--set", "n=4", "--run-id", "d9");
    expect(made).toMatchObject({
      code: 0,
      stdout: "d9\n",
      stderr: expect.stringContaining("logs d9 --follow"),
    });
    await expect.poll(async () => (await json("output", "d9", "double")).n).toBe(8);
    expect(await json("rewind", "d9", "1", "--yes")).toMatchObject({
      resetNodes: ["double::0"],
      driven: false,
    });
    expect(await json("rewind", "d9", "1", "--yes", "--up")).toMatchObject({
      runId: "d9",
      status: "running",
    });
    await expect.poll(async () => (await json("why", "d9")).status).toBe("finished");
    const again = await json("retry", "a1", "--yes");
    expect(again).toMatchObject({ done: 1, failed: 0, runs: [{ ok: true, runId: "a1" }] });
    expect(await json("cron", "create", "ask", "0 4 * * *", "--id", "nightly")).toMatchObject({
      cronId: "nightly",
      createdBy: "ada",
    });
    expect(await json("cron", "update", "nightly", "--disable")).toMatchObject({ enabled: false });
    expect(await json("cron", "run", "nightly")).toMatchObject({ cronId: "nightly", state: "fired" });
    expect(await json("cron", "delete", "nightly", "--yes")).toEqual({ cronId: "nightly", removed: true });
  });

  it("is about the place that the command line names, else about the one of the environment", async () => {
    const { url, folder } = await stage();
    const ids = async (...argv: string[]) => {
      const { code, stdout } = await callIn(folder, ["ps", "--workflow", "double", "--json", ...argv]);
      const { runs = [], error } = JSON.parse(stdout) as {
        runs?: { runId: string }[];
        error?: { summary: string };
      };
      return code === 0 ? runs.map(({ runId }) => runId) : error?.summary;
    };
    vi.stubEnv("SERVICE_GATEWAY", "http://127.0.0.1:1");
    vi.stubEnv("SERVICE_GATEWAY_TOKEN", TOKEN);
    expect(await ids("--gateway", url)).toEqual(["d1"]);
    expect(await ids("--db", "service.db")).toEqual(["d1"]);
    vi.stubEnv("SERVICE_GATEWAY", url);
    expect(await ids()).toEqual(["d1"]);
    expect((await callIn("/", ["why", "a1"])).stdout).toContain("   treadle approve a1 gate\n");
    expect(await callIn(folder, ["memory", "threads"])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("SERVICE_GATEWAY is set"),
    });
    expect((await callIn(folder, ["memory", "threads", "--db", "service.db"])).code).toBe(0);
    expect((await callIn(folder, ["agents", "list"])).code).toBe(0);
    vi.stubEnv("SERVICE_DB", "service.db");
    expect(await ids()).toContain("SERVICE_DB and SERVICE_GATEWAY are both set");
    // A variable that is set to nothing says nothing.
    vi.stubEnv("SERVICE_GATEWAY", "");
    expect(await ids()).toEqual(["d1"]);
    vi.stubEnv("SERVICE_DB", "");
    expect(await ids()).toEqual(["d1"]);
  });

  it("says what a gateway cannot do, and why, with exit code 4", async () => {
    const { remote, url } = await stage();
    for (const [argv, why] of [
      [["memory", "set", "tea", "1", "--namespace", "user:ada"], "facts are written where the database is"],
      [["memory", "delete", "tea", "--namespace", "user:ada"], "facts are written where the database is"],
      [["memory", "threads"], "conversations are read where the database is"],
      [["hijack", "a1"], "the agent's session is on the machine"],
      [["supervise"], "a gateway looks after its own runs"],
      [["up", "double", "--wait"], "--wait cannot go with a gateway"],
      [["up", "--resume"], "--resume needs the run"],
      [["up", "--resume", "a1", "--max-concurrency", "2"], "keeps its own"],
      [["up", "--resume", "a1", "--queue", "large"], "keeps its own"],
      [["up", "double", "--force"], "--force needs --resume"],
      [["graph", "flow.tsx"], "treadle workflow inspect <key> shows the first frame"],
      [["init", "app"], "it is not about runs of a gateway"],
      [["approve", "a1", "--scope", "x", "--yes"], "credentials say who acts"],
      [["cancel", "a1", "--by", "eve"], "credentials say who acts"],
      [["retry-task", "d1", "double", "--up"], "continues with the run by itself"],
      [["ps", "--db", "x.db"], "exclude each other"],
    ] as const) {
      const { code, stdout } = await remote(...argv, "--json");
      expect(code, stdout).toBe(4);
      expect(JSON.parse(stdout)).toMatchObject({
        error: { code: "CLI_USAGE", summary: expect.stringContaining(why) },
      });
    }
    expect(await callIn("/", ["ps", "--token", "x"])).toMatchObject({ code: 4 });
    expect(await callIn("/", ["ps", "--gateway", url, "--token", "wrong", "--json"])).toMatchObject({
      code: 4,
      stdout: expect.stringContaining('"UNAUTHORIZED"'),
    });
    expect(await callIn("/", ["ps", "--gateway", "ftp://x", "--json"])).toMatchObject({ code: 4 });
    expect(await callIn("/", ["ps", "--gateway", "http://127.0.0.1:1", "--json"])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('"CLIENT_CONNECTION_FAILED"'),
    });
  });
});

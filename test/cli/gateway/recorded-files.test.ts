import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createService, write } from "treadle";
import { jsx } from "treadle/jsx-runtime";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { openGateway } from "../../hosts/gateway/support/gateway.js";
import { gitIn, recordStates } from "../../vcs/states/repository.js";
import { callIn } from "../support/in-process.js";

beforeEach(recordStates);

const TOKEN = "secret-of-ada";
const READER = "secret-of-bob";
const tokens = {
  [TOKEN]: { role: "operator", scopes: ["*"], userId: "ada" },
  [READER]: { role: "viewer", scopes: ["approval:submit"], userId: "bob" },
};
const LINES = Array.from({ length: 12_000 }, (_, n) => `line ${n}\n`).join("");

/** As the gateway's workflow, in a file. */
const FLOW = `
import { createService, write } from "treadle";
import { z } from "zod";
const { Workflow, Task, service, outputs } = createService({ done: z.object({ ok: z.boolean() }) });
export default service(() => (
  <Workflow name="local">
    <Task id="edit" output={outputs.done}>
      {async () => {
        await write.execute({ path: "local.txt", content: "by hand\\n" });
        return { ok: true };
      }}
    </Task>
  </Workflow>
));
`;

/** A gateway whose folder is in a repository, or in none, with a run that has written two files, one of them long. */
async function stage(isRepository = true) {
  const done = z.object({ ok: z.boolean() });
  const gateway = await openGateway(
    (gateway, folder) => {
      const { Workflow, Task, service, outputs } = createService(
        { done },
        { dbPath: join(folder, "service.db") },
      );
      const edit = async () => {
        await write.execute({ path: "a.txt", content: "two\n" });
        await write.execute({ path: "long.txt", content: LINES });
        return { ok: true };
      };
      const task = jsx(Task, { id: "edit", output: outputs.done, children: edit });
      gateway.register(
        "edits",
        service(() => jsx(Workflow, { name: "edits", children: task })),
      );
    },
    { auth: { mode: "token", tokens } },
  );
  const folder = realpathSync(gateway.folder);
  writeFileSync(join(folder, "a.txt"), "one\n");
  if (isRepository) {
    writeFileSync(join(folder, ".gitignore"), ".service\nservice.db*\n");
    gitIn(folder, "init", "-q", "-b", "main");
    gitIn(folder, "add", "-A");
    gitIn(folder, "commit", "-q", "-m", "first");
  }
  const headers = { authorization: `Bearer ${TOKEN}` };
  await gateway.call("launchRun", { workflow: "edits", runId: "e1" }, headers);
  await gateway.until("e1", "finished", headers);
  const local = (...argv: string[]) => callIn(folder, [...argv, "--db", join(folder, "service.db")]);
  const remote = (...argv: string[]) => callIn("/", [...argv, "--gateway", gateway.url, "--token", TOKEN]);
  return { ...gateway, folder, headers, local, remote };
}

const codeOf = ({ code, stdout }: Awaited<ReturnType<typeof callIn>>) => [
  code,
  (JSON.parse(stdout) as { error: { code: string } }).error.code,
];

describe("what a task has changed in its repository", () => {
  it("is the same of a database and of a gateway, long patches whole, and is refused alike", async () => {
    const { local, remote, rpc, headers } = await stage();
    for (const more of [
      ["--attempt", "1", "--iteration", "0"],
      ["--path", "long.txt"],
    ]) {
      const argv = ["diff", "e1", "--node", "edit", ...more];
      const here = await local(...argv, "--json");
      expect(await remote(...argv, "--json")).toEqual(here);
      expect((await remote(...argv)).stdout).toBe((await local(...argv)).stdout);
      const { files, source } = JSON.parse(here.stdout) as { files: { patch: string }[]; source: string };
      expect(source).toBe("git");
      if (more[0] === "--path") expect(files.map(({ patch }) => patch.split("\n+").length)).toEqual([12_001]);
    }
    expect((await local("diff", "e1", "--node", "edit")).stdout).toMatch(/a\.txt[\s\S]*-one\n +\+two/);
    for (const wrong of [
      ["e1", "--node", "nothing"],
      ["e1", "--node", "edit", "--attempt", "9"],
      ["e1", "--node", "edit", "--iteration", "5"],
      ["e1", "--node", "edit", "--path", "nothing.txt"],
      ["e1", "1", "--node", "edit"],
      ["e1", "1", "--path", "a.txt"],
      ["nobody", "--node", "edit"],
      ["e1"],
    ]) {
      const here = codeOf(await local("diff", ...wrong, "--json"));
      expect({ wrong, here: here[0] }).toEqual({ wrong, here: 4 });
      expect(codeOf(await remote("diff", ...wrong, "--json"))).toEqual(here);
    }
    const ask = { runId: "e1", nodeId: "edit" };
    for (const wrong of [
      { firstFile: -1 },
      { offset: "2" },
      { attempt: 0 },
      { nodeId: "" },
      { to: "main" },
    ]) {
      const { status, body } = await rpc("diffNode", { ...ask, ...wrong }, headers);
      expect({ wrong, status, body }).toMatchObject({ wrong, status: 400 });
    }
    expect((await rpc("diffNode", ask)).status).toBe(401);
    expect((await rpc("diffNode", ask, { authorization: `Bearer ${READER}` })).status).toBe(403);
  });
});

describe("replay --restore-vcs", () => {
  it("checks the files of then out, at a gateway and here, and shows with --dry-run that it would", async () => {
    const { local, remote, rpc, headers, folder, until } = await stage();
    onTestFinished(() => {
      for (const id of ["far", "near"]) rmSync(`${folder}-${id}`, { recursive: true, force: true });
    });
    const ask = ["replay", "e1", "--node", "edit", "--restore-vcs", "--accept-effects"];
    const preview = await remote(...ask, "--dry-run", "--json");
    expect(JSON.parse(preview.stdout)).toMatchObject({ runId: null, restored: { worktree: null } });
    const { code, stdout } = await remote(...ask, "--run-id", "far", "--json");
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ runId: "far", restored: { worktree: `${folder}-far` } });
    await until("far", "finished", headers);
    expect(readFileSync(`${folder}-far/a.txt`, "utf8")).toBe("two\n");
    const wrong = await rpc("replayRun", { runId: "e1", nodeId: "edit", restoreVcs: "yes" }, headers);
    expect(wrong.status).toBe(400);

    writeFileSync(join(folder, "flow.tsx"), FLOW);
    expect((await local("up", "flow.tsx", "--run-id", "l1")).code).toBe(0);
    rmSync(join(folder, "local.txt"));
    const near = await local("replay", "l1", ...ask.slice(2), "--run-id", "near");
    expect({ code: near.code, said: near.stderr }).toMatchObject({
      code: 0,
      said: expect.stringContaining(`${folder}-near`) as string,
    });
    expect(readFileSync(`${folder}-near/local.txt`, "utf8")).toBe("by hand\n");
    expect(existsSync(join(folder, "local.txt"))).toBe(false);
  });

  it("is refused where there is no repository, by both", async () => {
    const { local, remote } = await stage(false);
    const argv = ["replay", "e1", "--node", "edit", "--restore-vcs", "--accept-effects", "--json"];
    expect(codeOf(await remote(...argv))).toEqual([4, "VCS_NOT_FOUND"]);
    expect(codeOf(await local(...argv))).toEqual([4, "VCS_NOT_FOUND"]);
  });
});

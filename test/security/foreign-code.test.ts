import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { leaveHostToken } from "../../src/cli/drive/host-token.js";
import { openGateway } from "../../src/cli/drive/open-gateway.js";
import { localWorkflows } from "../../src/cli/source/local-workflows.js";
import { resolveWorkflow } from "../../src/operations/index.js";
import { trustWorkspace } from "../../src/operations/trust-workspace.js";
import { codeOf } from "../conformance/store/fixtures.js";

const SHELF = join("shared", ".service", "workflows");
const OTHER_USER = 12_345;

let root: string;
/** A folder of this user, below the one that everybody may write to. */
let cwd: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "treadle-foreign-")));
  vi.stubEnv("XDG_CONFIG_HOME", join(root, "config"));
  cwd = join(root, "shared", "mine");
  mkdirSync(cwd, { recursive: true });
  chmodSync(join(root, "shared"), 0o1777);
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  rmSync(root, { recursive: true, force: true });
});

/** A file that tells when it is run. */
function leave(path: string): string {
  const file = join(root, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, `globalThis.hasRun = true;\nexport default 1;\n`);
  return file;
}

/** Only root can give files away; for others a file that everybody may write to is the same. */
function giveAway(file: string): void {
  if (process.getuid?.() === 0) chownSync(file, OTHER_USER, OTHER_USER);
  else chmodSync(file, 0o666);
}

const request = { workspace: undefined, config: undefined, db: undefined, authToken: undefined };
const serve = (config?: string) =>
  openGateway({ ...request, config, cwd, environmentToken: undefined, ownToken: undefined });
const hasRun = () => Reflect.has(globalThis, "hasRun");

describe.skipIf(process.getuid === undefined)(
  "code that another user has left above the current folder",
  () => {
    beforeEach(() => void Reflect.deleteProperty(globalThis, "hasRun"));

    it("is not what a workflow's name means", async () => {
      giveAway(leave(join(SHELF, "hello.tsx")));
      expect(await codeOf(() => resolveWorkflow("hello", cwd))).toBe("WORKSPACE_NOT_TRUSTED");
    });

    it("is listed, and not loaded", async () => {
      giveAway(leave(join(SHELF, "hello.tsx")));
      const [listed] = await localWorkflows(cwd).list();
      expect(listed).toMatchObject({ name: "hello", problem: { code: "WORKSPACE_NOT_TRUSTED" } });
      expect(hasRun()).toBe(false);
    });

    it("is not served, be it a workflow or the configuration of a gateway", async () => {
      giveAway(leave(join(SHELF, "hello.tsx")));
      expect(await codeOf(() => serve())).toBe("WORKSPACE_NOT_TRUSTED");
      giveAway(leave("shared/treadle.gateway.ts"));
      expect(await codeOf(() => serve())).toBe("WORKSPACE_NOT_TRUSTED");
      expect(hasRun()).toBe(false);
    });

    it("does not count as this user's because a folder of this user links to it, nor because its folder is open", async () => {
      const file = leave("shared/theirs.tsx");
      giveAway(file);
      mkdirSync(join(root, SHELF), { recursive: true });
      symlinkSync(file, join(root, SHELF, "linked.tsx"));
      chmodSync(join(leave(join(SHELF, "open", "x.tsx")), "../.."), 0o777);
      leave(join(SHELF, "plain.tsx"));
      expect(await codeOf(() => resolveWorkflow("linked", cwd))).toBe("WORKSPACE_NOT_TRUSTED");
      expect(await codeOf(() => resolveWorkflow("plain", cwd))).toBe("WORKSPACE_NOT_TRUSTED");
    });

    it("is loaded by who names its path, or has said that it is trusted", async () => {
      const file = leave(join(SHELF, "hello.tsx"));
      giveAway(file);
      expect(resolveWorkflow(file, cwd)).toBe(file);
      trustWorkspace(join(root, SHELF));
      expect(resolveWorkflow("hello", cwd)).toBe(file);
    });

    it("is distinguished from this user's own, also behind a link of this user", () => {
      const file = leave("shared/own.tsx");
      leave(join(SHELF, "hello.tsx"));
      symlinkSync(file, join(root, SHELF, "linked.tsx"));
      expect(resolveWorkflow("hello", cwd)).toBe(join(root, SHELF, "hello.tsx"));
      expect(resolveWorkflow("linked", cwd)).toBe(join(root, SHELF, "linked.tsx"));
    });

    it.skipIf(process.getuid?.() !== 0)("gets no token of a host into a folder of that user", async () => {
      mkdirSync(join(root, "shared", ".service"));
      chownSync(join(root, "shared", ".service"), OTHER_USER, OTHER_USER);
      expect(await codeOf(() => leaveHostToken(join(root, "shared"), 7_331, "secret"))).toBe("STORAGE_ERROR");
    });
  },
);

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { forgetStates } from "../../../src/vcs/forget-states.js";
import { removeRestored, restoreState } from "../../../src/vcs/restore-state.js";
import { workspace } from "../../tools/support/workspace.js";
import { changesOf, gitIn, recordStates, repository, stateOf } from "./repository.js";

beforeEach(recordStates);

const HOOKS = [
  ...[
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "post-applypatch",
    "post-checkout",
    "post-commit",
  ],
  ...["post-index-change", "post-merge", "post-rewrite", "pre-auto-gc", "pre-commit", "prepare-commit-msg"],
  ...["reference-transaction", "sendemail-validate", "update"],
];

/** Settings under which git runs programs; each leaves a file that has its name. */
function programs(ran: string): [string, string][] {
  const touch = (name: string, then = "cat") => `touch ${ran}/${name}; ${then}`;
  return [
    ["core.fsmonitor", touch("fsmonitor", "false")],
    ["core.sshCommand", touch("ssh")],
    ["core.gitProxy", touch("proxy")],
    ["core.pager", touch("pager")],
    ["core.editor", touch("editor")],
    ["core.askPass", touch("askpass")],
    ["core.alternateRefsCommand", touch("alternates")],
    ["sequence.editor", touch("sequence")],
    ["credential.helper", `!${touch("credential")}`],
    ["commit.gpgSign", "true"],
    ["gpg.program", `${ran}/../gpg`],
    ["diff.external", touch("external")],
    ["diff.own.command", touch("diff")],
    ["diff.own.textconv", touch("textconv")],
    ["merge.own.driver", touch("merge")],
    ["filter.own.clean", touch("clean")],
    ["filter.own.smudge", touch("smudge")],
    ["filter.own.required", "true"],
    ["filter.long.process", touch("process")],
    ["filter.long=er.clean", touch("longer")],
    ["alias.ls-files", `!${touch("alias")}`],
    ["alias.diff-tree", `!${touch("alias")}`],
    ["remote.origin.url", `ext::sh -c "${touch("transport")}"`],
    ["remote.origin.promisor", "true"],
    ["extensions.partialClone", "origin"],
    ["core.repositoryFormatVersion", "1"],
  ];
}

it("nothing that a repository's settings, hooks and attributes name is executed", async () => {
  const { root, git, record } = await repository({ "a.txt": "one\n", "b.bin": "\0one" });
  const outside = await workspace();
  const ran = join(outside, "ran");
  mkdirSync(ran);
  writeFileSync(join(outside, "gpg"), `#!/bin/sh\ntouch ${ran}/gpg\n`, { mode: 0o755 });
  mkdirSync(join(root, ".git/hooks"), { recursive: true });
  for (const hook of HOOKS) {
    writeFileSync(join(root, ".git/hooks", hook), `#!/bin/sh\ntouch ${ran}/hook-${hook}\n`, { mode: 0o755 });
  }
  const attributes = "* filter=own diff=own merge=own\n*.bin filter=long\n*.er filter=long=er\n";
  writeFileSync(join(root, ".gitattributes"), attributes);
  for (const [name, value] of programs(ran)) git("config", name, value);
  git("config", "--file", join(root, "more.config"), "filter.own.clean", `touch ${ran}/included; cat`);
  git("config", "include.path", join(root, "more.config"));

  const before = stateOf(await record());
  for (const name of ["a.txt", "b.bin", "c.er"]) writeFileSync(join(root, name), "\0other\n");
  const after = stateOf(await record());
  expect(await changesOf(before, after)).toEqual([
    "modified a.txt binary",
    "modified b.bin binary",
    "added c.er binary",
  ]);
  const there = `${root}-restored`;
  await restoreState(after, there);
  await removeRestored(after, there);
  await forgetStates(root, ["run"]);
  expect(readdirSync(ran)).toEqual([]);

  // They are no dead letters.
  gitIn(root, "-c", "commit.gpgSign=false", "add", "-A");
  expect(readdirSync(ran)).toEqual(
    expect.arrayContaining(["fsmonitor", "included", "hook-post-index-change"]),
  );
});

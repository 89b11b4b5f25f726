import { setTimeout as sleep } from "node:timers/promises";
import { findWorkspaceFolder } from "../../store/index.js";
import { type CommandCall, defineCommand } from "../command.js";
import { type LeftToken, leftHostTokens, linkWithToken } from "../drive/host-token.js";
import { wholeNumber } from "../input/option-values.js";
import { openInBrowser } from "../runs/open-in-browser.js";
import { gateway } from "./gateway.js";

interface ConsoleFlags {
  port: number;
}

/** Its path in a gateway that says nothing else. */
const PAGE = "/console";
/** A host that takes longer to answer is none. */
const ANSWER_MS = 2_000;
/** A browser has read the link by then, which holds a token. */
const LINK_READ_MS = 3_000;

export const openConsole = defineCommand<ConsoleFlags>({
  examples: [
    {
      command: "treadle console",
      meaning: "the page of this workspace's gateway, which is started if there is none",
    },
    { command: "treadle console --gateway https://runs.example.com", meaning: "that of another one" },
  ],
  gateway: "asked",
  configure(command) {
    command.option(
      "--port <n>",
      "port of a gateway that is started, 0 = any free one",
      wholeNumber("--port"),
      7331,
    );
  },
  async run(call) {
    const { terminal, options } = call;
    if (options.gateway !== undefined) {
      const url = `${options.gateway.url.replace(/\/$/, "")}${PAGE}`;
      openInBrowser(url, terminal);
      return { json: { url, started: false }, text: () => url };
    }
    const root = findWorkspaceFolder(terminal.cwd) ?? terminal.cwd;
    const running = await runningGateway(root);
    if (running === undefined) return startOne(call);
    const { url, left } = running;
    const link = linkWithToken(root, url, left);
    openInBrowser(link.url, terminal);
    await sleep(LINK_READ_MS);
    link.remove();
    return { json: { url, started: false }, text: () => url };
  },
});

/** The first gateway that has left its token in the workspace, and lives. */
async function runningGateway(root: string): Promise<{ url: string; left: LeftToken } | undefined> {
  for (const left of leftHostTokens(root)) {
    for (const host of ["127.0.0.1", "[::1]"]) {
      const url = `http://${host}:${left.port}${PAGE}`;
      const page = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => undefined);
      await page?.body?.cancel();
      if (page?.ok === true) return { url, left };
    }
  }
  return undefined;
}

function startOne({ options, ...call }: CommandCall<ConsoleFlags>) {
  const flags = { host: "127.0.0.1", auth: true, open: true };
  return gateway.run({ ...call, options: { ...flags, ...options } });
}

import type { Page } from "playwright-core";
import { openGateway, type OpenGateway, type OpenOptions } from "../../hosts/gateway/support/gateway.js";
import type { Gateway } from "../../../src/hosts/gateway/index.js";
import { openPage, type PageOptions, type WatchedPage } from "./browser.js";
import { choosing, failing, release } from "./release.js";

export const INPUT = { version: "2.1.0", channel: "stable", parts: 3 };

export interface ConsoleScene extends WatchedPage {
  gateway: OpenGateway;
  /** Starts a run, and waits for it to get there. */
  run(workflow: string, status: string, input?: object): Promise<string>;
  /** Opens an address of the page. */
  open(path: string): Promise<void>;
}

export interface SceneOptions extends PageOptions {
  register?(gateway: Gateway, folder: string): void;
  gateway?: OpenOptions;
  headers?: Record<string, string>;
}

export const registerAll = (gateway: Gateway, folder: string) => {
  gateway.register("release", release(folder), { schedule: "0 6 * * 1" });
  gateway.register("choose", choosing(folder));
  gateway.register("import-orders", failing(folder));
};

/** A gateway with workflows, and a browser at its page. */
export async function openConsole(options: SceneOptions = {}): Promise<ConsoleScene> {
  const { register = registerAll, headers = {} } = options;
  const gateway = await openGateway(register, options.gateway);
  const watched = await openPage(`${gateway.url}/console`, options);
  return {
    ...watched,
    gateway,
    async run(workflow, status, input = {}) {
      const { runId } = await gateway.call<{ runId: string }>("launchRun", { workflow, input }, headers);
      await gateway.until(runId, status, headers);
      return runId;
    },
    async open(path) {
      await watched.page.goto(`${gateway.url}/console${path}`);
    },
  };
}

/** The page shows this text somewhere. */
export async function sees(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as driver, type Page } from "playwright-core";
import { afterAll, onTestFinished } from "vitest";
import { ServiceError } from "../../../src/errors/service-error.js";
import { holding } from "../../../src/process/lock-file.js";

/** The browser that the package registry brings along; one for all pages of a file. */
let opened: Promise<Browser> | undefined;

afterAll(async () => {
  await (await opened)?.close();
  opened = undefined;
});

export interface PageOptions {
  theme?: "light" | "dark";
  width?: number;
  height?: number;
}

export interface WatchedPage {
  page: Page;
  /** What the page has asked for elsewhere, what it has thrown, and what its policy has refused. */
  complaints: string[];
}

/** A fresh tab, closed with the test. */
export async function openPage(url: string, options: PageOptions = {}): Promise<WatchedPage> {
  const { theme = "light", width = 1440, height = 900 } = options;
  opened ??= launch();
  const context = await (await opened).newContext({
    colorScheme: theme,
    viewport: { width, height },
    locale: "en-GB",
    reducedMotion: "reduce",
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(100_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== "data:" && protocol !== "blob:" && origin !== new URL(url).origin) {
      complaints.push(`request to ${request.url()}`);
    }
  });
  page.on("console", (message) => {
    if (/Content Security Policy/.test(message.text())) complaints.push(message.text());
  });
  await page.goto(url);
  return { page, complaints };
}

/** Whoever is first unpacks it into the folder of temporary files, where another worker would take half of it for the whole. */
function executablePath(): Promise<string> {
  const path = join(tmpdir(), "treadle-chromium.lock");
  const late = (owner: string) => new ServiceError("INTERNAL_ERROR", `${owner} does not let go of ${path}.`);
  return holding({ path, late }, () => chromium.executablePath());
}

async function launch(): Promise<Browser> {
  return driver.launch({
    executablePath: await executablePath(),
    // Its own arguments are for machines with one process, and switch the protection of the web off.
    args: ["--no-sandbox", "--disable-gpu"],
    headless: true,
  });
}

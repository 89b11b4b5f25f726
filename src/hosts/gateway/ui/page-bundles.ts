import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ensureError } from "../../../errors/ensure-error.js";
import { ServiceError } from "../../../errors/service-error.js";
import { packageFolder } from "../../../process/installation.js";
import { bundlePage, type PageBundle } from "./bundle-page.js";
import type { UiPage } from "./ui-page.js";

export interface PageBundlesOptions {
  /** Entries are relative to it, and so are the places in messages. */
  root: string;
  /** Called once for each failure. */
  onFailure(error: Error): void;
}

/** The bundles of a gateway's pages: each made once, and again only after it has failed. */
export class PageBundles {
  readonly #options: PageBundlesOptions;
  readonly #bundles = new Map<string | null, Promise<PageBundle>>();
  /** Of all bundles: names have a hash of the content, so equal names are equal files. */
  readonly #files = new Map<string, Uint8Array>();
  readonly #packed = new Map<string, Uint8Array>();

  constructor(options: PageBundlesOptions) {
    this.#options = options;
  }

  /** @throws UI_BUNDLE_FAILED */
  of({ entry }: Pick<UiPage, "entry">): Promise<PageBundle> {
    let bundle = this.#bundles.get(entry);
    if (bundle === undefined) {
      bundle = this.#make(entry);
      this.#bundles.set(entry, bundle);
    }
    return bundle;
  }

  file(name: string): Uint8Array | undefined {
    return this.#files.get(name);
  }

  /** The same, packed as gzip does. */
  packed(name: string): Uint8Array | undefined {
    const content = this.#packed.get(name) ?? this.#files.get(name);
    if (content === undefined || this.#packed.has(name)) return content;
    const packed = gzipSync(content);
    this.#packed.set(name, packed);
    return packed;
  }

  async #make(entry: string | null): Promise<PageBundle> {
    try {
      const bundle = entry === null ? operatorBundle() : await bundlePage(entry, this.#options.root);
      for (const [name, content] of bundle.files) this.#files.set(name, content);
      return bundle;
    } catch (error) {
      // It may be corrected before the next request.
      this.#bundles.delete(entry);
      this.#options.onFailure(ensureError(error));
      throw error;
    }
  }
}

/** The operator's page, as the package was built with it. @throws UI_BUNDLE_FAILED in sources that are not built */
function operatorBundle(): PageBundle {
  const folder = join(packageFolder(), "dist", "console");
  let names: string[];
  try {
    names = readdirSync(folder).toSorted();
  } catch (cause) {
    throw new ServiceError("UI_BUNDLE_FAILED", "The operator's page is not a part of this installation.", {
      cause,
    });
  }
  const files = new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
  const scripts = names.filter((name) => /^console-.*\.js$/.test(name));
  return {
    files,
    scripts,
    modules: importedBy(scripts, files),
    styles: names.filter((name) => /^console-.*\.css$/.test(name)),
  };
}

/** Modules without which these do not run, in the order in which they are found; others are loaded when they are needed. */
function importedBy(scripts: readonly string[], files: ReadonlyMap<string, Uint8Array>): string[] {
  const found = new Set(scripts);
  for (const name of found) {
    const text = Buffer.from(files.get(name) ?? []).toString();
    for (const [, module = ""] of text.matchAll(/(?:from|import)\s*"\.\/([^"/]+\.js)"/g)) found.add(module);
  }
  return [...found].slice(scripts.length);
}

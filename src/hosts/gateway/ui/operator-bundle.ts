import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ServiceError } from "../../../errors/service-error.js";
import { packageFolder } from "../../../process/installation.js";
import type { PageBundle } from "./bundle-page.js";

/** The operator's page, as the package was built with it. @throws UI_BUNDLE_FAILED in sources that are not built */
export function operatorBundle(): PageBundle {
  const folder = join(packageFolder(), "dist", "console");
  let names: string[];
  try {
    names = readdirSync(folder).toSorted();
  } catch (cause) {
    throw new ServiceError("UI_BUNDLE_FAILED", "The operator's page is not a part of this installation.", {
      cause,
    });
  }
  return {
    files: new Map(names.map((name) => [name, readFileSync(join(folder, name))])),
    scripts: names.filter((name) => name.endsWith(".js")),
    styles: names.filter((name) => name.endsWith(".css")),
  };
}

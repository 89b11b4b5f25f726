import { readFileSync } from "node:fs";

/** One name that `src/index.ts` exports. */
export interface PublicName {
  name: string;
  isType: boolean;
  /** The folder of `src` it comes from. */
  folder: string;
}

const INDEX = readFileSync(new URL("../../../src/index.ts", import.meta.url), "utf8");

export function publicNames(): PublicName[] {
  return [...INDEX.matchAll(/export (type )?\{([^}]*)\} from "\.\/([a-z-]+)\//g)].flatMap(
    ([, allTypes, list = "", folder = ""]) =>
      list
        .split(",")
        .map((entry) => entry.trim())
        .filter((entry) => entry !== "")
        .map((entry) => ({
          name: entry.replace(/^type /, ""),
          isType: allTypes !== undefined || entry.startsWith("type "),
          folder,
        })),
  );
}

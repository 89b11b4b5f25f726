import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { throughDoors } from "./through-doors.mjs";

/** Code as it is bundled: imports go to the files behind the doors, and `after` is added. */
export const sources = (after) => ({
  name: "sources",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.tsx?$/ }, ({ path }) => {
      if (path.includes("node_modules")) return undefined;
      const contents = throughDoors(path, readFileSync(path, "utf8")) + after(path);
      return { contents, loader: extname(path).slice(1) };
    });
  },
});

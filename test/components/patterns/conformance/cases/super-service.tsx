import { createService } from "treadle";
import { z } from "zod";
import { folderWith } from "../../../../examples/support/folder.js";
import type { CompositeCase } from "../composite-case.js";

const module = createService(
  { report: z.object({ summary: z.string(), files: z.array(z.string()), applied: z.boolean() }) },
  { dbPath: ":memory:" },
);
const { SuperService, outputs } = module;

const paths = (id: string, count: number) => Array.from({ length: count }, (_, n) => `${id}-${n}.txt`);

function written(id: string, count: number) {
  const files = paths(id, count);
  const edits = files.map((path) => ({ path, content: `${path}\n` }));
  return {
    [`${id}-read`]: { files: [] },
    [`${id}-propose`]: { summary: id, edits },
    [`${id}-apply`]: { written: files },
    [`${id}-report`]: { summary: id, files, applied: true },
  };
}

/** Members are files, which are new. */
export const superService: CompositeCase = {
  module,
  rootDir: () => folderWith({ "other.txt": "is no target\n" }),
  mount: ({ id = "super-service", size, isFailing, skipIf, agent }) => (
    <SuperService
      id={id}
      strategy="Write the files."
      agent={agent(() => ({
        summary: id,
        edits: [...paths(id, size), ...(isFailing ? ["other.txt"] : [])].map((path) => ({
          path,
          content: `${path}\n`,
        })),
      }))}
      targetFiles={[`${id}-*.txt`]}
      reportOutput={outputs.report}
      skipIf={skipIf}
    />
  ),
  none: (id) => ({ nodes: written(id, 0) }),
  one: (id) => ({ nodes: written(id, 1) }),
  many: (id) => ({ nodes: written(id, 3) }),
  failing: (id) => ({ failed: "TOOL_PATH_INVALID", nodes: { [`${id}-apply`]: "failed" } }),
  except: {
    loop: "it finds what the round before has written",
    defaultId: "the case always gives one, for the names of its files",
  },
};

import { createService } from "treadle";
import { z } from "zod";
import type { CompositeCase } from "../composite-case.js";

const module = createService(
  {
    scan: z.object({ issues: z.array(z.object({ n: z.int() })) }),
    text: z.object({ text: z.string() }),
    verification: z.object({ resolved: z.boolean() }),
  },
  { dbPath: ":memory:" },
);
const { ScanFixVerify, outputs } = module;

const issuesOf = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
const report = (id: string) => ({ [`${id}-report`]: { text: `${id}-report` } });

/** Members are the issues that the first scan finds; of several, the first is there once more in the second. */
export const scanFixVerify: CompositeCase = {
  module,
  mount: ({ id, size, isFailing, skipIf, agent }) => (
    <ScanFixVerify
      {...(id !== undefined && { id })}
      scanner={agent(({ iteration }) => ({ issues: issuesOf(iteration === 0 ? size : 1) }))}
      fixer={agent(({ nodeId, iteration, prompt }) => {
        if (isFailing && iteration === 0 && prompt.includes('"n": 1')) throw new TypeError("as scripted");
        return { text: nodeId };
      })}
      verifier={agent(({ nodeId, iteration }) =>
        nodeId.endsWith("-report") ? { text: nodeId } : { resolved: size < 2 || iteration === 1 },
      )}
      scanOutput={outputs.scan}
      fixOutput={outputs.text}
      verifyOutput={outputs.verification}
      reportOutput={outputs.text}
      skipIf={skipIf}
    />
  ),
  none: (id) => ({ nodes: { [`${id}-scan`]: { issues: [] }, ...report(id) } }),
  one: (id) => ({
    nodes: {
      [`${id}-scan`]: { issues: issuesOf(1) },
      [`${id}-fix-0`]: { text: `${id}-fix-0` },
      [`${id}-verify`]: { resolved: true },
      ...report(id),
    },
  }),
  many: (id) => ({
    nodes: {
      [`${id}-scan`]: { issues: issuesOf(3) },
      [`${id}-fix-0`]: { text: `${id}-fix-0` },
      [`${id}-fix-1`]: { text: `${id}-fix-1` },
      [`${id}-fix-2`]: { text: `${id}-fix-2` },
      [`${id}-verify`]: { resolved: false },
      [`${id}-scan::1`]: { issues: issuesOf(1) },
      [`${id}-fix-0::1`]: { text: `${id}-fix-0` },
      [`${id}-verify::1`]: { resolved: true },
      ...report(id),
    },
  }),
  failing: (id) => ({
    nodes: {
      [`${id}-fix-1`]: "failed",
      [`${id}-verify`]: { resolved: false },
      [`${id}-verify::1`]: { resolved: true },
      ...report(id),
    },
  }),
};

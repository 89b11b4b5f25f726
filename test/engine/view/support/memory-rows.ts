import type { RowStore } from "../../../../src/engine/view/heavy-rows.js";
import type { OutputRow } from "../../../../src/model/schema.js";
import type { RowCodec } from "../../../../src/store/index.js";

/** Stored rows, and how often they are asked for. */
export class MemoryRows implements RowStore {
  readonly rows = new Map<string, Record<string, unknown>>();
  reads = 0;
  outputAtOnce?: NonNullable<RowStore["outputAtOnce"]>;

  constructor({ answersAtOnce = true } = {}) {
    if (!answersAtOnce) return;
    this.outputAtOnce = (_runId, _outputKey, nodeId) => {
      this.reads += 1;
      const row = this.rows.get(nodeId);
      return row && ({ ...row } as unknown as OutputRow);
    };
  }

  codec(): RowCodec {
    return {
      encode: (row: Record<string, unknown>) => [row["text"]],
      decode: (columns: readonly unknown[], address: Record<string, unknown>) => {
        this.reads += 1;
        const { runId, nodeId, iteration } = address;
        return { runId, nodeId, iteration, text: columns[0] };
      },
    } as unknown as RowCodec;
  }
}

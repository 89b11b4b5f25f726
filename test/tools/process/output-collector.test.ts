import { describe, expect, it } from "vitest";
import { OutputCollector } from "../../../src/tools/process/output-collector.js";

describe("an output collector", () => {
  it("keeps the beginning and drops the rest", () => {
    const output = new OutputCollector(10);
    for (const chunk of ["12345", "678", "90abc", "def"]) output.add(Buffer.from(chunk));
    expect(output.text()).toBe("1234567890");
  });

  it("does not hold on to a large chunk of which it keeps a part", () => {
    const output = new OutputCollector(4);
    const chunk = Buffer.alloc(1_000, "x");
    output.add(chunk);
    chunk.fill("y");
    expect(output.text()).toBe("xxxx");
  });
});

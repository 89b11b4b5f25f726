import { ServiceError } from "../../errors/service-error.js";
import type { MemoryProcessorConfig } from "../../model/memory.js";
import { nearest } from "../../util/nearest.js";
import type { MemoryOperations, ProcessorReport } from "../memory-store.js";

/** Tidies a store up when `runProcessors` says so. */
export interface MemoryProcessor {
  /** Its name in `processors` of `runProcessors`. */
  readonly name: string;
  /** @returns how many facts or messages it has taken away */
  process(store: MemoryOperations): Promise<number>;
}

/** @throws INVALID_INPUT for a name that the store has no processor of */
export async function runProcessors(
  store: MemoryOperations,
  known: readonly MemoryProcessor[],
  { processors = known.map(({ name }) => name) }: MemoryProcessorConfig = {},
): Promise<ProcessorReport[]> {
  // Before the first one has done anything.
  const chosen = processors.map((name) => {
    return known.find((processor) => processor.name === name) ?? refuse(name, known);
  });
  const reports: ProcessorReport[] = [];
  for (const processor of chosen) {
    reports.push({ name: processor.name, removed: await processor.process(store) });
  }
  return reports;
}

function refuse(name: string, known: readonly MemoryProcessor[]): never {
  const names = known.map((processor) => processor.name);
  const meant = nearest(String(name), names);
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  throw new ServiceError(
    "INVALID_INPUT",
    `The memory store has no processor ${JSON.stringify(name)}; it has ${names.join(", ") || "none"}${hint}.`,
    { details: { processor: name, known: names } },
  );
}

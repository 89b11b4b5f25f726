import type { OperationIndex, SpecOperation } from "./operations.js";
import type { ResolvedOptions } from "./options.js";
import { toolNames } from "./tool-name.js";
import type { OpenApiWarning } from "./warning.js";

export interface SelectedOperation {
  readonly operation: SpecOperation;
  readonly toolName: string;
  /** False when a filter leaves it out. */
  readonly included: boolean;
}

/**
 * Names every operation and applies the filters: `include` lets in, `exclude`
 * and `operations` keep out. Ids that no operation has are reported.
 */
export function selectOperations(
  { operations, warnings }: OperationIndex,
  options: ResolvedOptions,
): { selected: SelectedOperation[]; warnings: OpenApiWarning[] } {
  const names = toolNames(operations, {
    prefix: options.namePrefix,
    curated: (id) => (options.operations.get(id) || undefined)?.name,
  });
  const selected = operations.map((operation) => ({
    operation,
    toolName: names.get(operation.id) as string,
    included: isIncluded(operation.id, options),
  }));
  return { selected, warnings: [...warnings, ...unknownIds(names, options)] };
}

function isIncluded(id: string, { include, exclude, operations }: ResolvedOptions): boolean {
  const curation = operations.get(id);
  if (curation === false || curation?.include === false || exclude.has(id)) return false;
  return include === undefined || include.has(id);
}

function unknownIds(known: ReadonlyMap<string, string>, options: ResolvedOptions): OpenApiWarning[] {
  const lists = {
    include: options.include ?? [],
    exclude: options.exclude,
    operations: options.operations.keys(),
  };
  return Object.entries(lists).flatMap(([option, ids]) =>
    [...ids]
      .filter((id) => !known.has(id))
      .map((id) => ({
        kind: "filter" as const,
        message: `The option \`${option}\` names ${JSON.stringify(id)}, and the document has no operation with that id.`,
      })),
  );
}

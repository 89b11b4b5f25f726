import { createMemoryStore } from "../../memory/create-memory-store.js";
import type { MemoryStore } from "../../memory/memory-store.js";
import { openWorkspace } from "../../operations/index.js";
import { ServiceError } from "../../errors/service-error.js";
import type { CommandCall } from "../command.js";

/** Why commands that change memory ask no gateway. */
export const MEMORY_IS_LOCAL = {
  cannot: "facts are written where the database is, a gateway only lists them",
} as const;

/** Why those about conversations do not, either. */
export const THREADS_ARE_LOCAL = {
  cannot: "conversations are read where the database is, a gateway lists facts only",
} as const;

/** Memory of the workspace's database. */
export async function openMemory(
  { terminal, options }: CommandCall,
  { readOnly }: { readOnly: boolean },
): Promise<MemoryStore> {
  const { db } = await openWorkspace(terminal, { ...options, readOnly });
  return createMemoryStore(db);
}

/** The namespace of a fact. @throws CLI_USAGE without one */
export function namespaceOf({ namespace }: { namespace?: string }): string {
  if (namespace !== undefined) return namespace;
  throw new ServiceError("CLI_USAGE", "--namespace is missing: whose fact it is, such as user:ada.", {
    details: { option: "--namespace" },
  });
}

/** The error for a fact that there is not. */
export function factNotFound(namespace: string, key: string): ServiceError {
  return new ServiceError(
    "MEMORY_FACT_NOT_FOUND",
    `There is no fact ${JSON.stringify(key)} in ${namespace}.`,
    {
      details: { namespace, key },
    },
  );
}

import { ServiceError } from "../errors/service-error.js";
import type { SandboxProvider } from "../model/sandbox-provider.js";

/** Runtimes of this library, which a provider's id would not reach. */
const OWN: readonly string[] = ["bubblewrap", "docker", "codeplane"];

const registered = new Map<string, SandboxProvider>();

/**
 * Lets `<Sandbox provider="…">` name a provider by its id.
 * @throws INVALID_INPUT for what is no provider, or an id that another one or a runtime has
 */
export function registerSandboxProvider(provider: SandboxProvider): void {
  if (!isSandboxProvider(provider)) {
    throw new ServiceError(
      "INVALID_INPUT",
      "A sandbox provider is an object with an id and a function `run`.",
    );
  }
  if (OWN.includes(provider.id)) {
    throw new ServiceError(
      "INVALID_INPUT",
      `${JSON.stringify(provider.id)} names a runtime of this library: give the provider another id.`,
    );
  }
  const known = registered.get(provider.id);
  if (known !== undefined && known !== provider) {
    throw new ServiceError(
      "INVALID_INPUT",
      `There is another sandbox provider ${JSON.stringify(provider.id)}.`,
    );
  }
  registered.set(provider.id, provider);
}

/** @throws SANDBOX_EXECUTION_FAILED for an id without a provider */
export function providerNamed(id: string): SandboxProvider {
  const provider = registered.get(id);
  if (provider !== undefined) return provider;
  const names = [...registered.keys()].join(", ") || "none";
  throw new ServiceError(
    "SANDBOX_EXECUTION_FAILED",
    `No sandbox provider ${JSON.stringify(id)} is registered in this process (registered: ${names}): call registerSandboxProvider, or give the object.`,
    { details: { provider: id }, retryable: false },
  );
}

function isSandboxProvider(value: unknown): value is SandboxProvider {
  const { id, run } = (value ?? {}) as Partial<SandboxProvider>;
  return typeof id === "string" && id !== "" && typeof run === "function";
}

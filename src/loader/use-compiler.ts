import { createRequire } from "node:module";

type Compiler = ReturnType<typeof loadCompiler>;

export interface CompilerUse {
  readonly esbuild: Compiler;
  /** Ends a use; the compiler's process ends after the last one. */
  end(): void;
}

/** One process compiles for all, and what it was asked never settles once it is gone. */
const uses = new Set<CompilerUse>();

export function useCompiler(): CompilerUse {
  const esbuild = loadCompiler();
  const use: CompilerUse = {
    esbuild,
    end() {
      const wasInUse = uses.delete(use);
      if (wasInUse && uses.size === 0) void esbuild.stop();
    },
  };
  uses.add(use);
  return use;
}

/** As CommonJS, which it is: importing it would first search its whole text for exports. */
const require = createRequire(import.meta.url);

/** The compiler; loaded with the first workflow, not with the command line. */
function loadCompiler(): typeof import("esbuild") {
  return require("esbuild") as typeof import("esbuild");
}

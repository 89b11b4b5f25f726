import { useCompiler } from "./use-compiler.js";

/** Compiles a line, to show that the compiler's program is there and runs. Returns its name and version. */
export async function compileProbe(): Promise<string> {
  const { esbuild, end } = useCompiler();
  try {
    await esbuild.transform("export default <Task />;", { loader: "tsx", jsx: "automatic" });
    return `esbuild ${esbuild.version}`;
  } finally {
    end();
  }
}

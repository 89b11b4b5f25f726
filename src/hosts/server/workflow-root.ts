import { existsSync, realpathSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import { isInside } from "../../process/inside.js";

/**
 * The file that a workflow path of a request means, by its real path.
 * @param rootDir the folder that it must lie in, after every symbolic link; undefined = anywhere
 * @throws WORKFLOW_PATH_OUTSIDE_ROOT, WORKFLOW_NOT_FOUND
 */
export function findWorkflowFile(path: string, rootDir: string | undefined): string {
  const file = resolve(rootDir ?? process.cwd(), path);
  if (path === "" || path.includes("\0")) throw notFound(path);
  const real = realPathOf(file);
  if (rootDir !== undefined && !isInside(real, realpathSync(rootDir))) {
    throw new ServiceError(
      "WORKFLOW_PATH_OUTSIDE_ROOT",
      `${JSON.stringify(path)} leads out of this server's root.`,
      { details: { workflowPath: path } },
    );
  }
  if (!existsSync(real)) throw notFound(path);
  return real;
}

/** With the links of its folders resolved as far as they exist, so that a missing file tells nothing of other folders. */
function realPathOf(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  const parent = dirname(file);
  return parent === file ? file : resolve(realPathOf(parent), relative(parent, file));
}

function notFound(path: string): ServiceError {
  return new ServiceError("WORKFLOW_NOT_FOUND", `There is no workflow file ${JSON.stringify(path)}.`, {
    details: { workflowPath: path },
  });
}

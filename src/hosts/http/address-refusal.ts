import { ServiceError } from "../../errors/service-error.js";

export type BindOptions = { port: number; host: string } | { path: string };

export function addressInUse(where: BindOptions): ServiceError {
  return new ServiceError(
    "ADDRESS_IN_USE",
    `${addressOf(where)} is taken: something listens there already.`,
    {
      details: { ...where },
    },
  );
}

/** Why nothing can listen there: ADDRESS_IN_USE or INVALID_INPUT. */
export function addressRefusal(error: unknown, where: BindOptions): ServiceError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") return addressInUse(where);
  return new ServiceError("INVALID_INPUT", `Nothing can listen at ${addressOf(where)}: ${code}.`, {
    details: { ...where },
    cause: error,
  });
}

function addressOf(where: BindOptions): string {
  return "path" in where ? where.path : `${where.host}:${where.port}`;
}

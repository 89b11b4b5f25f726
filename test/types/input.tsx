/** Compiled, never run: `ctx.input` is what is stored, so what was given. */
import { z } from "zod";
import { createService } from "../../src/service/create-service.js";

const { service } = createService({
  input: z.object({ name: z.string().default("you"), size: z.string().transform(Number) }),
  row: z.object({}),
});
service((ctx) => {
  const size: string = ctx.input.size;
  // @ts-expect-error the default does not act, so the field may be absent
  const name: string = ctx.input.name;
  return `${name}${size}`;
});

import { join } from "node:path";
import { z } from "zod";
import { createService } from "../../../src/index.js";
import type { Gateway } from "../../../src/hosts/gateway/index.js";

/** A workflow that asks a person for a row. */
export function registerDesk(gateway: Gateway, folder: string): void {
  const answer = z.object({
    text: z.string(),
    mood: z.enum(["calm", "angry"]),
    sources: z.array(z.string()),
  });
  const { Workflow, HumanTask, service, outputs } = createService(
    { answer },
    { dbPath: join(folder, "service.db") },
  );
  gateway.register(
    "desk",
    service(() => (
      <Workflow name="desk">
        <HumanTask id="answer" output={outputs.answer} prompt="A customer writes: where is my parcel?" />
      </Workflow>
    )),
  );
}

import type { SampledScore, Scorer } from "../../../src/index.js";
import type { Scene } from "../../support/engine/scene.js";

export function scorer(score: Scorer["score"], id = "style"): Scorer {
  return { id, name: id.toUpperCase(), description: "How it reads.", score };
}

export async function scoresOf(scene: Pick<Scene<never>, "store">, runId = "run"): Promise<SampledScore[]> {
  return scene.store.listScores({ runId, limit: 10_000 });
}

import type { Page } from "./pages.js";

/** Code that a page shows without what stands around it: it compiles, but cannot run. */
export interface Fragment {
  page: string;
  /** `fragment-1.tsx` */
  name: string;
  text: string;
}

/** What fragments use without saying where it comes from. */
export const SURROUNDINGS = `
import type * as agents from "treadle/agents";
import type { AgentLike as Agent, createService } from "treadle";
import type * as zod from "zod";

type Parts = ReturnType<typeof createService<{ summary: zod.ZodObject; findings: zod.ZodObject; fix: zod.ZodObject }>>;

declare global {
  type AgentLike = Agent;
  const Task: Parts["Task"];
  const createDemoAgent: typeof agents.createDemoAgent;
  const OpenAIAgent: typeof agents.OpenAIAgent;
  const PiAgent: typeof agents.PiAgent;
  const createOpenApiTools: typeof import("treadle/openapi").createOpenApiTools;
  const z: typeof zod.z;
  const agent: Agent;
  const abortSignal: AbortSignal;
  const azure: typeof import("@ai-sdk/openai").openai;
  const document: import("treadle/openapi").OpenApiSpec;
  const search: import("ai").Tool;
  const url: string;
  const allowed: (title: string | undefined) => Promise<boolean>;
}
`;

/** Pages about what needs accounts, programs or files that a test does not have. */
const WITH_FRAGMENTS = /^docs\/(?:agents|cli-agents|client|openapi|structured-output|tools)\.md$/;

export function hasFragments({ path }: Page): boolean {
  return WITH_FRAGMENTS.test(path);
}

/** The code of such a page block by block, without blocks that show a value. */
export function fragments(page: Page): Fragment[] {
  if (!hasFragments(page)) return [];
  const { path, text } = page;
  return [...text.matchAll(/^```tsx?\n(.*?)^```$/gms)]
    .map(([, code = ""]) => code)
    .filter((code) => !code.startsWith("{"))
    .map((code, index) => ({ page: path, name: `fragment-${index + 1}.tsx`, text: `${code}\nexport {};\n` }));
}

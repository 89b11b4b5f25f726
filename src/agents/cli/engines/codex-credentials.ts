import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AuthPlace } from "../engine.js";
import { codexOverrides } from "./codex-overrides.js";
import type { CodexAgentOptions } from "./codex-options.js";

const PROVIDER_ARGUMENT = /^(?:--(?:oss|local-provider|profile)\b|-p$|(?:(?:-c|--config)=?)?model_provider)/;

/** Whether options or configuration choose a provider, which brings its own credentials. */
export function choosesProvider(options: CodexAgentOptions, place: AuthPlace): boolean {
  return (
    options.profile !== undefined ||
    options.extraArgs?.some((argument) => PROVIDER_ARGUMENT.test(argument)) === true ||
    codexOverrides(options.config).some((override) => override.startsWith("model_provider")) ||
    isConfigured(place, /^\s*model_provider\s*=/m)
  );
}

/**
 * The tool itself takes `CODEX_API_KEY` only. A user who has signed in keeps that account, which a key would
 * replace.
 */
export function keyVariable(options: CodexAgentOptions, place: AuthPlace): Record<string, string> {
  const { CODEX_API_KEY, OPENAI_API_KEY } = place.env;
  if (CODEX_API_KEY !== undefined || OPENAI_API_KEY === undefined) return {};
  const isSignedIn =
    existsSync(join(codexHome(place), "auth.json")) ||
    isConfigured(place, /^\s*cli_auth_credentials_store\s*=/m);
  return isSignedIn || choosesProvider(options, place) ? {} : { CODEX_API_KEY: OPENAI_API_KEY };
}

function isConfigured(place: AuthPlace, pattern: RegExp): boolean {
  return [join(codexHome(place), "config.toml"), join(place.cwd, ".codex", "config.toml")].some((path) => {
    try {
      return pattern.test(readFileSync(path, "utf8"));
    } catch {
      return false;
    }
  });
}

/** Where the tool keeps its things. */
export function codexHome({ env }: Pick<AuthPlace, "env">): string {
  return env["CODEX_HOME"] ?? join(env["HOME"] ?? homedir(), ".codex");
}

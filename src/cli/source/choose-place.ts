import type { Command } from "commander";
import { ServiceError } from "../../errors/service-error.js";
import { pathOf } from "../help/command-document.js";
import type { ChosenGateway, GatewayUse } from "./gateway-use.js";

type PlaceOptions = Partial<Record<"db" | "gateway" | "token", string>>;

/**
 * Where the runs are that a call is about: a database, or a gateway. The command line wins
 * over the environment.
 * @throws CLI_USAGE for both at once, a gateway that the command cannot use, a token without a gateway
 */
export function choosePlace(
  command: Command,
  use: GatewayUse | undefined,
): { db?: string; gateway?: ChosenGateway } {
  const { db, gateway, token } = placeOptions(command);
  const isTyped = (option: keyof PlaceOptions) => command.getOptionValueSourceWithGlobals(option) === "cli";
  if (isTyped("token") && !isTyped("gateway") && gateway === undefined)
    throw usage("--token needs --gateway.");
  const database = db === undefined ? {} : { db };
  if (gateway === undefined) return database;
  const isNamed = isTyped("gateway");
  if (isNamed && isTyped("db")) throw usage("--db and --gateway exclude each other.");
  // Only a command about runs concerns a gateway.
  const isForRuns = use === "asked" || (use !== undefined && use.isForFiles !== true);
  if (!isNamed && (isTyped("db") || !isForRuns)) return database;
  if (!isNamed && db !== undefined) {
    const variable = process.env.SERVICE_DATABASE_URL ? "SERVICE_DATABASE_URL" : "SERVICE_DB";
    throw usage(`${variable} and SERVICE_GATEWAY are both set: say which with --db or --gateway.`);
  }
  if (use !== "asked") throw refused(command, { use, isNamed });
  return { gateway: { url: gateway, isNamed, token } };
}

/** The place that a call names, whether or not it can be used there: for commands that are shown with an error. */
export function typedPlace(command: Command): { db?: string; gateway?: ChosenGateway } {
  const { db, gateway: url, token } = placeOptions(command);
  const isNamed = url !== undefined && command.getOptionValueSourceWithGlobals("gateway") === "cli";
  if (isNamed) return { gateway: { url, isNamed, token } };
  return db === undefined ? {} : { db };
}

/** A variable that is set to nothing says nothing. */
function placeOptions(command: Command): PlaceOptions {
  const given = Object.entries(command.optsWithGlobals<PlaceOptions>()).filter(
    ([option, value]) => value !== "" || command.getOptionValueSourceWithGlobals(option) !== "env",
  );
  const options: PlaceOptions = Object.fromEntries(given);
  const isTyped = command.getOptionValueSourceWithGlobals("db") === "cli";
  const server = isTyped ? undefined : process.env.SERVICE_DATABASE_URL;
  return server === undefined || server === "" ? options : { ...options, db: server };
}

function refused(
  command: Command,
  { use, isNamed }: { use: Exclude<GatewayUse, "asked"> | undefined; isNamed: boolean },
): ServiceError {
  const why = use === undefined ? "it is not about runs of a gateway" : use.cannot;
  const instead = isNamed ? "Leave --gateway out" : "SERVICE_GATEWAY is set: name a database with --db";
  return usage(`${pathOf(command)} cannot be done through a gateway: ${why}. ${instead}.`);
}

function usage(summary: string): ServiceError {
  return new ServiceError("CLI_USAGE", summary, { details: { option: "--gateway" } });
}

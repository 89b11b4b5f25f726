import { checkOptions, refuseOption } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import { type LogLevel, logLevelOf } from "./log/level.js";
import { exportHeaders, resourceAttributes } from "./trace/key-value-list.js";

export const LOG_FORMATS = ["json", "pretty", "string", "logfmt"] as const;

/** How a record is written; always as one line. */
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Options of logs and exports. Absent ones come from the environment. */
export interface ServiceObservabilityOptions {
  /** Whether spans are exported. @default SERVICE_OTEL_ENABLED (`1` or `true`), else false */
  enabled?: boolean;
  /** Base URL of an OTLP/HTTP collector. @default OTEL_EXPORTER_OTLP_ENDPOINT, else "http://localhost:4318" */
  endpoint?: string;
  /** The name of this process in traces. @default OTEL_SERVICE_NAME, else "service" */
  serviceName?: string;
  /** How log records are written to stderr. @default SERVICE_LOG_FORMAT, else "logfmt" */
  logFormat?: LogFormat;
  /**
   * The least that is logged: `none`, `trace`, `debug`, `info`, `warning`, `error`, `fatal` or `all`, or a level
   * of the effect library. @default SERVICE_LOG_LEVEL, else "Info"
   */
  logLevel?: LogLevel | Lowercase<LogLevel> | "warning";
  /** Whether records are logged at all. @default true */
  installLogger?: boolean;
}

/** Every option has a value. */
export type ResolvedObservabilityOptions = Readonly<
  Required<Omit<ServiceObservabilityOptions, "logLevel">> & {
    /** Least severe level that is logged. */
    logLevel: LogLevel;
  }
>;

const COLLECTOR_IN_WORDS =
  "an http or https URL without a user, whose credentials OTEL_EXPORTER_OTLP_HEADERS has";
const LEVELS_IN_WORDS = `one of none, trace, debug, info, warning, error, fatal, all`;
const isFormat = (value: unknown): value is LogFormat => LOG_FORMATS.includes(value as LogFormat);
const isLevel = (value: unknown) => typeof value === "string" && logLevelOf(value) !== undefined;

const RULES = {
  enabled: rules.flag,
  endpoint: rules.checked(COLLECTOR_IN_WORDS, isCollector),
  serviceName: rules.name,
  logFormat: rules.oneOf(LOG_FORMATS),
  logLevel: rules.checked(LEVELS_IN_WORDS, isLevel),
  installLogger: rules.withDefault(rules.flag, true),
} satisfies rules.OptionRules<ServiceObservabilityOptions>;

/**
 * The options with every value: those that are given, else those of the environment, else the defaults. An
 * empty variable counts as none.
 * @throws INVALID_INPUT naming the option or the variable that is not as described
 * @example
 * resolveServiceObservabilityOptions({ logFormat: "json" }).logLevel; // "Info", unless SERVICE_LOG_LEVEL says otherwise
 */
export function resolveServiceObservabilityOptions(
  options: ServiceObservabilityOptions = {},
): ResolvedObservabilityOptions {
  const given = checkOptions("observability", options, RULES);
  const enabled = given.enabled ?? enabledOf(variable("SERVICE_OTEL_ENABLED"));
  if (enabled) {
    exportHeaders();
    resourceAttributes();
  }
  return Object.freeze({
    enabled,
    endpoint: given.endpoint ?? endpointOf(variable("OTEL_EXPORTER_OTLP_ENDPOINT")),
    serviceName: given.serviceName ?? variable("OTEL_SERVICE_NAME") ?? "service",
    logFormat: given.logFormat ?? formatOf(variable("SERVICE_LOG_FORMAT")),
    logLevel: levelOf(given.logLevel ?? variable("SERVICE_LOG_LEVEL")),
    installLogger: given.installLogger,
  });
}

/** Whether logs are configured, be it others than there are by default. */
export function asksForLogs(): boolean {
  return (variable("SERVICE_LOG_FORMAT") ?? variable("SERVICE_LOG_LEVEL")) !== undefined;
}

/** Undefined when it is not set, or empty. */
function variable(name: string): string | undefined {
  return process.env[name] || undefined;
}

function enabledOf(text = "false"): boolean {
  if (!/^(?:0|1|true|false)$/i.test(text)) {
    refuseOption("SERVICE_OTEL_ENABLED (environment)", "1, true, 0 or false", text);
  }
  return /^(?:1|true)$/i.test(text);
}

function endpointOf(text = "http://localhost:4318"): string {
  if (!isCollector(text)) refuseOption("OTEL_EXPORTER_OTLP_ENDPOINT (environment)", COLLECTOR_IN_WORDS, text);
  return text;
}

function formatOf(text = "logfmt"): LogFormat {
  if (!isFormat(text)) {
    refuseOption("SERVICE_LOG_FORMAT (environment)", `one of ${LOG_FORMATS.join(", ")}`, text);
  }
  return text;
}

/** An option has been looked at before. */
function levelOf(text = "Info"): LogLevel {
  return logLevelOf(text) ?? refuseOption("SERVICE_LOG_LEVEL (environment)", LEVELS_IN_WORDS, text);
}

function isCollector(value: unknown): value is string {
  if (typeof value !== "string" || !/^https?:\/\/[^/]/i.test(value) || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username === "" && password === "";
}

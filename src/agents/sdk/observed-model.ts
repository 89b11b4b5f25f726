import type { LanguageModelMiddleware, wrapLanguageModel } from "ai";
import type { SdkModel } from "./sdk-options.js";

type LanguageModelV3 = Parameters<typeof wrapLanguageModel>[0]["model"];
type StreamCall = Parameters<NonNullable<LanguageModelMiddleware["wrapStream"]>>[0];
type StreamResult = Awaited<ReturnType<StreamCall["doStream"]>>;
type StreamPart = StreamResult["stream"] extends ReadableStream<infer Part> ? Part : never;

/**
 * The model as a tool loop sees it, with two differences: warnings go to `onWarning` instead of the
 * console, and a model that can only answer in one piece is asked for that.
 */
export async function observedModel(model: SdkModel, onWarning: (text: string) => void): Promise<SdkModel> {
  // Models of the previous specification are adapted by the SDK itself.
  if (model.specificationVersion !== "v3") return model;
  const { simulateStreamingMiddleware, wrapLanguageModel } = await import("ai");
  const inOnePiece = simulateStreamingMiddleware().wrapStream;
  return wrapLanguageModel({
    model: model as LanguageModelV3,
    middleware: {
      specificationVersion: "v3",
      async wrapStream(call) {
        const result = await streamOrWhole(call, inOnePiece);
        return { ...result, stream: result.stream.pipeThrough(takeWarnings(onWarning)) };
      },
    },
  });
}

async function streamOrWhole(
  call: StreamCall,
  inOnePiece: LanguageModelMiddleware["wrapStream"],
): Promise<StreamResult> {
  try {
    return await call.doStream();
  } catch (error) {
    if (inOnePiece === undefined || !cannotStream(error)) throw error;
    return await inOnePiece(call);
  }
}

function cannotStream(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "AI_UnsupportedFunctionalityError" || /^not implemented$/i.test(error.message);
}

function takeWarnings(onWarning: (text: string) => void): TransformStream<StreamPart, StreamPart> {
  return new TransformStream({
    transform(part, controller) {
      if (part.type !== "stream-start") return controller.enqueue(part);
      for (const warning of part.warnings) onWarning(describe(warning));
      controller.enqueue({ ...part, warnings: [] });
    },
  });
}

function describe(warning: { type: string; feature?: string; details?: string; message?: string }): string {
  if (warning.message !== undefined) return warning.message;
  const what = `${warning.feature ?? "A setting"} is ${warning.type === "unsupported" ? "not supported" : "used in a compatibility mode"}.`;
  return warning.details === undefined ? what : `${what} ${warning.details}`;
}

import { expect, it } from "vitest";
import * as openapi from "treadle/openapi";

it("treadle/openapi exports the factories, the lists and what goes with their results", () => {
  expect(Object.keys(openapi).sort()).toEqual([
    "OPENAPI_CALL_CHANNEL",
    "createOpenApiTool",
    "createOpenApiToolSync",
    "createOpenApiTools",
    "createOpenApiToolsSync",
    "describeOperations",
    "isOpenApiToolFailure",
    "listOperations",
  ]);
});

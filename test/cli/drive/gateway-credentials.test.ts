import { afterEach, expect, it } from "vitest";
import { openGateway } from "../../../src/cli/drive/open-gateway.js";
import { chooseDatabase } from "../../../src/store/chosen-database.js";
import { Workspace } from "../support/treadle.js";

afterEach(() => chooseDatabase(undefined));

it.each([
  ["--auth-token", { authToken: "secret", environmentToken: undefined }],
  ["SERVICE_API_KEY", { authToken: undefined, environmentToken: "secret" }],
])("the token of %s counts where a configuration names `auth` without a value", async (_name, tokens) => {
  const workspace = new Workspace({
    "treadle.gateway.ts": "export default { workflows: {}, auth: undefined, workspaceRoot: undefined };",
  });
  const { gateway, usesOwnToken } = await openGateway({
    cwd: "/",
    workspace: workspace.folder,
    config: undefined,
    db: undefined,
    ownToken: "own",
    ...tokens,
  });
  expect(gateway.describe().auth).toBe("token");
  expect(usesOwnToken).toBe(false);
  await gateway.close();
});

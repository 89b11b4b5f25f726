import { expect, it } from "vitest";
import { secretsOfEnvironment } from "../../src/util/environment-secrets.js";

it("the folder that a shell stands in is no secret, and a password of the same short name is one", () => {
  const env = {
    PWD: "/home/ada/project",
    OLDPWD: "/home/ada",
    MYSQL_PWD: "correct horse",
    GIT_TOKEN: "gt-12345678",
  };
  expect(secretsOfEnvironment(env)).toEqual(["correct horse", "gt-12345678"]);
});

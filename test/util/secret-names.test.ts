import { expect, it } from "vitest";
import { isSecretName } from "../../src/util/secret-names.js";

const SECRET =
  "API_KEY API_KEY_2 APIKEY2 SESSION_COOKIE SENTRY_DSN DB_PASS DBPASS PGPASSWORD MYSQL_PWD SERVICE_AUTH GITHUB_TOKEN GITHUBTOKEN2 " +
  "GH_PAT AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID PRIVATE_KEY SIGNING_KEYS DB_CREDS apiKey accessToken clientSecret privateKey " +
  "authToken x-api-key X-Auth-Token Authorization Proxy-Authorization Cookie Set-Cookie bearer_token model_providers.x.api_key " +
  "OPENAI_APIKEY passphrase SSH_PASSPHRASE OAUTH JWT --token";
const ORDINARY =
  "HOME PATH NODE_ENV AUTHOR GIT_AUTHOR_NAME XAUTHORITY KEYBOARD_LAYOUT MONKEY COMPASS PASSENGERS SSH_AUTH_SOCK TOKEN_FILE " +
  "PRIVATE_KEY_PATH KEY_NAME patch LANG content-type accept BASE_URL COMPAT model systemPrompt";

it.each(SECRET.split(" "))("what is called %s is secret", (name) => {
  expect(isSecretName(name)).toBe(true);
  expect(isSecretName(name.toLowerCase()) || /[a-z][A-Z]/.test(name)).toBe(true);
});

it.each(ORDINARY.split(" "))("what is called %s is not", (name) => {
  expect(isSecretName(name)).toBe(false);
});

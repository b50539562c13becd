import { addressWithPassword, keyShapes } from './secret-shapes.ts';

const removed = '[redacted]';
/** Shorter values would blank ordinary words. */
const minSecretChars = 6;

/** What stands behind a telling name: `password=…`, `"api_key": "…"`, `Authorization: Bearer …`. */
const namedValue =
  /((?:\b|_)(?:api[_-]?key|access[_-]?key(?:[_-]?id)?|secret[_-]?key|client[_-]?secret|private[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token|token|secret|password|passwd|passphrase)["']?\s{0,3}(?:=|:)\s{0,3}["']?)([^\s"',;&]{6,})/giu;
const authorization = /\b(authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:bearer|basic|token)\s{1,3}|bearer\s{1,3})([A-Za-z0-9._~+/=-]{8,})/giu;

/**
 * Makes the function that takes secrets out of logs and exports: the given ones (as they are, percent-encoded, in base64 and as JSON), and
 * whatever is a secret by its shape or its name. Linear, and the same again when applied twice.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets.filter((secret) => secret.length >= minSecretChars).flatMap(formsOf))].sort(
    (left, right) => right.length - left.length,
  );
  return (text) => {
    let clean = text;
    for (const form of known) clean = clean.replaceAll(form, removed);
    for (const shape of keyShapes) clean = clean.replace(shape, removed);
    return clean
      .replace(addressWithPassword, `$1${removed}@`)
      .replace(authorization, (_all, name: string) => `${name}${removed}`)
      .replace(namedValue, (all: string, name: string, value: string) =>
        value.startsWith(removed) || isNoSecret(value) ? all : `${name}${removed}`,
      );
  };
}

function formsOf(secret: string): readonly string[] {
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64'), JSON.stringify(secret).slice(1, -1)];
}

/** Code and placeholders that stand where a value would: `process.env.X`, `${X}`, `<token>`, `string`. */
function isNoSecret(value: string): boolean {
  return /^(?:[$<{[(]|process\.|os\.|env\.|import\.|string\b|undefined\b|boolean\b|number\b|null\b|true\b|false\b|\*{3,}|x{4,}|[A-Za-z_.]+\()/iu.test(
    value,
  );
}

/** Shapes of keys that must not be shown even when they are not ours. */
const keyShapes =
  /\b(?:sk|pk|rk|gsk|xai|hf|r8|nvapi|ghp|gho)[-_][\w-]{12,}|\bAIza[\w-]{20,}|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*|\bBearer\s+[\w.~+/=-]{8,}/giu;

/** Replaces every secret in a text by `[key]`: those that are named, whole or percent-encoded, and whatever looks like a key. */
export function scrub(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    // Shorter ones are words, such as the "ollama" that people give to local servers.
    if (secret.length < 8) continue;
    for (const form of new Set([
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
      JSON.stringify(secret).slice(1, -1),
    ])) {
      clean = clean.replaceAll(form, '[key]');
    }
  }
  return clean.replace(keyShapes, '[key]');
}

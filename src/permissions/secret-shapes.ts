/** Values that are keys by their shape, whatever they are called. */
export const keyShapes: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/gu,
  /\b(?:sk|pk|rk|gsk|xai|hf|r8|nvapi|npm|pypi|shpat|glpat|gldt|dop_v1|dckr_pat|lin_api|xapp|sntrys)[-_][A-Za-z0-9_-]{12,}/gu,
  /\b(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{20,}/gu,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/gu,
  /\bAIza[A-Za-z0-9_-]{20,}/gu,
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/gu,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*/gu,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/gu,
  /\bya29\.[A-Za-z0-9_-]{20,}/gu,
];

/** A user name and password in an address. */
export const addressWithPassword = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@:'"]{0,200}:[^\s/@'"]{1,200}@/giu;

/** Names of variables and fields that hold secrets. */
export const secretName =
  /(?:^|[_.-])(?:api_?keys?|access_?keys?|secret_?keys?|private_?keys?|keys?|tokens?|secrets?|passwords?|passwd|passphrase|pass|pwd|credentials?|creds|cookies?|jwt|pat|dsn|auth|bearer|signature|webhook)$|(?:api_?key|token|secret|password|passwd|passphrase|credential|private_?key|access_?key|auth_?key)/iu;

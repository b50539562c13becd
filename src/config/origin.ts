/** What gave a setting its value, lowest first. `/set` is `session`. */
export const layers = ['default', 'user', 'project', 'project-local', 'agent', 'env', 'profile', 'flag', 'session'] as const;
export type Layer = (typeof layers)[number];

/** `where` is the file and line, the variable, the flag, or the name of the profile or agent. */
export type Origin = { readonly layer: Layer; readonly where: string };

/** An origin in words: `default`, `--max-turns`, `TILLDONE_…`, `/home/me/.config/tilldone/settings.json:3`. */
export function describeOrigin(origin: Origin): string {
  switch (origin.layer) {
    case 'default':
      return 'default';
    case 'agent':
    case 'profile':
      return `${origin.layer} ${origin.where}`;
    case 'session':
      return '/set, this session only';
    default:
      return origin.where;
  }
}

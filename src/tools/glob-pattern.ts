/** A glob as people and ignore files write it, as the source of a regular expression over a path with `/`. */
function globSource(glob: string): string {
  let source = '';
  let braces = 0;
  for (let at = 0; at < glob.length; at += 1) {
    const character = glob[at] ?? '';
    const atStart = at === 0 || glob[at - 1] === '/';
    if (character === '*' && glob[at + 1] === '*') {
      let end = at;
      while (glob[end] === '*') end += 1;
      const wholeSegment = atStart && (end === glob.length || glob[end] === '/');
      if (!wholeSegment) source += '[^/]*';
      else if (end === glob.length) source += '.+';
      else source += '(?:[^/]+/)*';
      at = wholeSegment && end < glob.length ? end : end - 1;
    } else if (character === '*') source += '[^/]*';
    else if (character === '?') source += '[^/]';
    else if (character === '[') {
      const set = /^\[([!^]?)(\]?[^\]]*)\]/u.exec(glob.slice(at));
      if (set === null) source += '\\[';
      else {
        const members = (set[2] ?? '').replace(/[\\\][^]/gu, '\\$&');
        source += `(?!/)[${set[1] === '' ? '' : '^'}${members}]`;
        at += set[0].length - 1;
      }
    } else if (character === '{' && glob.indexOf('}', at) !== -1) {
      braces += 1;
      source += '(?:';
    } else if (character === '}' && braces > 0) {
      braces -= 1;
      source += ')';
    } else if (character === ',' && braces > 0) source += '|';
    else {
      const escaped = character === '\\' && at + 1 < glob.length;
      if (escaped) at += 1;
      source += (glob[at] ?? '').replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
    }
  }
  return source + ')'.repeat(braces);
}

/**
 * A test of relative paths against a glob: `*` and `?` stay within a segment, `**` spans folders, `[ab]`, `{a,b}`. A glob without `/` matches
 * the last segment at any depth unless `anchored`.
 */
export function compileGlob(glob: string, anchored: boolean): (path: string) => boolean {
  const prefix = anchored ? '' : '(?:.*/)?';
  let pattern: RegExp;
  try {
    pattern = new RegExp(`^${prefix}${globSource(glob)}$`, 'su');
  } catch {
    return (path) => path === glob; // a set such as [z-a] is no pattern: only the very name matches
  }
  return (path) => pattern.test(path);
}

/** Whether a glob says something about folders too. */
export function hasSlash(glob: string): boolean {
  return glob.includes('/');
}

/** The folder that a glob names before its first special character, and what is left to match below it. */
export function splitGlob(glob: string): { readonly base: string; readonly rest: string } {
  const segments = glob.split('/');
  const first = segments.findIndex((segment) => /[*?[\]{}\\]/u.test(segment));
  const count = Math.min(first === -1 ? segments.length - 1 : first, segments.length - 1);
  const base = segments.slice(0, count).join('/');
  return { base: base === '' && glob.startsWith('/') ? '/' : base, rest: segments.slice(count).join('/') };
}

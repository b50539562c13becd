import type { HLJSApi } from 'highlight.js';
import type { Highlight } from './markdown.ts';
import type { Paint, Role } from './theme.ts';

/** A highlighter that is loaded when the first code is seen; until then code stays as it is. */
export type LazyHighlight = { readonly highlight: Highlight; readonly load: () => Promise<void> };

/** Longer code is not coloured: it costs too much while text streams. */
const maxCodeChars = 20_000;

const roles: Readonly<Record<string, Role>> = {
  keyword: 'keyword',
  built_in: 'type',
  type: 'type',
  literal: 'number',
  number: 'number',
  string: 'string',
  regexp: 'string',
  subst: 'string',
  symbol: 'string',
  char: 'string',
  comment: 'comment',
  doctag: 'comment',
  meta: 'keyword',
  title: 'title',
  section: 'title',
  name: 'keyword',
  attr: 'type',
  attribute: 'type',
  variable: 'type',
  property: 'type',
  addition: 'added',
  deletion: 'removed',
  bullet: 'keyword',
  code: 'string',
  link: 'link',
  selector: 'title',
  tag: 'keyword',
};

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" };

async function loadHighlighter(): Promise<HLJSApi> {
  const [{ default: core }, ...languages] = await Promise.all([
    import('highlight.js/lib/core'),
    import('highlight.js/lib/languages/bash'),
    import('highlight.js/lib/languages/c'),
    import('highlight.js/lib/languages/cpp'),
    import('highlight.js/lib/languages/css'),
    import('highlight.js/lib/languages/diff'),
    import('highlight.js/lib/languages/go'),
    import('highlight.js/lib/languages/java'),
    import('highlight.js/lib/languages/javascript'),
    import('highlight.js/lib/languages/json'),
    import('highlight.js/lib/languages/python'),
    import('highlight.js/lib/languages/ruby'),
    import('highlight.js/lib/languages/rust'),
    import('highlight.js/lib/languages/sql'),
    import('highlight.js/lib/languages/typescript'),
    import('highlight.js/lib/languages/xml'),
    import('highlight.js/lib/languages/yaml'),
  ]);
  const names = 'bash c cpp css diff go java javascript json python ruby rust sql typescript xml yaml'.split(' ');
  for (const [index, language] of languages.entries()) core.registerLanguage(names[index] ?? '', language.default);
  return core;
}

/** Turns the highlighter's markup into painted text. Spans nest; the innermost role is the one that shows. */
export function paintMarkup(markup: string, paint: Paint): string {
  const open: (Role | undefined)[] = [];
  let text = '';
  for (const piece of markup.split(/(<[^>]*>)/)) {
    if (piece.startsWith('<span')) {
      const name = /class="hljs-([a-z_]+)/.exec(piece)?.[1] ?? '';
      open.push(roles[name.split('-')[0] ?? ''] ?? open.at(-1));
    } else if (piece.startsWith('</')) open.pop();
    else if (piece !== '') {
      const plain = piece.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity);
      const role = open.at(-1);
      // A style never spans a line, so that lines can be laid out one by one.
      text +=
        role === undefined
          ? plain
          : plain
              .split('\n')
              .map((line) => paint(role, line))
              .join('\n');
    }
  }
  return text;
}

/** Colours code in the languages it knows. */
export function createHighlight(paint: Paint): LazyHighlight {
  let highlighter: HLJSApi | undefined;
  let loading: Promise<void> | undefined;
  const load = (): Promise<void> => {
    loading ??= loadHighlighter().then(
      (loaded) => {
        highlighter = loaded;
      },
      () => {},
    );
    return loading;
  };
  return {
    load,
    highlight(code, language) {
      if (highlighter === undefined) {
        void load();
        return code;
      }
      if (code.length > maxCodeChars || highlighter.getLanguage(language) === undefined) return code;
      return paintMarkup(highlighter.highlight(code, { language, ignoreIllegals: true }).value, paint);
    },
  };
}

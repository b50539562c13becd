import fc from 'fast-check';
import { expect, it } from 'vitest';
import { htmlToMarkdown } from '../../src/tools/html-to-markdown.ts';

const options = { base: 'https://example.com/docs/page', maxChars: 1_000_000 };

it.each([
  ['headings and paragraphs', '<h1>One</h1><p>a\n  b</p><p>c</p><h3>Two</h3>d', '# One\n\na b\n\nc\n\n### Two\n\nd'],
  ['space at the edge of emphasis', 'a <b>x </b>b', 'a **x** b'],
  ['paragraphs that are never closed', '<p>a<p>b', 'a\n\nb'],
  ['emphasis within a sentence', 'a <b>bold</b>, <em>thin</em> and <code>x()</code>.', 'a **bold**, *thin* and `x()`.'],
  [
    'links, made absolute',
    '<a href="/x?a=1&amp;b=2">one</a> <a href=other>two</a>',
    '[one](https://example.com/x?a=1&b=2) [two](https://example.com/docs/other)',
  ],
  ['links without text or target', '<a href="/x"></a>a<a>b</a><a href="#top">c</a>', 'abc'],
  ['a link around a heading', '<a href="/x"><h2>T</h2></a>', '[\n\n## T](https://example.com/x)'],
  ['lists in lists', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul><ol><li>x<li>y</ol>', '- a\n  - b\n- c\n\n1. x\n2. y'],
  ['code as it stands', '<pre><code>if (a &lt; b) {\n  c();\n}</code></pre>after', '```\nif (a < b) {\n  c();\n}\n```\n\nafter'],
  ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>c', '> a\n>\n> b\n\nc'],
  ['tables', '<table><tr><th>A<th>B</tr><tr><td>1<td>2</tr></table>', 'A | B\n1 | 2'],
  ['images by their text', 'x<img alt="a cat" src=y><img src=z>', 'x ![a cat]'],
  ['breaks and rules', 'a<br>b<hr>c', 'a\nb\n\n---\n\nc'],
  ['no scripts, styles, comments', 'a<script>if (x < 1) "</p>"</script><style>p{}</style><!-- <p>no -->b', 'ab'],
  ['a script that is never closed', 'a<SCRIPT>b', 'ab'],
  ['entities', '&lt;b&gt; &amp;amp; &#228;&#x1F600; &nosuch; &#0;&#xD800;', '<b> &amp; ä😀 &nosuch; \ufffd\ufffd'],
  ['signs that are no tags', '1 < 2 and a <3 b', '1 < 2 and a <3 b'],
  ['a tag that never ends', 'a <b', 'a <b'],
  ['quotes with a sign in an attribute', '<a title="a > b" href="/x">y</a>', '[y](https://example.com/x)'],
])('%s', (_name, html, markdown) => {
  expect(htmlToMarkdown(html, options)).toBe(markdown);
});

it('stops soon after so many characters', () => {
  const markdown = htmlToMarkdown('<p>0123456789</p>'.repeat(1000), { ...options, maxChars: 100 });
  expect(markdown.length).toBeGreaterThan(100);
  expect(markdown.length).toBeLessThan(200);
});

it('takes any text whatever, and gives no tag back', () => {
  const piece = fc.constantFrom(
    '<p>',
    '</p>',
    '<a href="',
    '">',
    '<li>',
    '<ul>',
    '</ul>',
    '<pre>',
    '</pre>',
    '<',
    '>',
    '"',
    '&',
    '<!--',
    '-->',
    '<script>',
    '</script>',
    'x',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      expect(htmlToMarkdown(pieces.join(''), options)).not.toMatch(/<(?:li|ul|pre)>/u);
    }),
    { numRuns: 500, seed: Number(process.env.TILLDONE_SEED ?? 1) },
  );
});

it.each([
  '<div>',
  '<b>',
  '<a href="x">',
  '<li>',
  '<ul>',
  '<blockquote>',
  '<svg>',
  '<a "',
  '<!-',
  '<!--',
  '&#',
  '&',
  '<x="',
  '</',
  '<pre>',
  '<td>',
  ' ',
])('stays linear on %s without end', (piece) => {
  const before = performance.now();
  htmlToMarkdown(`${piece.repeat(30_000)}end`, options);
  expect(performance.now() - before).toBeLessThan(3000); // a guard: it takes some 30 ms
});

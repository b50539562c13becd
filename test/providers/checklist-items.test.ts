import { describe, expect, it } from 'vitest';
import { parseItems, type Step, stepsOf } from '../../src/providers/checklist-items.ts';

const fence = '```';

describe('parseItems', () => {
  it.each<[string, string, string[]]>([
    ['numbered lines', '1. one\n2) two', ['one', 'two']],
    ['bullets of every kind', '- one\n* two\n+ three\n• four', ['one', 'two', 'three', 'four']],
    ['checkboxes', '- [ ] one\n- [x] two', ['one', 'two']],
    ['prose around the list is left out', 'Please do this:\n\n1. one\n\nThank you.', ['one']],
    ['a line over deeper lines is a heading', '- first part\n  - one\n  - two', ['one', 'two']],
    ['a line with backticks is an item even then', '- run `a`\n  - run `b`', ['run `a`', 'run `b`']],
    ['list lines inside a fence are content', `1. create \`a\`\n${fence}\n- no item\n${fence}\n2. two`, ['create `a`', 'two']],
    ['words that only point at the block go', `1. create \`a\` with:\n${fence}\nx\n${fence}\n2. deal with:`, ['create `a`', 'deal with:']],
    ['no list', 'what is 1. and 2.?', []],
    ['windows line ends', '1. one\r\n2. two\r\n', ['one', 'two']],
  ])('%s', (_, text, contents) => {
    expect(parseItems(text).map((item) => item.content)).toEqual(contents);
  });

  it('takes the fenced block under a line, without the indent of the fence', () => {
    const text = `1. create \`a.py\`\n\n   ${fence}python\n   if x:\n       y()\n   ${fence}\n2. two`;
    expect(parseItems(text)[0]?.block).toBe('if x:\n    y()\n');
    expect(parseItems(text)[1]?.block).toBeUndefined();
  });

  it('ends a block only at a fence as long as the one that opened it', () => {
    expect(parseItems(`- write \`a.md\`\n${fence}${'`'}\n${fence}js\nx\n${fence}\n${fence}${'`'}`)[0]?.block).toBe(
      `${fence}js\nx\n${fence}\n`,
    );
  });

  it('reads what is already done', () => {
    expect(parseItems('- [x] a\n- [ ] b\n- [-] c\n3. [in_progress] d').map((item) => item.status)).toEqual([
      'completed',
      'pending',
      'cancelled',
      'in_progress',
    ]);
  });
});

describe('stepsOf', () => {
  const shell = (command: string, mustFail?: true): Step => ({ name: 'shell', arguments: { command }, ...(mustFail ? { mustFail } : {}) });
  const edit = (path: string, oldText: string, newText: string): Step[] => [
    { name: 'read_file', arguments: { path } },
    { name: 'edit_file', arguments: { path, edits: [{ old_text: oldText, new_text: newText }] } },
  ];
  it.each<[string, readonly Step[]]>([
    ['run `npm test`', [shell('npm test')]],
    ['`npm test`', [shell('npm test')]],
    ['Run `a b` and then `c`', [shell('a b'), shell('c')]],
    ['`node t.js` must fail', [shell('node t.js', true)]],
    ['Run the test: `node --test` (it should fail)', [shell('node --test', true)]],
    ['show `git status`', [shell('git status')]],
    ['read `a.txt`', [{ name: 'read_file', arguments: { path: 'a.txt' } }]],
    ['list `src`', [{ name: 'list_dir', arguments: { path: 'src' } }]],
    ['list the files here', [{ name: 'list_dir', arguments: { path: '.' } }]],
    ['find `*.ts`', [{ name: 'glob', arguments: { pattern: '*.ts' } }]],
    ['find `*.ts` in `src/`', [{ name: 'glob', arguments: { pattern: 'src/**/*.ts' } }]],
    ['create `a.txt` with `hello`', [{ name: 'write_file', arguments: { path: 'a.txt', content: 'hello\n' } }]],
    ['write `a.txt` containing the text `hello world`', [{ name: 'write_file', arguments: { path: 'a.txt', content: 'hello world\n' } }]],
    ['create an empty `a.txt`', [{ name: 'write_file', arguments: { path: 'a.txt', content: '' } }]],
    ['replace `a` with `b` in `c.txt`', edit('c.txt', 'a', 'b')],
    ['replace ``x `y` z`` by `q` in `c.txt`', edit('c.txt', 'x `y` z', 'q')],
    ['fix it: replace `return a - b` with `return a + b` in `src/add.js`', edit('src/add.js', 'return a - b', 'return a + b')],
  ])('%s', (content, steps) => {
    expect(stepsOf({ content, block: undefined })).toEqual(steps);
  });

  it('writes the block that stands under the line', () => {
    expect(stepsOf({ content: 'create `a`', block: 'x\n' })).toEqual([{ name: 'write_file', arguments: { path: 'a', content: 'x\n' } }]);
  });

  it.each(['make it pretty', 'delete `build.sh`', 'rename `a` to `b`', 'create `a.txt`', 'explain `git push --force`'])(
    'cannot do: %s',
    (content) => {
      expect(stepsOf({ content, block: undefined })).toHaveProperty('cannot');
    },
  );
});

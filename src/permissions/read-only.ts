/** What a built-in read-only command may be given: flags without a value, flags with one, and what its operands are. */
type ReadOnlyCommand = {
  /** Letters that may stand alone or together behind one dash. */
  readonly letters: string;
  /** Letters whose value follows, in the same word or the next. */
  readonly valued?: string;
  readonly long?: readonly string[];
  /** `--name=value`. */
  readonly longValued?: readonly string[];
  readonly operands: 'paths' | 'names' | 'text' | 'none';
  /** `-20` for twenty lines. */
  readonly digits?: boolean;
};

const commands: Readonly<Record<string, ReadOnlyCommand>> = {
  pwd: { letters: 'LP', operands: 'none' },
  ls: {
    letters: '1aAlhrtSRdFispngoGBCxmXUvcukqQNbLH',
    long: [
      'all',
      'almost-all',
      'human-readable',
      'reverse',
      'recursive',
      'directory',
      'classify',
      'inode',
      'size',
      'group-directories-first',
      'color',
      'full-time',
    ],
    longValued: ['color', 'sort', 'time', 'format', 'time-style', 'indicator-style'],
    operands: 'paths',
  },
  cat: {
    letters: 'AbeEnstTuv',
    long: ['number', 'number-nonblank', 'show-all', 'show-ends', 'show-tabs', 'squeeze-blank'],
    operands: 'paths',
  },
  head: {
    letters: 'qv',
    valued: 'nc',
    long: ['quiet', 'silent', 'verbose'],
    longValued: ['lines', 'bytes'],
    operands: 'paths',
    digits: true,
  },
  tail: {
    letters: 'qv',
    valued: 'nc',
    long: ['quiet', 'silent', 'verbose'],
    longValued: ['lines', 'bytes'],
    operands: 'paths',
    digits: true,
  },
  wc: { letters: 'cmlLw', long: ['bytes', 'chars', 'lines', 'max-line-length', 'words'], operands: 'paths' },
  stat: { letters: 'Lft', valued: 'c', long: ['dereference', 'file-system', 'terse'], longValued: ['format', 'printf'], operands: 'paths' },
  which: { letters: 'a', operands: 'names' },
  true: { letters: '', operands: 'none' },
  false: { letters: '', operands: 'none' },
  echo: { letters: 'neE', operands: 'text' },
  cmp: {
    letters: 'bls',
    valued: 'in',
    long: ['print-bytes', 'verbose', 'silent', 'quiet'],
    longValued: ['ignore-initial', 'bytes'],
    operands: 'paths',
  },
};

/** The paths that a command of the read-only set will read, or undefined when it is not one or has a flag outside the list. */
export function readOnlyPaths(words: readonly string[]): readonly string[] | undefined {
  const [name = '', ...rest] = words;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) return undefined;
  if (command.operands === 'text') return [];
  const operands: string[] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    if (word === '--') {
      operands.push(...rest.slice(at + 1));
      break;
    }
    if (word === '-' || !word.startsWith('-')) {
      operands.push(word);
      continue;
    }
    const use = flagUse(word, command);
    if (use === 'unknown') return undefined;
    if (use === 'takes-next') {
      at += 1;
      if (at >= rest.length) return undefined;
    }
  }
  if (command.operands === 'none' && operands.length > 0) return undefined;
  if (command.operands === 'names') return operands.some((operand) => operand.includes('/')) ? undefined : [];
  return operands.filter((operand) => operand !== '-' && operand !== '/dev/null');
}

function flagUse(word: string, command: ReadOnlyCommand): 'complete' | 'takes-next' | 'unknown' {
  if (word.startsWith('--')) {
    const [name = '', ...value] = word.slice(2).split('=');
    const known = value.length > 0 ? command.longValued : command.long;
    return known?.includes(name) ? 'complete' : 'unknown';
  }
  if (command.digits && /^-\d+$/u.test(word)) return 'complete';
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at);
    if (command.valued?.includes(letter)) return at === word.length - 1 ? 'takes-next' : 'complete';
    if (!command.letters.includes(letter)) return 'unknown';
  }
  return 'complete';
}

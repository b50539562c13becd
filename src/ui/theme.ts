/** How much colour the terminal takes: none at all, attributes only (NO_COLOR), 16, 256, or 24-bit. */
export type ColorLevel = 'plain' | 'attributes' | 'ansi16' | 'ansi256' | 'truecolor';

export const themeNames = ['dark', 'light', 'ansi'] as const;
export type ThemeName = (typeof themeNames)[number];

/** What a piece of text is; the theme says how that looks. */
export type Role =
  | 'bold'
  | 'dim'
  | 'italic'
  | 'underline'
  | 'strike'
  | 'inverse'
  | 'accent'
  | 'success'
  | 'warning'
  | 'error'
  | 'code'
  | 'link'
  | 'added'
  | 'removed'
  | 'addedWord'
  | 'removedWord'
  | 'keyword'
  | 'string'
  | 'number'
  | 'comment'
  | 'title'
  | 'type';

/** Gives text the look of a role. Text may span styled parts; it must not span lines. */
export type Paint = (role: Role, text: string) => string;

type Look = readonly [open: string, close: string];
type Colors = { readonly ansi16: string; readonly ansi256: string; readonly truecolor: string };

const attributes: Partial<Record<Role, Look>> = {
  bold: ['1', '22'],
  dim: ['2', '22'],
  italic: ['3', '23'],
  underline: ['4', '24'],
  strike: ['9', '29'],
  inverse: ['7', '27'],
};

/** Roles that stay recognisable without colour, by attribute. */
const withoutColor: Partial<Record<Role, Look>> = {
  accent: ['1', '22'],
  error: ['1', '22'],
  warning: ['1', '22'],
  link: ['4', '24'],
  addedWord: ['4', '24'],
  removedWord: ['4', '24'],
};

function foreground(ansi16: string, index: number, rgb: string): Colors {
  return { ansi16, ansi256: `38;5;${index}`, truecolor: `38;2;${rgb}` };
}

const dark: Partial<Record<Role, Colors>> = {
  accent: foreground('36', 80, '94;206;214'),
  success: foreground('32', 114, '135;206;125'),
  warning: foreground('33', 179, '222;178;90'),
  error: foreground('31', 203, '240;110;110'),
  code: foreground('36', 116, '140;200;220'),
  link: foreground('34', 111, '125;175;255'),
  added: foreground('32', 114, '135;206;125'),
  removed: foreground('31', 203, '240;120;120'),
  keyword: foreground('35', 176, '205;145;225'),
  string: foreground('32', 150, '165;205;135'),
  number: foreground('33', 180, '220;180;130'),
  comment: foreground('90', 245, '138;138;138'),
  title: foreground('34', 111, '125;175;255'),
  type: foreground('36', 80, '94;206;214'),
};

const light: Partial<Record<Role, Colors>> = {
  accent: foreground('36', 30, '0;110;125'),
  success: foreground('32', 28, '20;115;40'),
  warning: foreground('33', 130, '150;90;0'),
  error: foreground('31', 160, '190;25;30'),
  code: foreground('36', 24, '0;85;120'),
  link: foreground('34', 26, '15;85;200'),
  added: foreground('32', 28, '20;115;40'),
  removed: foreground('31', 160, '190;25;30'),
  keyword: foreground('35', 90, '125;30;140'),
  string: foreground('32', 28, '40;110;30'),
  number: foreground('33', 130, '150;85;0'),
  comment: foreground('90', 243, '115;115;115'),
  title: foreground('34', 26, '15;85;200'),
  type: foreground('36', 30, '0;110;125'),
};

const wordBackgrounds: Record<'dark' | 'light', { addedWord: string; removedWord: string }> = {
  dark: { addedWord: '30;42', removedWord: '30;41' },
  light: { addedWord: '30;42', removedWord: '97;41' },
};

function lookOf(role: Role, theme: ThemeName, level: ColorLevel): Look | undefined {
  if (level === 'plain') return undefined;
  const attribute = attributes[role];
  if (attribute !== undefined) return attribute;
  if (level === 'attributes') return withoutColor[role];
  if (role === 'addedWord' || role === 'removedWord') return [wordBackgrounds[theme === 'light' ? 'light' : 'dark'][role], '39;49'];
  const colors = (theme === 'light' ? light : dark)[role];
  if (colors === undefined) return undefined;
  return [theme === 'ansi' ? colors.ansi16 : colors[level], '39'];
}

/** The paint of a theme at a colour level. The `ansi` theme uses the terminal's own 16 colours at every level. */
export function createPaint(theme: ThemeName, level: ColorLevel): Paint {
  const looks = new Map<Role, Look | undefined>();
  return (role, text) => {
    if (text === '') return text;
    if (!looks.has(role)) looks.set(role, lookOf(role, theme, level));
    const look = looks.get(role);
    if (look === undefined) return text;
    const open = `\u001b[${look[0]}m`;
    const close = `\u001b[${look[1]}m`;
    // A part inside that ends the same attribute must not end this one.
    const inner = text.includes(close) ? text.replaceAll(close, close + open) : text;
    return open + inner + close;
  };
}

/** No styling at all, for tests and for plain output. */
export const plainPaint: Paint = (_role, text) => text;

export type ColorEnvironment = Readonly<Partial<Record<'NO_COLOR' | 'FORCE_COLOR' | 'TERM' | 'COLORTERM' | 'COLORFGBG', string>>>;

/** Reads the level from the environment. NO_COLOR wins over everything but an explicit FORCE_COLOR (no-color.org, force-color.org). */
export function colorLevelOf(environment: ColorEnvironment): ColorLevel {
  const { NO_COLOR, FORCE_COLOR, TERM = '', COLORTERM = '' } = environment;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') {
    if (FORCE_COLOR === '0' || FORCE_COLOR === 'false') return 'attributes';
    if (FORCE_COLOR === '2') return 'ansi256';
    if (FORCE_COLOR === '3') return 'truecolor';
    return 'ansi16';
  }
  if (TERM === 'dumb') return 'plain';
  if (NO_COLOR !== undefined && NO_COLOR !== '') return 'attributes';
  if (COLORTERM === 'truecolor' || COLORTERM === '24bit' || TERM.endsWith('-direct')) return 'truecolor';
  return TERM.includes('256') ? 'ansi256' : 'ansi16';
}

/** `auto` follows COLORFGBG where a terminal sets it ("15;0" is light on dark), else dark. */
export function themeOf(wanted: string, environment: ColorEnvironment): ThemeName {
  const named = themeNames.find((name) => name === wanted);
  if (named !== undefined) return named;
  const background = Number(environment.COLORFGBG?.split(';').at(-1) ?? Number.NaN);
  return background === 7 || background === 15 ? 'light' : 'dark';
}

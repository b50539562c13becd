import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/permissions/redact.ts';
import { toMarkdown } from '../../src/session/export.ts';
import { noJournal } from '../../src/session/journal.ts';
import { logPath, workspaceFolder } from '../../src/session/location.ts';
import { type ExportFormat, exportSession, exportText } from '../../src/subcommands/export.ts';
import { type DurableEvent, nowhere } from '../../src/types/events.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { encodeLog, sampleEvents } from '../session/sample-log.ts';

const secret = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789';
const events: readonly DurableEvent[] = [
  ...sampleEvents(1, 5),
  { type: 'user-message', ...nowhere, kind: 'prompt', text: `my key is ${secret}`, promptId: 'p-2' },
  {
    type: 'tool-result',
    ...nowhere,
    callId: 'x',
    name: 'read_file',
    arguments: { path: '.env' },
    output: `OPENAI_API_KEY=${secret}\n\`\`\`\nfence`,
    isError: false,
    acting: false,
    working: true,
  },
];

async function store() {
  const directory = await tempFolder();
  const workspace = await tempFolder();
  await mkdir(workspaceFolder(directory, workspace), { recursive: true });
  await writeFile(logPath(workspaceFolder(directory, workspace), 's-1'), encodeLog(events));
  const options = (format: ExportFormat, wanted = 'latest') => ({
    session: { directory, wanted },
    workspace,
    format,
    redact: createRedactor([]),
  });
  return { workspace, options };
}

describe('export', () => {
  it('reads well as Markdown', () => {
    const text = toMarkdown({ sessionId: 's-1', events: sampleEvents(1, 5), times: [0], redact: (each) => each });
    expect(text).toBe(`# Session s-1

Folder \`/work/project\`, model builtin/checklist, begun 1970-01-01T00:00:00.000Z.

## User

Do the list
all of it ✓ 漢字

### shell

\`\`\`json
{
  "command": "echo \\"1\\"",
  "note": "xxxxx"
}
\`\`\`

\`\`\`
1
\`\`\`

### Todos 1/3

- [ ] Item 1
- [ ] Item 2 (in progress)
- [x] Item 3

*All 3 todos done*
`);
  });
  it.each(['markdown', 'json'] as const)('leaves no secret in %s', async (format) => {
    const { options } = await store();
    const { text } = await exportText(options(format));
    expect(text).not.toContain(secret.slice(8));
    expect(text).toContain('[redacted]');
    expect(text).toContain('fence');
  });
  it('puts a fence around a fence', async () => {
    const { options } = await store();
    expect((await exportText(options('markdown'))).text).toMatch(/\n````\nOPENAI_API_KEY=.*\n```\nfence\n````\n/u);
  });
  it('is one JSON document with every event', async () => {
    const { options } = await store();
    const parsed = JSON.parse((await exportText(options('json'))).text) as { events: unknown[]; format: string };
    expect(parsed.format).toBe('tilldone-session');
    expect(parsed.events).toHaveLength(events.length);
  });
  it('writes to a new name each time, or where it is told', async () => {
    const { options, workspace } = await store();
    expect(await exportSession({ ...options('markdown'), path: undefined })).toBe(
      `Exported to ${workspace}/tilldone-s-1.md, secrets redacted.`,
    );
    await exportSession({ ...options('markdown'), path: undefined });
    await exportSession({ ...options('json'), path: 'out.json' });
    expect((await readdir(workspace)).sort()).toEqual(['out.json', 'tilldone-s-1-2.md', 'tilldone-s-1.md']);
    expect(await readFile(join(workspace, 'out.json'), 'utf8')).toContain('"tilldone-session"');
  });
  it('writes a session that is in memory only, for --no-session', async () => {
    const { options, workspace } = await store();
    const journal = noJournal(createFakeClock());
    for (const event of events) await journal.append(event, { sync: true });
    const held = { ...options('json'), session: { sessionId: 'mine', ...journal.held() } };
    expect(await exportSession({ ...held, path: undefined })).toBe(`Exported to ${workspace}/tilldone-mine.json, secrets redacted.`);
    const written = JSON.parse(await readFile(join(workspace, 'tilldone-mine.json'), 'utf8')) as { events: unknown[] };
    expect(written.events).toHaveLength(events.length);
  });
  it('says why when it cannot', async () => {
    const { options } = await store();
    expect(await exportSession({ ...options('json'), path: 'no/such/folder.json' })).toMatch(/^Nothing exported: ENOENT/u);
    expect(await exportSession({ ...options('json', 'q'), path: undefined })).toMatch(/^Nothing exported: No session begins with 'q'/u);
  });
});

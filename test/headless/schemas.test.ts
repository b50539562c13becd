import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { publishedSchemas } from '../../src/headless/published-schemas.ts';

const folder = new URL('../../docs/schemas/', import.meta.url);

it('docs/schemas is what the code says (else: npx tsx scripts/generate-schemas.ts)', () => {
  const published = publishedSchemas();
  expect(readdirSync(folder).sort()).toEqual([...published.keys()].sort());
  for (const [name, text] of published) expect(readFileSync(new URL(name, folder), 'utf8')).toBe(text);
});

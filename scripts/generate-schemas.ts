// Writes docs/schemas from the zod schemas that the program itself uses. Run: npx tsx scripts/generate-schemas.ts
import { mkdirSync, writeFileSync } from 'node:fs';
import { publishedSchemas } from '../src/headless/published-schemas.ts';

const folder = new URL('../docs/schemas/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, text] of publishedSchemas()) writeFileSync(new URL(name, folder), text);

import * as z from 'zod';
import { inputRecordSchema } from './input.ts';
import { outputRecordSchema, recordSchemas } from './records.ts';

/** The JSON Schemas of docs/schemas, by file name, as `scripts/generate-schemas.ts` writes them. */
export function publishedSchemas(): ReadonlyMap<string, string> {
  const all: readonly (readonly [string, z.ZodType])[] = [
    ...Object.entries(recordSchemas),
    ['any-record', outputRecordSchema],
    ['input', inputRecordSchema()],
  ];
  return new Map(all.map(([name, schema]) => [`${name}.schema.json`, toText(name, schema)]));
}

/** Open for fields to come: a script that validates must not break when a record gains one. Bounds that only say `safe integer` are left out. */
function toText(name: string, schema: z.ZodType): string {
  const published = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return `${JSON.stringify({ title: `tilldone ${name}`, ...published }, null, 2)}\n`;
}

import type * as z from 'zod';

type Check = (value: unknown) => boolean;

/**
 * A quick sieve in front of a schema: when it says yes, the value is what `schema.parse` would return, so that neither the parse nor its copy
 * is needed. It says no to everything that is wrong, and to what it cannot tell: a key more, a check or a kind of schema that it does not know.
 */
export function quickCheck<Schema extends z.core.$ZodType>(schema: Schema): (value: unknown) => value is z.core.output<Schema> {
  const check = checkOf(schema);
  return (value): value is z.core.output<Schema> => check(value);
}

const never: Check = () => false;
const isText: Check = (value) => typeof value === 'string';

function checkOf(schema: z.core.$ZodType): Check {
  const { def } = (schema as z.core.$ZodTypes)._zod; // every schema of the library is one of these
  if (def.type !== 'number' && (def.checks?.length ?? 0) > 0) return never;
  switch (def.type) {
    case 'string':
      return isText;
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'number':
      return numberCheck(def);
    case 'null':
      return (value) => value === null;
    case 'unknown':
      return () => true;
    case 'literal':
      return oneOf(def.values);
    case 'enum':
      return oneOf(Object.values(def.entries));
    case 'readonly':
      return checkOf(def.innerType);
    case 'optional':
    case 'nullable': {
      const inner = checkOf(def.innerType);
      const absent = def.type === 'optional' ? undefined : null;
      return (value) => value === absent || inner(value);
    }
    case 'array': {
      const element = checkOf(def.element);
      return (value) => Array.isArray(value) && value.every(element);
    }
    case 'record': {
      const element = checkOf(def.valueType);
      return checkOf(def.keyType) === isText ? (value) => isObject(value) && everyValue(value, element) : never;
    }
    case 'object':
      return def.catchall === undefined ? objectCheck(def.shape) : never;
    case 'union':
      return unionCheck(def);
    default:
      return never;
  }
}

function numberCheck(def: z.core.$ZodNumberDef): Check {
  if ('format' in def) return never;
  let isNumber: Check = Number.isFinite;
  let least = Number.NEGATIVE_INFINITY;
  for (const { _zod } of (def.checks ?? []) as readonly unknown[] as readonly z.core.$ZodChecks[]) {
    // every check of the library is one of these
    if (_zod.def.check === 'number_format' && _zod.def.format === 'safeint') isNumber = Number.isSafeInteger;
    else if (_zod.def.check === 'greater_than' && _zod.def.inclusive) least = Math.max(least, Number(_zod.def.value));
    else return never;
  }
  return (value) => isNumber(value) && (value as number) >= least;
}

function oneOf(values: readonly unknown[]): Check {
  const [only] = values;
  if (values.length === 1) return (value) => value === only;
  const set = new Set(values);
  return (value) => set.has(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function everyValue(value: Record<string, unknown>, check: Check): boolean {
  for (const key in value) if (key === '__proto__' || !check(value[key])) return false;
  return true;
}

function objectCheck(shape: Readonly<Record<string, z.core.$ZodType>>): Check {
  const fields = Object.entries(shape).map(([key, schema]) => ({
    key,
    check: checkOf(schema),
    isOptional: schema._zod.def.type === 'optional',
  }));
  return (value) => {
    if (!isObject(value)) return false;
    let keys = 0;
    for (const _key in value) keys += 1;
    for (const { key, check, isOptional } of fields) {
      const field = value[key];
      if (field === undefined && isOptional) {
        if (key in value) return false;
        continue;
      }
      if (!check(field)) return false;
      keys -= 1;
    }
    return keys === 0;
  };
}

/** Schemas of which at most one fits a value, or all give it back as it is. */
const plainTypes: ReadonlySet<string> = new Set(['string', 'boolean', 'number', 'null', 'literal', 'enum']);

/** By the discriminator where there is one. Otherwise the first member that fits decides, and may be one that drops keys: only plain ones are known. */
function unionCheck(def: z.core.$ZodUnionDef): Check {
  const members = def.options.map(checkOf);
  const discriminator = 'discriminator' in def ? def.discriminator : undefined;
  if (typeof discriminator !== 'string') {
    return def.options.every((option) => plainTypes.has(option._zod.def.type)) ? (value) => members.some((member) => member(value)) : never;
  }
  const byTag = new Map<unknown, Check>();
  for (const [index, option] of def.options.entries()) {
    for (const tag of option._zod.propValues?.[discriminator] ?? []) byTag.set(tag, members[index] ?? never);
  }
  return (value) => isObject(value) && (byTag.get(value[discriminator]) ?? never)(value);
}

import { didYouMean } from '../lib/nearest.ts';
import { UsageError } from '../types/errors.ts';

/** An argument parser that accepts these words only. */
export function choice<Value extends string>(flag: string, values: readonly Value[]): (text: string) => Value {
  return (text) => {
    const found = values.find((value) => value === text);
    if (found !== undefined) return found;
    throw new UsageError(`Unknown value '${text}' for ${flag}.${didYouMean(text, values)} Accepted: ${values.join(', ')}.`);
  };
}

/** An argument parser for an option that may be given again and again. */
export function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}

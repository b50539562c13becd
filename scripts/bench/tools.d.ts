import type { SpawnOptions } from 'node:child_process';

export type Row = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly limit: number | undefined;
  readonly target: number | undefined;
  readonly note: string;
};
export type BenchTools = {
  timeChild(argv: readonly string[], options?: SpawnOptions): Promise<number>;
  median(values: readonly number[]): number;
  inTurns(measures: readonly (() => Promise<number>)[], rounds: number): Promise<number[]>;
  row(name: string, value: number, options?: { unit?: string; limit?: number; target?: number; note?: string }): Row;
};
export const tools: BenchTools;
export const timeChild: BenchTools['timeChild'];
export const median: BenchTools['median'];
export const inTurns: BenchTools['inTurns'];
export const row: BenchTools['row'];

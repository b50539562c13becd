import type { Plugin } from 'esbuild';

export const plugins: Plugin[];

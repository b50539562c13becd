import { editFile } from './edit-file.ts';
import { listDir } from './list-dir.ts';
import { readFile } from './read-file.ts';
import { shell } from './shell.ts';
import { todoPause } from './todo-pause.ts';
import { todoRead } from './todo-read.ts';
import { todoWrite } from './todo-write.ts';
import type { Tool } from './tool.ts';
import { writeFile } from './write-file.ts';

/** Every tool, in the order in which models see them; the order is part of the provider's prefix cache. */
export const tools: readonly Tool[] = [readFile, writeFile, editFile, listDir, shell, todoWrite, todoRead, todoPause];

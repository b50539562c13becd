import { askUser } from './ask-user.ts';
import { editFile } from './edit-file.ts';
import { createGlob } from './glob.ts';
import { createGrep } from './grep.ts';
import { listDir } from './list-dir.ts';
import { readFile } from './read-file.ts';
import { findRipgrep } from './ripgrep.ts';
import { shell } from './shell.ts';
import { shellKill } from './shell-kill.ts';
import { shellOutput } from './shell-output.ts';
import { todoPause } from './todo-pause.ts';
import { todoRead } from './todo-read.ts';
import { todoWrite } from './todo-write.ts';
import type { Tool } from './tool.ts';
import { createWebFetch } from './web-fetch.ts';
import { writeFile } from './write-file.ts';

/** Every tool, in the order in which models see them; the order is part of the provider's prefix cache. */
export const tools: readonly Tool[] = [
  readFile,
  writeFile,
  editFile,
  listDir,
  createGlob(findRipgrep),
  createGrep(findRipgrep),
  shell,
  shellOutput,
  shellKill,
  createWebFetch(),
  askUser,
  todoWrite,
  todoRead,
  todoPause,
];

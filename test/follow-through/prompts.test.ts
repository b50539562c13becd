import { describe, expect, it } from 'vitest';
import {
  buildNudge,
  closedReminder,
  complexityReminder,
  emptyAnswerNudge,
  idleReminder,
  loopReminder,
  type NudgeInput,
  quote,
  unchangedReminder,
  updateReminder,
} from '../../src/follow-through/prompts.ts';
import { continuationPromptSchema } from '../../src/types/continuation.ts';
import type { Todo } from '../../src/types/todos.ts';
import { todosOf } from './snapshots.ts';

function item(content: string): Todo {
  return { id: '1', content, status: 'pending', priority: 'medium' };
}

const input: NudgeInput = {
  todo: item('Implement user authentication'),
  passedOver: undefined,
  strength: 'gentle',
  isYoloMode: false,
  todos: todosOf('completed', 'completed', 'pending', 'in_progress', 'blocked'),
  dropped: [],
  runningCommands: [],
  wasUnchanged: false,
};

const task =
  "You have an active task: 'Implement user authentication'. Continue working on this task. Call todo_pause('reason') ONLY if there's an error preventing you from continuing.";
const yolo = 'You MUST continue unless there is an error preventing you from proceeding.';
const status = 'Status: 2 of 5 completed, 3 open.';
const again =
  'You stopped again although the list is unfinished. Do not describe or announce the next step: make the tool call that does it, now.';
const end = 'There is no need to ask for permission. If you need an answer, call ask_user. Mark each item completed when it is finished.';

describe('buildNudge', () => {
  it.each<[string, Partial<NudgeInput>, readonly string[]]>([
    ['standard', {}, [task, status, end]],
    ['yolo mode', { isYoloMode: true }, [task, yolo, status, end]],
    ['escalated', { strength: 'escalated' }, [task, status, again, end]],
    [
      'the next item, the first to be marked blocked',
      { strength: 'skip', passedOver: { ...item('Deploy'), id: '9' } },
      [
        task,
        "'Deploy' was named several times and is still open: mark it blocked with a note that says what is in the way, and go on with this one.",
        status,
        again,
        end,
      ],
    ],
    [
      'the only item, named again',
      { strength: 'skip', passedOver: item('x') },
      [
        task,
        'It was named several times and is still open: finish it, or mark it blocked with a note that says what is in the way.',
        status,
        again,
        end,
      ],
    ],
    [
      'dropped items',
      { dropped: [item('a'), item("b's")] },
      [
        task,
        "Your last list left out unfinished items: 'a', 'b’s'. Put them back, or list them as cancelled if they are no longer wanted.",
        status,
        end,
      ],
    ],
    [
      'nothing but dropped items',
      { todo: undefined, isYoloMode: true, dropped: [item('a')] },
      [
        "Your last list left out unfinished items: 'a'. Put them back, or list them as cancelled if they are no longer wanted.",
        status,
        end,
      ],
    ],
    [
      'after a write that changed nothing',
      { wasUnchanged: true },
      [task, 'The list already was as you wrote it. Work on the task is next, not another write of the list.', status, end],
    ],
    [
      'with commands that still run',
      { runningCommands: ['npm run dev', 'tail -f log'] },
      [task, "Still running in the background: 'npm run dev', 'tail -f log'. Go on without waiting for it.", status, end],
    ],
  ])('%s', (_name, change, parts) => {
    const nudge = buildNudge({ ...input, ...change });
    expect(nudge.prompt).toBe(parts.join(' '));
    expect(continuationPromptSchema().parse(nudge)).toEqual(nudge);
  });

  it('carries the task and the mode beside the text', () => {
    expect(buildNudge({ ...input, isYoloMode: true })).toMatchObject({
      taskDescription: 'Implement user authentication',
      isYoloMode: true,
    });
  });

  it('names at most ten dropped items and five commands', () => {
    const many = Array.from({ length: 30 }, (_, at) => item(`lost ${at}`));
    const text = buildNudge({ ...input, dropped: many, runningCommands: many.map((todo) => todo.content) }).prompt;
    expect(text.match(/'lost \d+'/gu)).toHaveLength(15);
  });
});

describe('quote', () => {
  it.each([
    ['plain', 'Fix it', "'Fix it'"],
    ['on one line', ' Fix\n\tthe   bug ', "'Fix the bug'"],
    ['quotes cannot end it', "Don't say 'stop'", "'Don’t say ’stop’'"],
    ['200 characters stay', 'x'.repeat(200), `'${'x'.repeat(200)}'`],
    ['201 are cut to 200', 'x'.repeat(201), `'${'x'.repeat(199)}…'`],
    ['an emoji is not cut in half', `${'x'.repeat(198)}😀😀`, `'${'x'.repeat(198)}…'`],
    ['nothing', '', "''"],
  ])('%s', (_name, content, quoted) => {
    expect(quote(content)).toBe(quoted);
  });

  it('stays fast with a megabyte of spaces', () => {
    expect(quote(`a${' '.repeat(1_000_000)}b`)).toBe("'a b'");
  });
});

it.each([
  ['update', updateReminder(item('a'), 'gentle'), "If 'a' is finished, mark it completed with todo_write; otherwise carry on."],
  [
    'update, escalated',
    updateReminder(item('a'), 'escalated'),
    "The list has not been updated for a while. If 'a' is finished, mark it completed with todo_write; otherwise carry on. Keep the list true as you go.",
  ],
  [
    'closed for the model',
    closedReminder(['a', 'b']),
    "Marked completed for you, because the call that it named succeeded: 'a', 'b'. Go on with the next item.",
  ],
  [
    'complex',
    complexityReminder('gentle'),
    'This request has several parts. Use todo_write to make a todo list that organizes this effort, then work through it.',
  ],
  [
    'complex, escalated',
    complexityReminder('escalated'),
    'This request has several parts, and so had the last ones, yet there is no todo list. Call todo_write first, with one item for each part, then work through it.',
  ],
  [
    'unchanged',
    unchangedReminder(item('a')),
    "The list already was as you wrote it; writing it again does nothing. Work is next, not another write. The task in hand is 'a'.",
  ],
  [
    'unchanged, nothing active',
    unchangedReminder(undefined),
    'The list already was as you wrote it; writing it again does nothing. Work is next, not another write.',
  ],
  [
    'idle',
    idleReminder(12),
    'The last 12 turns brought nothing new: no item was closed and no call gave a new result. Do something else: finish an item, mark it blocked with a note, or call todo_pause with the reason.',
  ],
  [
    'loop',
    loopReminder('x'),
    'You are repeating yourself: x. The result will be the same again. Take another way, or call todo_pause with the reason.',
  ],
  ['empty', emptyAnswerNudge, 'Your last answer was empty. Make the next tool call, or say in a sentence how things stand.'],
])('reminder %s', (_name, text, expected) => {
  expect(text).toBe(expected);
});

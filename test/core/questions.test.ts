import { describe, expect, it } from 'vitest';
import { createQuestions } from '../../src/core/questions.ts';
import { createRecorder } from '../../src/core/recorder.ts';
import { newSessionState } from '../../src/core/session-state.ts';
import type { ApprovalRequest } from '../../src/types/ask.ts';
import { createEventCollector } from '../helpers/events.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';

const approval: ApprovalRequest = {
  requestId: 'r1',
  callId: 'c1',
  toolName: 'shell',
  effects: [],
  preview: undefined,
  reason: 'mode default',
  rule: undefined,
};
const question = { requestId: 'q1', callId: 'c2', question: 'Which?', options: ['a', 'b'] };

function ask(interactive = true) {
  const clock = createFakeClock();
  const recorder = createRecorder(newSessionState(), { append: async () => {} });
  const collector = createEventCollector();
  recorder.subscribe(collector.emit);
  return { clock, collector, questions: createQuestions({ recorder, clock, interactive }), controller: new AbortController() };
}

describe('createQuestions', () => {
  it('asks by event, and takes the answer by id', async () => {
    const { questions, collector, controller } = ask();
    const answered = questions.approve(approval, controller.signal);
    expect(questions.asking().kind).toBe('permission');
    questions.answerApproval('other', { kind: 'no' });
    questions.answerApproval('r1', { kind: 'once' });
    expect(await answered).toEqual({ kind: 'once' });
    expect(questions.asking().kind).toBeUndefined();
    expect(collector.types()).toEqual(['permission-request']);
  });

  it('keeps the answer to a question as an event', async () => {
    const { questions, collector, controller } = ask();
    const answered = questions.question(question, controller.signal);
    questions.answerQuestion('q1', 'a');
    expect(await answered).toEqual({ kind: 'answer', text: 'a' });
    expect(collector.last('question-answer')).toMatchObject({ requestId: 'q1', callId: 'c2', answer: 'a' });
  });

  it('an answer that comes twice, or too late, changes nothing', async () => {
    const { questions, controller } = ask();
    const answered = questions.approve(approval, controller.signal);
    questions.answerApproval('r1', { kind: 'no' });
    questions.answerApproval('r1', { kind: 'always' });
    controller.abort();
    expect(await answered).toEqual({ kind: 'no' });
    questions.answerApproval('r1', { kind: 'once' });
  });

  it('without a person everything is answered at once with nobody', async () => {
    const { questions, collector, controller } = ask(false);
    expect(await questions.approve(approval, controller.signal)).toEqual({ kind: 'nobody' });
    expect(await questions.question(question, controller.signal)).toEqual({ kind: 'nobody' });
    expect(collector.events).toEqual([]);
  });

  it('an abort settles what is open, and what is asked after it', async () => {
    const { questions, controller } = ask();
    const first = questions.approve(approval, controller.signal);
    controller.abort();
    expect(await first).toEqual({ kind: 'aborted' });
    expect(await questions.question(question, controller.signal)).toEqual({ kind: 'aborted' });
    expect(questions.asking().kind).toBeUndefined();
  });

  it('counts the time of the person once, however many questions are open', async () => {
    const { questions, clock, controller } = ask();
    void questions.approve(approval, controller.signal);
    await clock.advance(1000);
    void questions.question(question, controller.signal);
    await clock.advance(1000);
    expect(questions.asking()).toEqual({ kind: 'question', waitedMs: 2000 });
    questions.answerQuestion('q1', 'a');
    await clock.advance(500);
    questions.answerApproval('r1', { kind: 'once' });
    await clock.advance(9000);
    expect(questions.asking()).toEqual({ kind: undefined, waitedMs: 2500 });
  });
});

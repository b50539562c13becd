import type { Clock } from '../lib/clock.ts';
import type { ApprovalAnswer, AskUser, QuestionAnswer } from '../types/ask.ts';
import { nowhere } from '../types/events.ts';
import type { Recorder } from './recorder.ts';

/** The person at the other end: questions go out as events, answers come in by id. Without a person every question is answered at once with `nobody`. */
export type Questions = AskUser & {
  answerApproval(requestId: string, answer: ApprovalAnswer): void;
  answerQuestion(requestId: string, text: string): void;
  /** What is open, and ms spent waiting for the person in this session, the present wait included. */
  asking(): { readonly kind: 'question' | 'permission' | undefined; readonly waitedMs: number };
};

export function createQuestions(deps: { readonly recorder: Recorder; readonly clock: Clock; readonly interactive: boolean }): Questions {
  const { recorder, clock, interactive } = deps;
  const approvals = new Map<string, (answer: ApprovalAnswer) => void>();
  const questions = new Map<string, (answer: QuestionAnswer) => void>();
  let waited = 0;
  let since: number | undefined;

  const wait = async <Answer>(
    open: Map<string, (answer: Answer) => void>,
    id: string,
    aborted: Answer,
    signal: AbortSignal,
  ): Promise<Answer> => {
    since ??= clock.now();
    const answer = await new Promise<Answer>((resolve) => {
      const abort = (): void => resolve(aborted);
      open.set(id, (value) => {
        signal.removeEventListener('abort', abort);
        resolve(value);
      });
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
    });
    open.delete(id);
    if (approvals.size + questions.size === 0 && since !== undefined) {
      waited += clock.now() - since;
      since = undefined;
    }
    return answer;
  };

  return {
    async approve(request, signal) {
      if (!interactive) return { kind: 'nobody' };
      const { preview, rule, ...rest } = request;
      const optional = { ...(preview === undefined ? {} : { preview }), ...(rule === undefined ? {} : { rule }) };
      const answered = wait(approvals, request.requestId, { kind: 'aborted' }, signal);
      void recorder.record({ type: 'permission-request', ...nowhere, ...rest, ...optional });
      return answered;
    },
    async question(question, signal) {
      if (!interactive) return { kind: 'nobody' };
      const answered = wait(questions, question.requestId, { kind: 'aborted' }, signal);
      void recorder.record({ type: 'question-request', ...nowhere, ...question });
      const answer = await answered;
      const text = answer.kind === 'answer' ? { answer: answer.text } : {};
      void recorder.record({ type: 'question-answer', ...nowhere, requestId: question.requestId, callId: question.callId, ...text });
      return answer;
    },
    answerApproval: (requestId, answer) => approvals.get(requestId)?.(answer),
    answerQuestion: (requestId, text) => questions.get(requestId)?.({ kind: 'answer', text }),
    asking() {
      const kind = questions.size > 0 ? 'question' : approvals.size > 0 ? 'permission' : undefined;
      return { kind, waitedMs: waited + (since === undefined ? 0 : clock.now() - since) };
    },
  };
}

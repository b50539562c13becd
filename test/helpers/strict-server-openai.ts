/** `strictTemplate`: roles must alternate. `noUserAfterTool`: a user message may not follow tool results. */
export type TemplateOptions = { readonly strictTemplate?: boolean; readonly noUserAfterTool?: boolean };

/** What a strict Chat Completions endpoint refuses, as the real ones and the strictest chat templates do. Undefined when all is well. */
export function checkOpenAiRequest(body: unknown, options: TemplateOptions = {}): string | undefined {
  const problems = [...problemsOf(body, options)];
  return problems[0];
}

const topLevel = new Set([
  'model',
  'messages',
  'tools',
  'tool_choice',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'reasoning_effort',
  'parallel_tool_calls',
  'temperature',
]);

type Fields = Readonly<Record<string, unknown>>;

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function* problemsOf(raw: unknown, template: TemplateOptions): Generator<string> {
  const body = fields(raw);
  for (const key of Object.keys(body)) if (!topLevel.has(key)) yield `Unrecognized request argument supplied: ${key}`;
  if (typeof body.model !== 'string' || body.model === '') yield 'you must provide a model parameter';
  if (body.stream !== true) yield 'this endpoint only streams';
  if ('max_tokens' in body && 'max_completion_tokens' in body) yield 'max_tokens and max_completion_tokens cannot both be set';
  if ('parallel_tool_calls' in body && !('tools' in body)) yield "'parallel_tool_calls' is only allowed when 'tools' are specified";
  const names = new Set<string>();
  if ('tools' in body) yield* checkTools(body.tools, names);
  if (!Array.isArray(body.messages) || body.messages.length === 0) {
    yield '[] is too short - messages';
    return;
  }
  yield* checkMessages(body.messages.map(fields), { names, template });
}

function* checkTools(tools: unknown, names: Set<string>): Generator<string> {
  if (!Array.isArray(tools) || tools.length === 0) yield '[] is too short - tools';
  for (const entry of Array.isArray(tools) ? tools : []) {
    const fn = fields(fields(entry).function);
    if (fields(entry).type !== 'function') yield 'tools: type must be function';
    if (typeof fn.name !== 'string' || !/^[\w-]{1,64}$/u.test(fn.name)) yield `tools: invalid name ${String(fn.name)}`;
    if (names.has(String(fn.name))) yield `tools: duplicate name ${String(fn.name)}`;
    names.add(String(fn.name));
    if (fields(fn.parameters).type !== 'object') yield 'tools: parameters must be an object schema';
    if (JSON.stringify(fn.parameters).includes('"$schema"')) yield 'tools: $schema is not allowed';
  }
}

function* checkMessages(
  messages: readonly Fields[],
  { names, template }: { names: ReadonlySet<string>; template: TemplateOptions },
): Generator<string> {
  let open = new Set<string>();
  let before = '';
  let sawOther = false;
  for (const [index, message] of messages.entries()) {
    const role = String(message.role);
    const place = `messages.[${index}]`;
    if (role === 'tool') {
      const id = String(message.tool_call_id);
      if (!open.delete(id)) yield `${place}: messages with role 'tool' must be a response to a preceding message with 'tool_calls' (${id})`;
      if (typeof message.content !== 'string' || message.content === '') yield `${place}: tool content must be a non-empty string`;
    } else {
      if (open.size > 0) {
        yield `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${[...open].join(', ')}`;
      }
      open = new Set();
      if (role === 'system' || role === 'developer') {
        if (sawOther) yield `${place}: a system message must be the first one`;
      } else if (role === 'user') {
        if (template.noUserAfterTool === true && before === 'tool') yield `${place}: unexpected role 'user' after role 'tool'`;
        if (typeof message.content !== 'string' || message.content === '') yield `${place}: user content must be a non-empty string`;
      } else if (role === 'assistant') {
        if (!sawOther) yield `${place}: a conversation must start with a user message`;
        if (before === 'assistant') yield `${place}: two assistant messages in a row`;
        yield* checkAssistant(message, { place, names, open });
      } else yield `${place}: unknown role ${role}`;
      if (template.strictTemplate === true && role === before)
        yield `${place}: conversation roles must alternate (${role} after ${before})`;
    }
    if (role !== 'system' && role !== 'developer') sawOther = true;
    before = role;
  }
  if (open.size > 0) yield `calls without a result at the end: ${[...open].join(', ')}`;
  if (before === 'assistant') yield 'the last message must be from the user or a tool';
}

function* checkAssistant(message: Fields, context: { place: string; names: ReadonlySet<string>; open: Set<string> }): Generator<string> {
  const { place, names, open } = context;
  const calls = message.tool_calls;
  if (calls === undefined) {
    if (typeof message.content !== 'string' || message.content === '') yield `${place}: assistant content must be a non-empty string`;
    return;
  }
  if (!Array.isArray(calls) || calls.length === 0) yield `${place}: tool_calls is too short`;
  if (message.content !== null && (typeof message.content !== 'string' || message.content === ''))
    yield `${place}: content must be null or text`;
  for (const entry of Array.isArray(calls) ? calls : []) {
    const call = fields(entry);
    const fn = fields(call.function);
    if (typeof call.id !== 'string' || call.id === '') yield `${place}: a call needs an id that is a string`;
    if (open.has(String(call.id))) yield `${place}: duplicate call id ${String(call.id)}`;
    open.add(String(call.id));
    if (call.type !== 'function') yield `${place}: a call needs the type function`;
    if (!names.has(String(fn.name))) yield `${place}: call of a tool that was not offered: ${String(fn.name)}`;
    if (!isJsonObject(fn.arguments)) yield `${place}: arguments must be JSON of an object, as a string`;
  }
}

function isJsonObject(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** Signatures that this server gave out, by the part they came on: `call name` or `text the text`. */
export type IssuedSignatures = ReadonlyMap<string, string>;

/** What generateContent refuses. Undefined when all is well. */
export function checkGeminiRequest(body: unknown, issued: IssuedSignatures = new Map()): string | undefined {
  return [...problemsOf(fields(body), issued)][0];
}

const topLevel = new Set(['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'safetySettings', 'cachedContent']);

function* problemsOf(body: Fields, issued: IssuedSignatures): Generator<string> {
  for (const key of Object.keys(body)) if (!topLevel.has(key)) yield `Invalid JSON payload received. Unknown name "${key}"`;
  const names = new Set<string>();
  for (const tool of Array.isArray(body.tools) ? body.tools : []) yield* checkDeclarations(fields(tool).functionDeclarations, names);
  const contents = Array.isArray(body.contents) ? body.contents.map(fields) : [];
  if (contents.length === 0) yield 'contents is not specified';
  let open: readonly Fields[] = [];
  let before = '';
  for (const [index, content] of contents.entries()) {
    const parts = Array.isArray(content.parts) ? content.parts.map(fields) : [];
    const place = `contents[${index}]`;
    if (content.role !== 'user' && content.role !== 'model') yield `${place}: please use a valid role: user, model`;
    if (parts.length === 0) yield `${place}.parts must not be empty`;
    for (const part of parts) yield* checkPart(part, place);
    const calls = parts.filter((part) => 'functionCall' in part).map((part) => fields(part.functionCall));
    const responses = parts.filter((part) => 'functionResponse' in part).map((part) => fields(part.functionResponse));
    if (content.role === 'model') {
      if (index === 0) yield 'the first turn must be from the user';
      if (before === 'model')
        yield `${place}: function call turn must come immediately after a user turn or after a function response turn`;
      if (responses.length > 0) yield `${place}: a function response must be in a user turn`;
      if (open.length > 0) yield `${place}: function calls are not answered`;
      for (const call of calls) if (!names.has(String(call.name))) yield `${place}: unknown function ${String(call.name)}`;
      for (const part of parts) yield* checkSignature(part, { place, issued });
      open = calls;
    } else {
      if (calls.length > 0) yield `${place}: a function call must be in a model turn`;
      yield* checkResponses(responses, { open, parts: parts.length, place });
      open = [];
    }
    before = String(content.role);
  }
  if (open.length > 0) yield 'function calls at the end are not answered';
  if (before === 'model') yield 'the last turn must be from the user';
}

function* checkDeclarations(declarations: unknown, names: Set<string>): Generator<string> {
  for (const entry of Array.isArray(declarations) ? declarations : []) {
    const declaration = fields(entry);
    names.add(String(declaration.name));
    if (!/^[a-z_][\w.-]{0,62}$/iu.test(String(declaration.name))) yield `invalid function name ${String(declaration.name)}`;
    if ('parameters' in declaration && 'parametersJsonSchema' in declaration)
      yield 'parameters and parametersJsonSchema cannot both be set';
    const dialect = JSON.stringify(declaration.parameters ?? {});
    for (const word of ['$schema', 'additionalProperties', '$ref']) {
      if (dialect.includes(`"${word}"`)) yield `Invalid JSON payload received. Unknown name "${word}" at 'tools[0].function_declarations'`;
    }
    const schema = fields(declaration.parametersJsonSchema ?? declaration.parameters);
    if (schema.type !== 'object') yield 'function parameters schema should be of type OBJECT';
  }
}

function* checkPart(part: Fields, place: string): Generator<string> {
  const kinds = ['text', 'functionCall', 'functionResponse', 'inlineData'].filter((kind) => kind in part);
  if (kinds.length !== 1) yield `${place}: each part needs exactly one kind of data, got ${kinds.join(', ') || 'none'}`;
  for (const key of Object.keys(part))
    if (!kinds.includes(key) && key !== 'thoughtSignature') yield `${place}: unknown name "${key}" in a part`;
  const response = fields(part.functionResponse).response;
  if ('functionResponse' in part && (typeof response !== 'object' || response === null)) yield `${place}: response must be an object`;
  const args = fields(part.functionCall).args;
  if ('functionCall' in part && (typeof args !== 'object' || args === null || Array.isArray(args)))
    yield `${place}: args must be an object`;
}

function* checkResponses(responses: readonly Fields[], turn: { open: readonly Fields[]; parts: number; place: string }): Generator<string> {
  const { open, parts, place } = turn;
  if (responses.length !== open.length) {
    yield `${place}: the number of function response parts must equal the number of function call parts (${responses.length} of ${open.length})`;
    return;
  }
  if (responses.length > 0 && parts !== responses.length) yield `${place}: function responses must stand alone in their turn`;
  for (const [index, response] of responses.entries()) {
    const call = open[index] ?? {};
    if (response.name !== call.name) yield `${place}: response ${index} is for ${String(response.name)}, the call was ${String(call.name)}`;
    if (response.id !== call.id) yield `${place}: response ${index} has id ${String(response.id)}, the call had ${String(call.id)}`;
  }
}

function* checkSignature(part: Fields, { place, issued }: { place: string; issued: IssuedSignatures }): Generator<string> {
  const call = fields(part.functionCall);
  const key = 'functionCall' in part ? `call ${String(call.name)}` : `text ${String(part.text)}`;
  const expected = issued.get(key);
  if (expected !== undefined && part.thoughtSignature !== expected) yield `${place}: ${key} is missing a thought_signature`;
  if (part.thoughtSignature === undefined || part.thoughtSignature === expected) return;
  if (part.thoughtSignature !== 'skip_thought_signature_validator') yield `${place}: thought signature is not valid`;
}

import { describe, expect, it } from 'vitest';
import { type ProviderChoice, presets, providerNames, resolveModelSwitch, resolveProvider } from '../../src/providers/presets.ts';

type Env = Record<string, string>;

describe('resolveProvider', () => {
  it.each<[string, ProviderChoice, Env, object]>([
    ['nothing set: the built-in model', {}, {}, { kind: 'builtin', model: 'checklist', offline: true }],
    ['a checklist model by name', { model: 'checklist-lazy' }, { OPENAI_API_KEY: 'k' }, { kind: 'builtin', model: 'checklist-lazy' }],
    ['builtin by provider', { provider: 'builtin' }, { OPENAI_API_KEY: 'k' }, { kind: 'builtin', model: 'checklist' }],
    [
      'an OpenAI key',
      {},
      { OPENAI_API_KEY: 'k' },
      { kind: 'openai', id: 'openai', model: 'gpt-5-mini', apiKey: 'k', baseUrl: 'https://api.openai.com/v1' },
    ],
    ['a Gemini key', {}, { GEMINI_API_KEY: 'k' }, { kind: 'gemini', model: 'gemini-2.5-flash', apiKey: 'k', keyName: 'GEMINI_API_KEY' }],
    ['GOOGLE_API_KEY too', {}, { GOOGLE_API_KEY: 'k' }, { kind: 'gemini', keyName: 'GOOGLE_API_KEY' }],
    ['GEMINI_API_KEY before GOOGLE_API_KEY', {}, { GOOGLE_API_KEY: 'b', GEMINI_API_KEY: 'a' }, { apiKey: 'a' }],
    ['OpenAI before Gemini', {}, { GEMINI_API_KEY: 'k', OPENAI_API_KEY: 'k' }, { id: 'openai' }],
    [
      'a gemini model goes to Gemini when its key is there',
      { model: 'gemini-2.5-pro' },
      { GEMINI_API_KEY: 'k', OPENAI_API_KEY: 'k' },
      { kind: 'gemini', model: 'gemini-2.5-pro' },
    ],
    ['OPENAI_MODEL', {}, { OPENAI_API_KEY: 'k', OPENAI_MODEL: 'gpt-5' }, { model: 'gpt-5' }],
    ['--model beats OPENAI_MODEL', { model: 'o3' }, { OPENAI_API_KEY: 'k', OPENAI_MODEL: 'gpt-5' }, { model: 'o3' }],
    [
      'OPENAI_MODEL is for openai only',
      { provider: 'deepseek' },
      { DEEPSEEK_API_KEY: 'k', OPENAI_MODEL: 'gpt-5' },
      { model: 'deepseek-chat' },
    ],
    [
      'provider/model',
      { model: 'groq/llama-3.3-70b' },
      { GROQ_API_KEY: 'k', OPENAI_API_KEY: 'o' },
      { id: 'groq', model: 'llama-3.3-70b', apiKey: 'k' },
    ],
    [
      'a gateway keeps the vendor',
      { model: 'openrouter/z-ai/glm-4.6' },
      { OPENROUTER_API_KEY: 'k' },
      { id: 'openrouter', model: 'z-ai/glm-4.6' },
    ],
    [
      'a slash that is no provider stays',
      { provider: 'vllm', model: 'Qwen/Qwen3-8B' },
      {},
      { id: 'vllm', model: 'Qwen/Qwen3-8B', apiKey: undefined },
    ],
    ['the provider named twice', { provider: 'ollama', model: 'ollama/qwen3' }, {}, { id: 'ollama', model: 'qwen3' }],
    [
      '--base-url alone',
      { baseUrl: 'http://127.0.0.1:9/v1', model: 'm' },
      {},
      { kind: 'openai', id: 'custom', baseUrl: 'http://127.0.0.1:9/v1', apiKey: undefined },
    ],
    ['--base-url with a key', { baseUrl: 'http://127.0.0.1:9/v1', model: 'm' }, { OPENAI_API_KEY: 'k' }, { id: 'custom', apiKey: 'k' }],
    [
      'OPENAI_BASE_URL',
      { model: 'm' },
      { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1/', OPENAI_API_KEY: 'k' },
      { id: 'openai', baseUrl: 'http://127.0.0.1:9/v1' },
    ],
    [
      'OPENAI_BASE_URL is for openai only',
      { provider: 'gemini', baseUrl: 'http://127.0.0.1:9/v1' },
      { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', GEMINI_API_KEY: 'k' },
      { baseUrl: 'https://generativelanguage.googleapis.com' },
    ],
    [
      '--base-url for a preset',
      { provider: 'gemini', baseUrl: 'http://127.0.0.1:9' },
      { GEMINI_API_KEY: 'k' },
      { kind: 'gemini', baseUrl: 'http://127.0.0.1:9' },
    ],
    [
      'OLLAMA_HOST',
      { model: 'qwen3' },
      { OLLAMA_HOST: '10.0.0.5:11434' },
      { id: 'ollama', model: 'qwen3', baseUrl: 'http://10.0.0.5:11434/v1' },
    ],
    [
      'OLLAMA_HOST without a port',
      { provider: 'ollama', model: 'a' },
      { OLLAMA_HOST: '0.0.0.0' },
      { baseUrl: 'http://127.0.0.1:11434/v1' },
    ],
    [
      'OLLAMA_HOST as an address',
      { provider: 'ollama', model: 'a' },
      { OLLAMA_HOST: 'https://o.example/' },
      { baseUrl: 'https://o.example/v1' },
    ],
    [
      'credentials in the address become a header',
      { baseUrl: 'https://u:p%40ss@h.example/v1', model: 'm' },
      {},
      { baseUrl: 'https://h.example/v1', headers: { authorization: 'Basic dTpwQHNz' } },
    ],
    [
      'a profile',
      {
        profile: {
          provider: 'openai',
          model: 'x',
          baseUrl: 'http://127.0.0.1:7/v1',
          keyEnv: 'MY_KEY',
          headers: { a: 'b' },
          extraBody: { top_k: 1 },
          compat: { parallelCalls: false },
          contextWindow: 8192,
          theme: 'dark',
        },
      },
      { MY_KEY: 'k' },
      {
        model: 'x',
        apiKey: 'k',
        keyName: 'MY_KEY',
        headers: { a: 'b' },
        extraBody: { top_k: 1 },
        compat: { maxTokensField: 'max_completion_tokens', parallelCalls: false },
        contextWindow: 8192,
      },
    ],
    ['a flag beats the profile', { model: 'y', profile: { provider: 'ollama', model: 'x' } }, {}, { id: 'ollama', model: 'y' }],
    [
      'timeouts of a profile are seconds',
      { profile: { provider: 'ollama', model: 'x', timeouts: { firstByte: 600 } } },
      {},
      { timeoutsMs: { connect: 15_000, firstByte: 600_000, idle: 120_000 } },
    ],
    [
      'proxy variables',
      { provider: 'groq', model: 'x' },
      { GROQ_API_KEY: 'k', HTTPS_PROXY: 'http://p:1', NO_PROXY: 'localhost' },
      { proxy: { httpsProxy: 'http://p:1', noProxy: 'localhost' } },
    ],
    [
      'small letters first',
      { provider: 'groq', model: 'x' },
      { GROQ_API_KEY: 'k', HTTPS_PROXY: 'http://p:1', https_proxy: 'http://q:1' },
      { proxy: { httpsProxy: 'http://q:1' } },
    ],
    [
      'a local server is not looked for behind a proxy',
      { provider: 'ollama', model: 'x' },
      { HTTP_PROXY: 'http://p:1' },
      { proxy: undefined },
    ],
    [
      'one elsewhere is',
      { provider: 'ollama', model: 'x' },
      { HTTP_PROXY: 'http://p:1', OLLAMA_HOST: '10.0.0.5:11434' },
      { proxy: { httpProxy: 'http://p:1' } },
    ],
    ['an empty key is none', {}, { OPENAI_API_KEY: ' ' }, { kind: 'builtin' }],
  ])('%s', (_, choice, env, expected) => {
    expect(resolveProvider(choice, env)).toMatchObject(expected);
  });

  it.each<[string, ProviderChoice, Env, string, string]>([
    ['an unknown provider, with the nearest one', { provider: 'opnai' }, {}, '--provider', "Did you mean 'openai'?"],
    ['a missing key', { provider: 'openai' }, {}, 'OPENAI_API_KEY', 'set OPENAI_API_KEY'],
    ['a missing key with two names', { provider: 'gemini' }, {}, 'GEMINI_API_KEY', 'GEMINI_API_KEY or GOOGLE_API_KEY'],
    ['a missing key of a profile', { profile: { provider: 'openai', keyEnv: 'MY_KEY' } }, {}, 'MY_KEY', 'set MY_KEY'],
    ['a missing model', { provider: 'ollama' }, {}, '--model', '--model NAME'],
    ['a model without a provider', { model: 'gpt-5' }, {}, '--provider', "'gpt-5'"],
    ['an address of another kind', { baseUrl: 'ftp://x', model: 'm' }, {}, '--base-url', 'https://host/v1'],
    ['a profile with a wrong switch', { profile: { compat: { joinRoles: true } } }, {}, 'profiles', 'joinRoles'],
  ])('%s is an error that names the setting', (_, choice, env, setting, text) => {
    const result = resolveProvider(choice, env);
    expect(result).toMatchObject({ setting });
    expect('error' in result ? result.error : '').toContain(text);
  });

  it('takes stored keys by the name of their variable, after the environment', () => {
    expect(resolveProvider({}, {}, { OPENAI_API_KEY: 'stored' })).toMatchObject({ id: 'openai', apiKey: 'stored' });
    expect(resolveProvider({}, { OPENAI_API_KEY: 'env' }, { OPENAI_API_KEY: 'stored' })).toMatchObject({ apiKey: 'env' });
  });

  it.each(Object.keys(presets))('preset %s is reached by name, with its key', (name) => {
    const keyName = presets[name]?.keyNames[0];
    const result = resolveProvider({ provider: name, model: 'm' }, keyName === undefined ? {} : { [keyName]: 'k' });
    expect(result).toMatchObject({
      id: name,
      model: 'm',
      baseUrl: presets[name]?.baseUrl,
      apiKey: keyName === undefined ? undefined : 'k',
    });
  });

  it('knows the providers of the help text', () => {
    expect([...providerNames].sort()).toEqual(
      ['openai', 'gemini', 'openrouter', 'ollama', 'lmstudio', 'llamacpp', 'vllm', 'deepseek', 'groq', 'mistral', 'builtin'].sort(),
    );
  });
});

describe('resolveModelSwitch', () => {
  const env = { OPENAI_API_KEY: 'o', GROQ_API_KEY: 'g' };
  const choice = { provider: null, model: null, baseUrl: 'http://127.0.0.1:9/v1', profile: { contextWindow: 9, headers: { a: 'b' } } };
  const start = resolveProvider({ ...choice, model: 'm' }, env);
  it.each<[string, string, object]>([
    [
      'a name alone stays at the address',
      'n',
      { id: 'custom', model: 'n', baseUrl: 'http://127.0.0.1:9/v1', headers: { a: 'b' }, contextWindow: undefined },
    ],
    ['a slash that is no provider too', 'qwen/n', { id: 'custom', model: 'qwen/n' }],
    [
      'another provider has its own address and key',
      'groq/n',
      { id: 'groq', model: 'n', baseUrl: 'https://api.groq.com/openai/v1', apiKey: 'g', headers: {} },
    ],
    ['the built-in model', 'checklist', { kind: 'builtin', model: 'checklist' }],
    ['a provider without a key is an error', 'mistral/n', { setting: 'MISTRAL_API_KEY' }],
  ])('%s', (_, name, expected) => {
    if ('error' in start) throw new Error(start.error);
    expect(resolveModelSwitch(name, { current: start, choice, env })).toMatchObject(expected);
  });
  it('from the built-in model to a real one', () => {
    const current = resolveProvider({}, {});
    if ('error' in current) throw new Error(current.error);
    expect(resolveModelSwitch('gpt-5', { current, choice: {}, env })).toMatchObject({ id: 'openai', model: 'gpt-5' });
    expect(resolveModelSwitch('gpt-5', { current, choice: {}, env: {} })).toMatchObject({ setting: '--provider' });
  });
});

describe('a profile of one provider', () => {
  it('says nothing about another', () => {
    const profile = { provider: 'ollama', baseUrl: 'http://127.0.0.1:9/v1', headers: { a: 'b' }, keyEnv: 'MINE' };
    expect(resolveProvider({ provider: 'groq', model: 'n', profile }, { GROQ_API_KEY: 'g', MINE: 'x' })).toMatchObject({
      id: 'groq',
      baseUrl: 'https://api.groq.com/openai/v1',
      apiKey: 'g',
      headers: {},
    });
  });
});

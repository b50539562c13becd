import type { Clock } from '../lib/clock.ts';
import type { ProviderConfig } from './config.ts';
import type { Provider } from './provider.ts';

/** Opens a provider. The library of each is loaded only when it is chosen; real endpoints get the retry decorator. */
export async function openProvider(config: ProviderConfig, { clock }: { readonly clock: Clock }): Promise<Provider> {
  switch (config.kind) {
    case 'builtin': {
      const { createBuiltin } = await import('./builtin.ts');
      return createBuiltin();
    }
    case 'scripted': {
      const { createScripted, parseScript } = await import('./scripted.ts');
      return createScripted(parseScript(config.script), { clock, id: config.id });
    }
    case 'openai': {
      const [{ createOpenAi }, { withRetry }, { applyProxy }] = await Promise.all([
        import('./openai.ts'),
        import('./retry.ts'),
        import('./proxy.ts'),
      ]);
      await applyProxy(config.proxy);
      return withRetry(createOpenAi(config, { clock }), { clock });
    }
    case 'gemini': {
      const [{ createGemini }, { withRetry }, { applyProxy }] = await Promise.all([
        import('./gemini.ts'),
        import('./retry.ts'),
        import('./proxy.ts'),
      ]);
      await applyProxy(config.proxy);
      return withRetry(createGemini(config, { clock }), { clock });
    }
  }
}

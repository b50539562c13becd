/**
 * What the openai client needs of the standard's Headers. The build puts it in their place (scripts/lean-openai.js), for Node makes the real ones
 * only together with its fetch. Names are checked by the client, values when they are sent.
 */
export class HeaderList {
  readonly #values = new Map<string, string>();

  append(name: string, value: string): void {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${value.trim()}`);
  }
  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value.trim());
  }
  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }
  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }
  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }
  entries(): IterableIterator<[string, string]> {
    return this.#values.entries();
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.#values.entries();
  }
}

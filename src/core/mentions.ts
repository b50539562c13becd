/** Files of one prompt that are attached at most, and characters of all of them together. */
const maxMentions = 20;
const maxAttachedChars = 200_000;

/** Paths that a prompt names with `@path` or `@"a path"`, each once, in order. An address such as `me@example.com` is none. */
export function findMentions(text: string): readonly string[] {
  const found = [...text.matchAll(/(?<=^|[\s(])@(?:"([^"\n]+)"|([^\s"@][^\s]*))/gu)].map((match) => match[1] ?? match[2] ?? '');
  return [...new Set(found)];
}

/**
 * What the model is given beside the prompt: the content of each file that it names. `read` resolves with undefined for what is no readable file or
 * folder; closing punctuation of the sentence is then tried without.
 */
export async function attachMentions(text: string, read: (path: string) => Promise<string | undefined>): Promise<string | undefined> {
  const blocks: string[] = [];
  let left = maxAttachedChars;
  for (const wanted of findMentions(text).slice(0, maxMentions)) {
    const bare = wanted.replace(/[.,;:!?)\]}'"]+$/u, '');
    for (const path of bare === wanted || bare === '' ? [wanted] : [wanted, bare]) {
      const content = await read(path);
      if (content === undefined) continue;
      blocks.push(
        content.length > left
          ? `[${path} was left out: the attached files are too long together; read it with read_file]`
          : `[Content of ${path}]\n${content}`,
      );
      if (content.length <= left) left -= content.length;
      break;
    }
  }
  return blocks.length === 0 ? undefined : blocks.join('\n\n');
}

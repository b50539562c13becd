// The least that a program can do with a streamed answer: fetch it, parse it, write the text. The baseline for the terminal's streaming.
process.stdout.write('ready');
process.stdin.once('data', async () => {
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'stream' }] });
  const response = await fetch(`${process.argv[2]}/chat/completions`, { method: 'POST', body });
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of response.body) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    const data = events.map((event) => event.slice('data: '.length)).filter((text) => text !== '[DONE]');
    process.stdout.write(data.map((text) => JSON.parse(text).choices[0].delta.content ?? '').join(''));
  }
});

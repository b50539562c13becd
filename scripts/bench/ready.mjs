// The least a terminal program can do: the baseline for the chat's first frame.
process.stdout.write('ready');
setTimeout(() => {}, 10_000);

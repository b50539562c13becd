/** Ink 8 uses `Promise.withResolvers`, which Node 20 lacks; the bundle defines it in its banner. */
Promise.withResolvers ??= function withResolvers<Value>() {
  let resolve!: (value: Value | PromiseLike<Value>) => void;
  let reject!: (reason?: unknown) => void;
  const promise = new Promise<Value>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
};

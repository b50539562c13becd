/** A web address that may be looked up, or why not. */
export function parseWebUrl(text: string): URL | { readonly error: string } {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return { error: `'${text}' is no URL; give one such as https://example.com/page` };
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { error: `${url.protocol} is not fetched; only http: and https:` };
  if (url.username !== '' || url.password !== '') return { error: 'A URL with user name or password is not fetched' };
  url.hash = '';
  return url;
}

/** The host of a URL as DNS and sockets want it: without the brackets of an IPv6 address, without a closing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/u, '$1').replace(/\.$/u, '');
}

import ipaddr from 'ipaddr.js';
import { lazy } from '../types/lazy.ts';

/** Ranges of unicast addresses that ipaddr.js does not tell apart, and that no page on the web has. */
const closedRanges = lazy(() =>
  [
    '168.63.129.16/32', // the host of a virtual machine, Azure
    '192.0.0.0/24', // protocol assignments, RFC 6890
    '192.88.99.0/24', // 6to4 relays, RFC 7526
    '2001::/23', // protocol assignments, Teredo among them, RFC 2928
    '2001:db8::/32', // documentation, RFC 3849
    '2002::/16', // 6to4 holds any IPv4 address, RFC 3056
    '3fff::/20', // documentation, RFC 9637
    '5f00::/16', // segment routing, RFC 9602
  ].map((range) => ipaddr.parseCIDR(range)),
);
const publicV6 = lazy(() => ipaddr.IPv6.parseCIDR('2000::/3'));

/**
 * Why an address must not be connected to; undefined when it is one of the public internet. Loopback, private, link-local and metadata
 * addresses, and IPv6 forms that hold an IPv4 address (mapped, NAT64, 6to4, Teredo), are refused.
 */
export function judgeAddress(address: string): string | undefined {
  let parsed: ipaddr.IPv4 | ipaddr.IPv6;
  try {
    parsed = ipaddr.parse(address);
  } catch {
    return 'not an address';
  }
  const range = parsed.range();
  if (range !== 'unicast') return range;
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(publicV6())) return 'not public';
  if (parsed instanceof ipaddr.IPv6 && parsed.zoneId !== undefined) return 'of one interface only';
  const closed = closedRanges().some((candidate) => candidate[0].kind() === parsed.kind() && parsed.match(candidate));
  return closed ? 'reserved' : undefined;
}

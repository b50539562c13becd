import { expect, it } from 'vitest';
import { judgeAddress } from '../../src/tools/web-address.ts';
import { parseWebUrl } from '../../src/tools/web-url.ts';

it.each([
  ['93.184.216.34', true],
  ['1.1.1.1', true],
  ['2606:4700::1111', true],
  ['0.0.0.0', false],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['100.100.100.200', false],
  ['127.0.0.1', false],
  ['127.255.255.254', false],
  ['168.63.129.16', false],
  ['169.254.169.254', false],
  ['172.16.0.1', false],
  ['172.32.0.1', true],
  ['192.0.0.8', false],
  ['192.0.2.1', false],
  ['192.88.99.1', false],
  ['192.168.1.1', false],
  ['198.18.0.1', false],
  ['198.51.100.1', false],
  ['203.0.113.9', false],
  ['224.0.0.1', false],
  ['240.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:8.8.8.8', false],
  ['::127.0.0.1', false],
  ['64:ff9b::7f00:1', false],
  ['64:ff9b:1::a00:1', false],
  ['100::1', false],
  ['2001::1', false],
  ['2001:db8::1', false],
  ['2002:7f00:1::', false],
  ['3fff::1', false],
  ['5f00::1', false],
  ['fc00::1', false],
  ['fd00:ec2::254', false],
  ['fe80::1', false],
  ['fe80::1%eth0', false],
  ['fec0::1', false],
  ['ff02::1', false],
  ['localhost', false],
  ['', false],
])('address %s may be reached: %s', (address, allowed) => {
  expect(judgeAddress(address) === undefined).toBe(allowed);
});

it.each([
  ['https://example.com/a#b', 'https://example.com/a'],
  ['HTTP://EXAMPLE.com', 'http://example.com/'],
  ['ftp://example.com', 'only http'],
  ['file:///etc/passwd', 'only http'],
  ['data:text/html,x', 'only http'],
  ['javascript:alert(1)', 'only http'],
  ['http://user:pw@example.com', 'user name or password'],
  ['example.com', 'no URL'],
  ['', 'no URL'],
])('URL %s', (text, expected) => {
  const url = parseWebUrl(text);
  expect('error' in url ? url.error : url.href).toContain(expected);
});

import { expect, it } from 'vitest';
import { revealCommand, revealerFor } from './revealFile';

it.each([
  ['darwin', {}, { command: 'open', args: ['-R', '/srv/app/a b.txt'] }],
  ['win32', {}, { command: 'explorer.exe', args: ['/select,/srv/app/a b.txt'] }],
  ['linux', { DISPLAY: ':0' }, { command: 'xdg-open', args: ['/srv/app'] }],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, { command: 'xdg-open', args: ['/srv/app'] }],
  ['linux', { DISPLAY: '' }, null],
  ['other', {}, null],
] as const)('%s with %j', (platform, variables, expected) => {
  expect(revealCommand(platform, variables, '/srv/app/a b.txt')).toEqual(expected);
  expect(revealerFor(platform, variables) === undefined).toBe(expected === null);
});

it('says when the program is not there', async () => {
  const reveal = revealerFor('linux', { DISPLAY: ':0', PATH: '/nowhere' });
  await expect(reveal?.('/srv/app/a.txt')).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('xdg-open could not be started'),
  });
});

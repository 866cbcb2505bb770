import { expect, it } from 'vitest';
import { summary } from '../../testing/fakeCore';
import { recentFolders } from './recentFolders';

it('names each folder once, last used first', () => {
  const folders = ['/code/harbor', '/code/tides', '/code/harbor', '/code/maps'];
  const sessions = folders.map((folder, index) => summary({ sessionId: `s${index}`, folder }));
  expect(recentFolders(sessions, 2)).toEqual(['/code/harbor', '/code/tides']);
});

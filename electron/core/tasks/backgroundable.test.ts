import { beforeAll, expect, it } from 'vitest';
import { loadSecondParser } from '../permissions/shell/treeSitter';
import { mayGoOnInBackground } from './backgroundable';

beforeAll(() => loadSecondParser());

it.each([
  ['npm run build', true],
  ['cd app && make -j4 | tee log', true],
  ['npm test\nnpm run lint', true],
  ['echo a; sleep 5', true],
  ['sleep 600', false],
  ['/bin/sleep 600', false],
  ['sleep 5 && npm test', false],
  ['git push', false],
  ['npm test && git commit -m x', false],
  ['nice git fetch', false],
  ['(cd a; /usr/bin/git gc)', false],
  ['"$TOOL" x', false],
  ['for f in *; do wc $f; done &&', false],
  ['for i in 1 2 3; do (while :; do sleep 1; done) & done; sleep 600', false],
  ["trap '' TERM; while :; do sleep 1; done", false],
  ['npm start &', false],
  ['make $(nproc)', false],
  ['PORT=3000 npm start', true],
  ['echo "open', false],
  ['', false],
])('%j → %s', (command, may) => {
  expect(mayGoOnInBackground(command)).toBe(may);
});

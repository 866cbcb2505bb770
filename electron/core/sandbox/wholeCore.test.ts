// The sandbox's settings in a whole core: from the file to what a command really sees.
import { afterAll, afterEach, expect, test } from 'vitest';
import { type CoreWorld, disposeBuilt, modelText, startWorld } from '../faults/testing/coreWorld';

let world: CoreWorld | undefined;
afterEach(async () => {
  await world?.dispose();
  world = undefined;
});
afterAll(disposeBuilt);

const bash = (command: string, more: object = {}) => ({ calls: [{ name: 'Bash', input: { command, ...more } }] });

test('commands are confined by the settings, and leave the sandbox by a setting or a person’s word alone', async (context) => {
  world = await startWorld({
    settings: {
      permissions: { allow: ['Bash'], deny: ['Read(//**/*.pem)'] },
      sandbox: {
        excludedCommands: ['printf *'],
        filesystem: { allowWrite: ['~/out'] },
        credentials: { files: [{ path: '~/notes', mode: 'deny' }], envVars: [{ name: 'TOKEN', mode: 'deny' }] },
      },
      hooks: {
        SessionStart: [
          {
            hooks: [
              {
                type: 'command',
                command: 'printf "export TOKEN=t0ken\\nexport SHOWN=a-word\\n" >> "$CLAUDE_ENV_FILE"',
              },
            ],
          },
        ],
      },
    },
  });
  const w = world;
  w.write('home/.ssh/id_ed25519', 'a key');
  w.write('home/notes/n', 'a note');
  w.write('home/out/kept', '');
  w.write('project/cert.pem', 'a certificate');
  const session = await w.session();
  const view = await w.client().call('sandbox.view', { sessionId: session.id });
  if (!view.state.active) context.skip(view.state.reason);
  expect(view.excluded).toEqual([
    { text: 'printf *', from: { kind: 'setting', source: 'userSettings', path: expect.any(String), line: 12 } },
  ]);
  const look =
    'cat ~/.ssh/id_ed25519 ~/notes/n 2>/dev/null; grep -rh certificate . 2>/dev/null; echo x > ~/out/made; echo x > ~/none; echo x > .npmrc; ls ~/out; echo "$TOKEN $SHOWN"; true';
  const leave = { dangerouslyDisableSandbox: true, description: 'for the key' };
  const calls = await session.turn(
    bash(look),
    bash('printf "$TOKEN "; cat ~/.ssh/id_ed25519'),
    bash('cat ~/.ssh/id_ed25519', leave),
    'Done.',
  );
  const asks = session.events.flatMap(({ body }) =>
    body.type === 'call.asked' && body.ask.kind === 'permission' ? [body.ask] : [],
  );
  expect({
    inside: modelText(calls[0]).match(/a key|a note|a certificate|made|t0ken|a-word/g),
    excluded: modelText(calls[1]).includes('t0ken a key'),
    wanted: modelText(calls[2]).includes('a key'),
    asked: asks.map(({ reason, sandbox: shown }) => [reason.type, shown.active, shown.outside]),
  }).toEqual({
    inside: ['made', 'a-word'],
    excluded: true,
    wanted: true,
    asked: [
      ['safety', true, undefined],
      ['noRule', false, 'excluded'],
      ['safety', false, 'wanted'],
    ],
  });
}, 60_000);

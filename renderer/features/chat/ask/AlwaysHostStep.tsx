import { RadioGroup } from 'radix-ui';
import { useState } from 'react';
import { type NetworkAsk, NetworkSavable } from '#shared/session/networkAsk';
import { useRules } from '../../../stores/rules';
import { VisibleText } from '../../../ui/VisibleText';
import { AlwaysFrame, ChoiceMark } from './AlwaysFrame';
import { Choice } from './Choice';
import { targets } from './targets';
import { useArmed } from './useArmed';

export interface SavedHost {
  readonly pattern: string;
  readonly source: NetworkSavable;
}

interface Props {
  readonly ask: NetworkAsk;
  readonly armDelayMs: number;
  readonly blocked: string;
  readonly onSave: (saved: SavedHost) => void;
  readonly onBack: () => void;
}

const places = { localSettings: targets.localSettings, userSettings: targets.userSettings };

const notTrusted = 'The folder is not trusted, so its own settings would not count.';

/** What a pattern lets through, in words. */
function coverWords(pattern: string, port: number): string {
  if (pattern.endsWith(`:${port}`)) return 'this host, this port alone';
  return pattern.startsWith('*.') ? 'every name that ends so, every port' : 'this host, every port';
}

/** Second step of "Always allow…" for a host: which pattern goes on the list, and into which file. */
export function AlwaysHostStep({ ask, armDelayMs, blocked, onSave, onBack }: Props) {
  const [pattern, setPattern] = useState(ask.patterns[0] ?? '');
  const untrusted = useRules((rules) => rules.view?.trust.trusted === false);
  const locked = untrusted ? { localSettings: notTrusted } : {};
  const [source, setSource] = useState<NetworkSavable>(untrusted ? 'userSettings' : 'localSettings');
  const arming = useArmed(JSON.stringify([pattern, source]), armDelayMs);
  return (
    <AlwaysFrame
      arming={arming}
      armDelayMs={armDelayMs}
      blocked={blocked || (source === 'localSettings' && untrusted ? notTrusted : '')}
      action="Save and connect"
      onSave={() => onSave({ pattern, source })}
      onBack={onBack}
      choices={
        <RadioGroup.Root
          aria-label="Always allow, from narrow to broad"
          value={pattern}
          onValueChange={(chosen) => {
            if (ask.patterns.includes(chosen)) setPattern(chosen);
          }}
          className="flex flex-col gap-1"
        >
          {ask.patterns.map((one) => (
            <RadioGroup.Item
              key={one}
              value={one}
              className="group flex w-full items-start gap-2.5 rounded-control px-1.5 py-1 text-left hover:bg-hover data-[state=checked]:bg-accent-tint"
            >
              <ChoiceMark />
              <span className="flex min-w-0 flex-wrap items-baseline gap-x-3">
                <code className="chat-verbatim font-mono text-mono">
                  <VisibleText text={one} />
                </code>
                <span className="text-muted text-small">{coverWords(one, ask.port)}</span>
              </span>
            </RadioGroup.Item>
          ))}
        </RadioGroup.Root>
      }
    >
      <Choice
        label="Where it is saved"
        value={source}
        options={places}
        schema={NetworkSavable}
        locked={locked}
        onChange={setSource}
      />
      {untrusted ? (
        <p className="text-muted text-small">
          {places.localSettings.label}: {notTrusted}
        </p>
      ) : null}
      <p className="text-muted text-small [overflow-wrap:anywhere]">
        Adds <code className="font-mono text-mono text-text">{JSON.stringify(pattern)}</code> to{' '}
        <code className="font-mono text-mono">sandbox.network.allowedDomains</code> in {places[source].hint}.
      </p>
    </AlwaysFrame>
  );
}

import type { ReactNode } from 'react';
import type { RuleRef } from '#shared/permissions/decision';
import { ruleSources } from '#shared/permissions/sources';
import type { NearMiss, RuleStanding, WhyRule, WhyTree } from '#shared/permissions/why';
import { Verdict } from '../../../ui/Verdict';
import { VisibleText } from '../../../ui/VisibleText';

const standings: Readonly<Record<RuleStanding, string>> = { wins: 'decides', helps: 'helps', loses: 'loses' };

/** All that lies behind a decision: checks, rules that fit (the winner first), rules that nearly fit, what is touched. */
export function WhyTreeView({ why }: { readonly why: WhyTree }) {
  return (
    <>
      <Branch name="Checks above all allow rules">
        {why.gates.map((gate) => (
          <Leaf key={gate.check} strong={gate.decides}>
            {gate.decides && <span className="font-semibold">decides · </span>}
            <VisibleText text={gate.detail} />
          </Leaf>
        ))}
      </Branch>
      <Branch name="Why no rule may allow the line as a whole">
        {why.doubts.map((doubt) => (
          <Leaf key={doubt} strong>
            <VisibleText text={doubt} />
          </Leaf>
        ))}
      </Branch>
      <Branch name="Rules that fit">
        {why.rules.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule may be written twice in one place.
          <FittingRule key={index} one={one} />
        ))}
      </Branch>
      <Branch name="Rules that nearly fit">
        {why.nearMisses.map((miss) => (
          <NearRule key={JSON.stringify(miss.rule)} miss={miss} />
        ))}
      </Branch>
      <Branch name="Commands found">
        {why.commands.map((command, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same command may stand in a line twice.
          <Leaf key={index}>
            <Mono text={command.text} />
            <Note text={[command.nested ? 'run by another command' : '', command.note].filter(Boolean).join('; ')} />
          </Leaf>
        ))}
      </Branch>
      <Branch name="Files touched">
        {why.files.map((file) => (
          <Leaf key={`${file.access} ${file.from} ${file.given} ${file.real ?? ''}`}>
            <span className="text-muted text-small">{file.access} </span>
            <Mono text={file.real === null || file.real === file.given ? file.given : `${file.given} → ${file.real}`} />
            <Note text={file.note} />
          </Leaf>
        ))}
      </Branch>
      <Branch name="Hosts reached">
        {why.hosts.map((host) => (
          <Leaf key={host}>
            <Mono text={host} />
          </Leaf>
        ))}
      </Branch>
      <Branch name="Said by others">
        {why.opinions.map((opinion) => (
          <Leaf key={opinion}>
            <VisibleText text={opinion} />
          </Leaf>
        ))}
      </Branch>
      <Branch name="Mode">
        <Leaf>{why.modeNote}</Leaf>
      </Branch>
      {why.leftOut > 0 && <p className="text-dim text-small">{why.leftOut} more entries are not shown.</p>}
    </>
  );
}

/** A named branch with its leaves; nothing where there are none. */
function Branch({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  if (Array.isArray(children) && children.length === 0) return null;
  return (
    <section aria-label={name}>
      <h3 className="font-semibold text-head text-muted">{name}</h3>
      <ul className="mt-1 flex flex-col border-line border-l">{children}</ul>
    </section>
  );
}

function Leaf({ children, strong = false }: { readonly children: ReactNode; readonly strong?: boolean }) {
  return (
    <li className="relative py-1 pl-4 [overflow-wrap:anywhere]">
      <span aria-hidden="true" className="absolute top-[13px] left-0 h-px w-2.5 bg-line" />
      <span className={strong ? '' : 'text-muted'}>{children}</span>
    </li>
  );
}

function Mono({ text }: { readonly text: string }) {
  return (
    <code className="chat-verbatim font-mono text-mono text-text">
      <VisibleText text={text} />
    </code>
  );
}

function Note({ text }: { readonly text: string }) {
  return text === '' ? null : (
    <span className="block text-dim text-small">
      <VisibleText text={text} />
    </span>
  );
}

function placeOf({ source, file, line }: RuleRef): string {
  const label = ruleSources[source].label;
  return file === undefined
    ? `${label} · ${ruleSources[source].where}`
    : `${label} · ${file}${line === undefined ? '' : `:${line}`}`;
}

function Place({ rule }: { readonly rule: RuleRef }) {
  return (
    <span className="chat-verbatim block font-mono text-dim text-mono">
      <VisibleText text={placeOf(rule)} />
    </span>
  );
}

function FittingRule({ one }: { readonly one: WhyRule }) {
  const { rule, standing, parts, because } = one;
  return (
    <Leaf strong={standing === 'wins'}>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-small">
          <Verdict verdict={rule.behavior} />
        </span>
        <Mono text={rule.text} />
        <span className={`text-small ${standing === 'wins' ? 'font-semibold text-text' : 'text-muted'}`}>
          {standings[standing]}
        </span>
      </span>
      <Place rule={rule} />
      <span className="block text-small">
        fits <Mono text={parts.join(' | ')} />
      </span>
      <span className="block text-small">
        <VisibleText text={because} />
      </span>
    </Leaf>
  );
}

/** Dim as a whole: it had no part in the decision. */
function NearRule({ miss }: { readonly miss: NearMiss }) {
  const { rule, part, because, instead } = miss;
  return (
    <li className="relative py-1 pl-4 text-dim [overflow-wrap:anywhere]">
      <span aria-hidden="true" className="absolute top-[13px] left-0 h-px w-2.5 bg-line" />
      <span className="text-small">{rule.behavior} </span>
      <code className="chat-verbatim font-mono text-mono">
        <VisibleText text={rule.text} />
      </code>
      <Place rule={rule} />
      <span className="block text-small">
        <VisibleText text={`${part}: ${because}`} />
      </span>
      {instead !== undefined && (
        <span className="block text-small">
          the form that fits:{' '}
          <code className="chat-verbatim font-mono text-mono">
            <VisibleText text={instead} />
          </code>
        </span>
      )}
    </li>
  );
}

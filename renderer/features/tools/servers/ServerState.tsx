import {
  CircleAlert,
  CircleCheck,
  CircleSlash,
  KeyRound,
  LoaderCircle,
  type LucideIcon,
  RotateCw,
  ShieldQuestion,
} from 'lucide-react';
import type { McpState } from '#shared/api/mcp';
import { classes } from '../../../ui/classes';
import { stateWords } from './serverWords';

const looks: Readonly<Record<McpState, { readonly icon: LucideIcon; readonly colour: string }>> = {
  disabled: { icon: CircleSlash, colour: 'text-muted' },
  needsApproval: { icon: ShieldQuestion, colour: 'text-ask' },
  connecting: { icon: LoaderCircle, colour: 'text-accent' },
  connected: { icon: CircleCheck, colour: 'text-allow' },
  needsAuth: { icon: KeyRound, colour: 'text-ask' },
  failed: { icon: CircleAlert, colour: 'text-deny' },
  restarting: { icon: RotateCw, colour: 'text-ask' },
};

/** A server's state as words and shape. */
export function ServerState({ state }: { readonly state: McpState }) {
  const { icon: Icon, colour } = looks[state];
  return (
    <span className={classes('inline-flex min-w-0 items-center gap-1.5', colour)}>
      <Icon
        aria-hidden
        size={14}
        strokeWidth={1.75}
        className={classes('shrink-0', state === 'connecting' && 'turning')}
      />
      <span className="truncate">{stateWords[state]}</span>
    </span>
  );
}

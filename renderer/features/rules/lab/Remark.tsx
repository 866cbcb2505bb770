import { CircleAlert, Info, TriangleAlert, Wrench } from 'lucide-react';
import type { LintFinding } from '#shared/api/rules';
import { describeRule } from '#shared/permissions/decision';
import { Button } from '../../../ui/Button';
import { classes } from '../../../ui/classes';
import { VisibleText } from '../../../ui/VisibleText';
import { stage } from '../actions';

const severities = {
  error: { icon: CircleAlert, colour: 'text-deny', word: 'Error' },
  warning: { icon: TriangleAlert, colour: 'text-ask', word: 'Warning' },
  hint: { icon: Info, colour: 'text-muted', word: 'Hint' },
};

/** A remark with what would mend it; mending goes into the draft. */
export function Remark({ finding }: { readonly finding: LintFinding }) {
  const { severity, message, other, fix } = finding;
  const { icon: Icon, colour, word } = severities[severity];
  return (
    <div className="flex gap-2">
      <Icon aria-label={word} size={15} strokeWidth={1.75} className={classes('mt-0.5 shrink-0', colour)} />
      <div className="min-w-0">
        <p className="break-words">
          <VisibleText text={message} />
        </p>
        {other === null ? null : (
          <p className="break-words font-mono text-dim text-mono">
            <VisibleText text={describeRule(other)} />
          </p>
        )}
        {fix === null || fix.edits.length === 0 ? null : (
          <Button size="small" icon={Wrench} className="mt-1" onClick={() => stage(fix.edits)}>
            {fix.label}
          </Button>
        )}
      </div>
    </div>
  );
}

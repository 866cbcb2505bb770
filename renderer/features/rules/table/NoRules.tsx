import { Sparkles } from 'lucide-react';
import { useRulesPage } from '../../../stores/rulesPage';
import { Button } from '../../../ui/Button';

/** The first run: nothing is allowed yet, and one action gets a person going. */
export function NoRules() {
  const show = useRulesPage((page) => page.show);
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center justify-center px-6 py-10 text-center">
      <p className="font-semibold text-title">Everything asks</p>
      <p className="mt-1.5 max-w-md text-muted">
        There are no rules yet, so each command that changes something waits for you. Gatehouse can look at the calls of
        your last 30 days and propose the few rules that would have spared you most questions.
      </p>
      <Button variant="primary" icon={Sparkles} className="mt-4" onClick={() => show({ tab: 'suggest' })}>
        Build rules from the last 30 days
      </Button>
    </div>
  );
}

import { useResultsPage } from '../../../stores/resultsPage';
import { Button } from '../../../ui/Button';
import { VisibleText } from '../../../ui/VisibleText';

export interface CannotShowProps {
  readonly id: string;
  /** The fact. */
  readonly title: string;
  readonly problem: string;
}

/** A file cannot be shown in the way that was asked for; its text always can. */
export function CannotShow({ id, title, problem }: CannotShowProps) {
  const setView = useResultsPage((page) => page.setView);
  return (
    <div role="alert" className="p-6">
      <p className="font-medium">{title}</p>
      <p className="mt-1 text-muted">
        <VisibleText text={problem} />
      </p>
      <Button className="mt-3" onClick={() => setView(id, { mode: 'text' })}>
        Show as text
      </Button>
    </div>
  );
}

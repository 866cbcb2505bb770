import { useMemo } from 'react';
import type { ResultFile } from '#shared/api/results';
import { useResultsPage } from '../../../stores/resultsPage';
import { Chip } from '../../../ui/Chip';
import { VisibleText } from '../../../ui/VisibleText';
import { facetsOf } from './files';

/** One chip for each tool and state that has files; none pressed shows all. */
export function Facets({ files }: { readonly files: readonly ResultFile[] }) {
  const facets = useResultsPage((page) => page.facets);
  const show = useResultsPage((page) => page.show);
  const counts = useMemo(() => facetsOf(files, facets), [files, facets]);
  return (
    <fieldset
      aria-label="Filters"
      className="flex shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-3 py-1.5"
    >
      <Chip aria-pressed={facets.length === 0} onClick={() => show({ facets: [] })}>
        All
      </Chip>
      {counts.map(({ facet, label, count }, index) => {
        const isFirstState = !facet.startsWith('tool:') && counts[index - 1]?.facet.startsWith('tool:') === true;
        return (
          <span key={facet} className="contents">
            {isFirstState ? <span aria-hidden className="mx-1 h-4 w-px shrink-0 bg-line" /> : null}
            <Chip
              aria-pressed={facets.includes(facet)}
              className="shrink-0"
              onClick={() =>
                show({
                  facets: facets.includes(facet) ? facets.filter((one) => one !== facet) : [...facets, facet],
                })
              }
            >
              <span className="max-w-40 truncate">
                <VisibleText text={label} />
              </span>{' '}
              {count.toLocaleString('en')}
            </Chip>
          </span>
        );
      })}
    </fieldset>
  );
}

import type { ShellOutput } from '#shared/api/executor';
import type { OutputOutcome } from './output';

/** What the executor says of a command's output, in words for model and person. */
export function outcomeOf(output: ShellOutput = {}): OutputOutcome {
  const { written, droppedBytes = 0, writeProblem, full = false, nonTextBytes = 0, image } = output;
  const notices: string[] = [];
  if (full) notices.push('It was stopped because its output had reached the limit.');
  if (nonTextBytes > 0 && image === undefined) {
    notices.push(`The output held ${counted(nonTextBytes)} that are not text; each is shown as \uFFFD.`);
  }
  if (writeProblem !== undefined) {
    notices.push(`The whole output could not be kept in a file: ${writeProblem} Only its head and tail are here.`);
  }
  if (droppedBytes > 0 && written !== undefined) {
    notices.push(
      `The file holds the first ${counted(written.bytes)} of the output; ${counted(droppedBytes)} more were printed and not written.`,
    );
  }
  return { written: written ?? null, image: image ?? null, notices, full };
}

function counted(bytes: number): string {
  return `${bytes.toLocaleString('en-US')} ${bytes === 1 ? 'byte' : 'bytes'}`;
}

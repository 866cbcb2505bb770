// One file of results that a page looks at: its index, its search, and whether it changes meanwhile.
import { basename } from 'node:path';
import { RpcError } from '#shared/rpc/errors';
import type { Answer, Question, QuestionName, ViewEvent } from '../worker/messages';
import { Indexing } from './indexing';
import { imageTypeOf, shapeOf, sniffBytes } from './mode';
import { OpenedFile, type ResultPlace } from './openedFile';
import { FileSearch, type Searcher } from './search/fileSearch';
import { Structured } from './structured/structured';
import { TextIndex } from './textIndex';
import { TextView } from './textView';

const firstRows = 200;
const maxLineChars = 1_000_000;
const maxImageBytes = 20_000_000;
/** In a file of that size people search rather than scroll. */
const largeBytes = 4_194_304;
/** So often is looked whether the file has changed, in milliseconds. */
const lookEveryMs = 500;

export interface ViewOptions {
  readonly view: string;
  readonly place: ResultPlace;
  readonly searcher: Searcher;
  readonly tell: (event: ViewEvent) => void;
}

type Asked<N extends QuestionName> = Omit<Question<N>, 'view'>;

export class FileView {
  private readonly file: OpenedFile;
  private readonly index = new TextIndex();
  private readonly text: TextView;
  private readonly indexing: Indexing;
  readonly search: FileSearch;
  private structured: Structured | null = null;
  private readonly timer: NodeJS.Timeout;
  private closing = false;
  private problem: RpcError | null = null;

  /** Throws RpcError when the file cannot be opened. */
  constructor(private readonly options: ViewOptions) {
    const { view, place, searcher, tell } = options;
    this.file = OpenedFile.open(place);
    this.text = new TextView(this.file, this.index);
    this.indexing = new Indexing(this.file, this.index, (index) => tell({ kind: 'indexed', view, index }));
    this.search = new FileSearch({
      file: this.file,
      text: this.text,
      indexed: (byte) => this.indexing.reached((state) => state.bytesDone > byte),
      searcher,
      tell: (state) => tell({ kind: 'searching', view, state }),
    });
    this.timer = setInterval(() => this.look(), lookEveryMs);
    this.timer.unref();
  }

  /** What the page is told at first; the index begins. */
  begin(): Answer<'open'> {
    const { size, modifiedAt } = this.file;
    const { modes, encoding } = shapeOf(this.file.bytes(0, sniffBytes), size);
    const rows = this.text.rows(0, firstRows);
    // The answer is on its way before anything else is read.
    setImmediate(() => this.goOn());
    return { bytes: size, modifiedAt, modes: [...modes], encoding, index: this.index.state, rows };
  }

  rows({ from, count }: Asked<'results.rows'>): Answer<'results.rows'> {
    this.check();
    return { rows: this.text.rows(from, count), index: this.index.state };
  }

  async rowOfLine({ line }: Asked<'results.rowOfLine'>): Promise<Answer<'results.rowOfLine'>> {
    await this.indexing.reached((state) => state.lines > line);
    return { row: this.text.rowOfLine(line).row };
  }

  async line({ line }: Asked<'results.line'>): Promise<Answer<'results.line'>> {
    await this.indexing.reached((state) => state.lines > line);
    return this.text.line(line, maxLineChars);
  }

  bytes({ from, count }: Asked<'results.bytes'>): Answer<'results.bytes'> {
    return { base64: this.file.bytes(from, count).toString('base64') };
  }

  image(): Answer<'results.image'> {
    const { size } = this.file;
    const mediaType = imageTypeOf(this.file.bytes(0, 64));
    if (mediaType === null)
      throw new RpcError('refused', `${this.name} is no JPEG, PNG, GIF or WebP. Look at its bytes.`);
    if (size > maxImageBytes)
      throw new RpcError(
        'refused',
        `${this.name} has more than 20 MB, too much to be shown as a picture. Save a copy.`,
      );
    return { mediaType, base64: this.file.bytes(0, size).toString('base64') };
  }

  /** The file taken apart as JSON or a table, kept until it is no longer used. */
  get parts(): Structured {
    this.structured ??= new Structured(this.file, this.name);
    return this.structured;
  }

  /** Gives everything up. Nobody may ask any more. */
  async close(): Promise<void> {
    if (this.closing) return;
    this.closing = true;
    clearInterval(this.timer);
    this.indexing.stop();
    this.structured?.dispose();
    await this.search.stop();
    await this.indexing.ended();
    this.file.close();
  }

  private get name(): string {
    return basename(this.file.path);
  }

  private goOn(): void {
    if (this.closing) return;
    if (this.file.size >= largeBytes) this.options.searcher.warm();
    this.indexing.start((error) => {
      this.problem = new RpcError('unavailable', `${this.name} cannot be read any more (${String(error)}).`);
    });
  }

  private check(): void {
    if (this.problem !== null) throw this.problem;
  }

  private look(): void {
    const how = this.file.look();
    if (how === 'same') return;
    const { view, tell } = this.options;
    tell({ kind: 'fileChanged', view, how, bytes: this.file.size });
    this.structured?.dispose();
    this.structured = null;
    if (how === 'grew') {
      void this.indexing.ended().then(() => {
        if (this.closing) return;
        this.index.reopen();
        this.goOn();
      });
      return;
    }
    clearInterval(this.timer);
  }
}

// Five-field cron expressions in local time: minute, hour, day of month, month, day of week.

/** The values that each field lets through. */
export interface CronExpression {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
  /** As cron has it: where both are given, a day need only fit one of them. */
  readonly eitherDay: boolean;
}

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
}

const fields = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12 },
  { name: 'day of week', min: 0, max: 7 },
] as const satisfies readonly Field[];

/** What a field may be: `*`, numbers, ranges, lists, and steps of the first and third. */
const piece = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/;

export type ParsedCron =
  | { readonly ok: true; readonly expression: CronExpression }
  | { readonly ok: false; readonly problem: string };

/** Reads an expression; `problem` is a sentence for whoever wrote it. Names, `@daily` and the like are not taken. */
export function parseCron(text: string): ParsedCron {
  const texts = text.trim().split(/\s+/);
  if (texts.length !== fields.length)
    return bad('A cron expression has five fields: minute hour day-of-month month day-of-week, as in "0 9 * * 1-5".');
  const sets: ReadonlySet<number>[] = [];
  for (const [index, field] of fields.entries()) {
    const read = readField(texts[index] ?? '', field);
    if (typeof read === 'string') return bad(read);
    sets.push(read);
  }
  const [minutes, hours, days, months, weekdays] = sets;
  if (
    minutes === undefined ||
    hours === undefined ||
    days === undefined ||
    months === undefined ||
    weekdays === undefined
  )
    return bad('A field is missing.');
  return {
    ok: true,
    expression: {
      minutes,
      hours,
      days,
      months,
      weekdays: new Set([...weekdays].map((day) => day % 7)),
      eitherDay: !texts[2]?.startsWith('*') && !texts[4]?.startsWith('*'),
    },
  };
}

function bad(problem: string): ParsedCron {
  return { ok: false, problem };
}

/** The values of one field, or what is wrong with it. */
function readField(text: string, { name, min, max }: Field): ReadonlySet<number> | string {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const found = piece.exec(part);
    if (found === null) return `${name}: "${part.slice(0, 20)}" is none of *, 5, 1-5, 1,5 or */10.`;
    const [, low, high, every] = found;
    if (every !== undefined && low !== undefined && high === undefined)
      return `${name}: a step needs a range or *, as in ${low}-${max}/${every}.`;
    const from = low === undefined ? min : Number(low);
    const to = low === undefined ? max : Number(high ?? low);
    const step = every === undefined ? 1 : Number(every);
    if (from < min || to > max || from > to) return `${name}: ${part} is not within ${min} to ${max}, in rising order.`;
    if (step < 1) return `${name}: a step is at least 1.`;
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return values;
}

/** Days that are looked at: 29 February may be eight years away. */
const farthestDays = 366 * 8 + 1;

/** The first minute after `after` (epoch ms) that fits, in local time; null: none within eight years, as for 30 February. */
export function nextRun(expression: CronExpression, after: number): number | null {
  const { minutes, hours } = expression;
  const start = new Date(after);
  for (let ahead = 0; ahead < farthestDays; ahead += 1) {
    const day = new Date(start.getFullYear(), start.getMonth(), start.getDate() + ahead);
    if (!fitsDay(expression, day)) continue;
    for (const hour of rising(hours)) {
      for (const minute of rising(minutes)) {
        const at = new Date(day.getFullYear(), day.getMonth(), day.getDate(), hour, minute);
        // An hour that the clocks skip is not there.
        if (at.getTime() > after && at.getHours() === hour && at.getMinutes() === minute) return at.getTime();
      }
    }
  }
  return null;
}

function fitsDay({ days, months, weekdays, eitherDay }: CronExpression, day: Date): boolean {
  if (!months.has(day.getMonth() + 1)) return false;
  const [byDate, byWeekday] = [days.has(day.getDate()), weekdays.has(day.getDay())];
  return eitherDay ? byDate || byWeekday : byDate && byWeekday;
}

function rising(values: ReadonlySet<number>): number[] {
  return [...values].sort((one, other) => one - other);
}

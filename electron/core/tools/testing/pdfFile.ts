// For tests: makes small PDF files.

export interface PdfPage {
  /** ASCII; a long text goes on in lines, and on top of the first when the page is full. */
  readonly text: string;
  /** What the page draws instead, packed twice by zlib. */
  readonly packed?: Buffer;
}

/** A PDF with these pages, in Helvetica. */
export function pdfOf(pages: readonly PdfPage[]): Buffer {
  const objects: Buffer[] = [];
  const add = (...parts: readonly (string | Buffer)[]): number =>
    objects.push(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part))));
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  const pagesAt = 2;
  add('');
  const kids = pages.map(({ text, packed }) => {
    const lines = (text.match(/.{1,80}/g) ?? []).map((line, index) => {
      const escaped = line.replaceAll(/[\\()]/g, (character) => `\\${character}`);
      return `BT /F1 9 Tf 72 ${720 - 10 * (index % 60)} Td (${escaped}) Tj ET\n`;
    });
    const drawing = packed ?? Buffer.from(lines.join(''), 'latin1');
    const filter = packed === undefined ? '' : '/Filter [/FlateDecode /FlateDecode] ';
    const content = add(`<< ${filter}/Length ${drawing.length} >>\nstream\n`, drawing, '\nendstream');
    const resources = '/Resources << /Font << /F1 1 0 R >> >>';
    return add(
      `<< /Type /Page /Parent ${pagesAt} 0 R /MediaBox [0 0 612 792] /Contents ${content} 0 R ${resources} >>`,
    );
  });
  objects[pagesAt - 1] = Buffer.from(
    `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${kids.length} >>`,
  );
  const catalog = add(`<< /Type /Catalog /Pages ${pagesAt} 0 R >>`);
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  const put = (bytes: Buffer) => {
    parts.push(bytes);
    length += bytes.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    put(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]));
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  put(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}` +
        `trailer\n<< /Size ${objects.length + 1} /Root ${catalog} 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** The same file as one that asks for a password that nobody knows. */
export function locked(pdf: Buffer): Buffer {
  const encrypt = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> /P -4 >> /ID [<00> <00>]`;
  return Buffer.from(pdf.toString('latin1').replace('/Root', `${encrypt} /Root`), 'latin1');
}

// Text as a file of the person's own, through the browser's download.

/** How long the browser may take to begin reading; the address is given back afterwards. */
const keepMs = 60_000;

/** Offers `text` for saving under `name`. */
export function saveText({ name, mediaType, text }: { name: string; mediaType: string; text: string }): void {
  const address = URL.createObjectURL(new Blob([text], { type: mediaType }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), keepMs);
}

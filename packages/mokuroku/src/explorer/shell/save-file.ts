/** Saves a file of the reader. */
export function saveText(text: string, fileName: string, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = fileName;
  link.click();
  // A browser may read the content some time after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

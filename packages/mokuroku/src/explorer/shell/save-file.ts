/** Saves a file of the reader. */
function saveFile(content: Blob, fileName: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = fileName;
  link.click();
  // A browser may read the content some time after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export const saveText = (text: string, fileName: string, type: string): void =>
  saveFile(new Blob([text], { type }), fileName);

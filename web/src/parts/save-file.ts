/** Long enough for every browser to have read the file from its address. */
const READ_MS = 60_000;

/** Makes the browser save a file as a download. */
export function saveFile(file: File): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = file.name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), READ_MS);
}

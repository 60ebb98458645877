/**
 * An address as the value of `Location`: what a header cannot hold is percent-encoded, and what is encoded already stays
 * (RFC 9110, section 10.2.2).
 */
export function locationOf(address: string): string {
  return address.toWellFormed().replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent);
}

/** The value of `Content-Disposition` for a file of this name (RFC 6266); what is not plain in it becomes `_`. */
export function attachmentOf(fileName: string): string {
  return `attachment; filename="${fileName.replaceAll(/[^A-Za-z0-9._-]/g, '_')}"`;
}

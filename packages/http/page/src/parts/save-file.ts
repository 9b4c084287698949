/** Saves a file in the downloads of the browser. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  // The browser reads the URL later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Saves a table of comma-separated values. */
export const saveCsv = (csv: string, name: string): void =>
  saveFile(new Blob([csv], { type: 'text/csv' }), name)

/** Returns rows as comma-separated values (RFC 4180); a text that a spreadsheet would calculate stays a text. */
export const formatCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('')

/** Quotes a text that holds a separator; a symbol comes from a token that anyone may have made. */
const quoted = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

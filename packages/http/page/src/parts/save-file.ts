/** Saves a file in the downloads of the browser. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  // The browser reads the URL later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

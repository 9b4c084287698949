/** Returns bytes as a text with a character for each (latin1), such as the key of a map. */
export const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

/** Returns the bytes of such a text. */
export const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1')

/** Encodes bytes in Base64. Node, browsers, Deno and Bun all have `btoa`. */
export function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** Decodes Base64. */
export const bytesOfBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (it) => it.charCodeAt(0))

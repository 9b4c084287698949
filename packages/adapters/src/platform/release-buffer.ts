/**
 * Frees the memory of bytes at once, if they are all that their buffer holds; whoever still looks
 * at them finds none. A collector that runs late would let large bundles pile up.
 */
export function letGo({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

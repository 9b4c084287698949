/**
 * Frees the memory of bytes that fill their buffer, by detaching it; every view of it becomes empty.
 * Waiting for a late garbage collection would let large bundles pile up.
 */
export function releaseBuffer({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

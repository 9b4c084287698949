/**
 * Frees the memory of bytes at once, by detaching their buffer; every view of it becomes empty. Waiting
 * for a late garbage collection would let large bundles pile up. Does nothing for bytes that share
 * their buffer with others, or were released before.
 */
export function releaseBuffer({ buffer, byteLength }: Uint8Array): void {
  if (!(buffer instanceof ArrayBuffer) || buffer.detached) return
  if (buffer.byteLength === byteLength) buffer.transfer(0)
}

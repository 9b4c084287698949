/**
 * Frees the memory of bytes at once, by detaching their buffer; every view of it becomes empty. Waiting
 * for a late garbage collection would let large bundles pile up. Does nothing for bytes that share
 * their buffer with others, or were released before. A buffer that is theirs alone may be longer: its
 * length is `capacity`.
 */
export function releaseBuffer(bytes: Uint8Array, capacity = bytes.byteLength): void {
  if (bytes.buffer.byteLength === capacity) releaseWholeBuffer(bytes)
}

/** Frees the memory of bytes at once, and of all that share their buffer; at most once. */
export function releaseWholeBuffer({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
}

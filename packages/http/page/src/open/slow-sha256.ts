import { sha256 } from 'viem'

/** Returns the sha256 of some bytes, without the help of the browser. */
export const slowSha256 = (bytes: Uint8Array): Uint8Array => sha256(bytes, 'bytes')

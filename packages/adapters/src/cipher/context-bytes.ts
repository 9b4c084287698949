import { account, type SealContext } from '@heirloom/core'
import { checksumAddress } from 'viem'
import { sizes } from './envelope.ts'
import { malformed } from './sections.ts'

/** Encodes a context in 48 bytes. */
export function writeContext({ registry, creator }: SealContext): Uint8Array {
  const bytes = Buffer.alloc(sizes.context)
  bytes.writeBigUInt64BE(BigInt(registry.chainId), 0)
  bytes.write(registry.address.slice(2), 8, 'hex')
  bytes.write(creator.slice(2), 28, 'hex')
  return bytes
}

/**
 * Decodes a context.
 *
 * @throws `bundle/unreadable` when its chain id is above 2^53 - 1
 */
export function readContext(value: Uint8Array): SealContext {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  const chainId = bytes.readBigUInt64BE(0)
  if (chainId > Number.MAX_SAFE_INTEGER) throw malformed()
  const accountAt = (start: number) =>
    account(checksumAddress(`0x${bytes.toString('hex', start, start + 20)}`))
  return {
    registry: { chainId: Number(chainId), address: accountAt(8) },
    creator: accountAt(28),
  }
}

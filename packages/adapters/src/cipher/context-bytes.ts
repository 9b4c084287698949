import { account, type SealContext } from '@heirloom/core'
import { checksumAddress } from 'viem'
import { sizes } from './envelope.ts'
import { malformed } from './sections.ts'

/** Writes a context. */
export function writeContext({ registry, creator }: SealContext): Uint8Array {
  const written = Buffer.alloc(sizes.context)
  written.writeBigUInt64BE(BigInt(registry.chainId), 0)
  written.write(registry.address.slice(2), 8, 'hex')
  written.write(creator.slice(2), 28, 'hex')
  return written
}

/**
 * Reads a context.
 *
 * @throws `bundle/unreadable` when its chain id is none that a chain has
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

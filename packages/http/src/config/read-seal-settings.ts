import type { SealBounds } from '@heirloom/adapters/internal/seal-notes'
import { type Environment, readInteger } from './environment.ts'

/** The settings of memories that are sealed for wallets that mint themselves. */
export type SealSettings = {
  /** The bounds of the seals that are not minted; 0 for no bound. */
  readonly bounds: SealBounds
  /** The largest number of bytes stored for wallets in all, minted or not; 0 for no bound. */
  readonly storedBytes: number
  /** The time that a wallet has for its mint, in milliseconds. */
  readonly lifetime: number
}

/**
 * Reads the settings of seals. Where only this machine reaches the server all clients count as one, and
 * have no bound.
 *
 * @throws `config/invalid`
 */
export function readSealSettings(env: Environment, isLocal: boolean): SealSettings {
  const readCount = (name: string, fallback: number) =>
    readInteger(env, { name, min: 0, max: 2 ** 48 }) ?? fallback
  const seconds = readInteger(env, { name: 'SEAL_SECONDS', min: 1, max: 2 ** 31 })
  return {
    bounds: {
      perAccount: {
        seals: readCount('SEALS_PER_ACCOUNT', 1000),
        bytes: readCount('SEAL_BYTES_PER_ACCOUNT', 256 * 2 ** 20),
      },
      perClient: {
        seals: readCount('SEALS_PER_CLIENT', isLocal ? 0 : 2000),
        bytes: readCount('SEAL_BYTES_PER_CLIENT', isLocal ? 0 : 512 * 2 ** 20),
      },
      inAll: {
        seals: readCount('SEALS', 20_000),
        bytes: readCount('SEAL_BYTES', 2 * 2 ** 30),
      },
    },
    storedBytes: readCount('SEAL_STORED_BYTES', 64 * 2 ** 30),
    lifetime: (seconds ?? 43_200) * 1000,
  }
}

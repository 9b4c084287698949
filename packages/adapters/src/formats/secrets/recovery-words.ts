import { english } from 'viem/accounts'

/** The 2,048 words of recovery phrases (BIP-39, English), each with its number. */
export const recoveryWords: ReadonlyMap<string, number> = new Map(
  english.map((word, number) => [word, number]),
)

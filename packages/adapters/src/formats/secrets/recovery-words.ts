import { english } from 'viem/accounts'

/** The 2,048 words that recovery phrases are made of (BIP-39, English). */
export const recoveryWords: ReadonlySet<string> = new Set(english)

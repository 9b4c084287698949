import { english } from 'viem/accounts'

/** The 2,048 words of recovery phrases (BIP-39, English). */
export const recoveryWords: ReadonlySet<string> = new Set(english)

import { english } from 'viem/accounts'

/** The 2,048 words of recovery phrases (BIP-39, English), in the order of the list. */
export const recoveryWordList: string[] = english

/** The same words. */
export const recoveryWords: ReadonlySet<string> = new Set(english)

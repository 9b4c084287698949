import type { Hex } from '@heirloom/core'
import type { WalletAct } from './perform.ts'
import { attemptsOf, type Sent } from './sender.ts'

/** The acts that a wallet sent, by the hash that their callers have. */
export type SentActs = {
  readonly add: (act: WalletAct, sent: Sent) => void
  readonly find: (hash: Hex) => SentAct | undefined
}

type SentAct = { readonly act: WalletAct; readonly sent: Sent }

/** The most acts that are stored; the oldest is dropped first. */
const mostActs = 10_000

/** Creates the list of the acts that a wallet sent. */
export function createSentActs(): SentActs {
  const acts = new Map<Hex, SentAct>()
  return {
    add: (act, sent) => {
      const [oldest] = acts.keys()
      if (acts.size >= mostActs && oldest !== undefined) acts.delete(oldest)
      for (const hash of attemptsOf(sent)) acts.set(hash, { act, sent })
    },
    find: (hash) => acts.get(hash),
  }
}

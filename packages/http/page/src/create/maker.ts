import type { Deployment } from '../../../src/client/responses.ts'

/** The maker of a memory, and so its creator: the wallet of the visitor, or that of the server. */
export type Maker = 'wallet' | 'server'

/** The maker of a memory, and the conditions of the server. */
export type Making = {
  readonly maker: Maker
  /** Whether the visitor may choose the maker. */
  readonly isChoice: boolean
  /** Whether the server wants an access key for it. */
  readonly needsKey: boolean
  /** Whether a wallet would need no access key. */
  readonly isOpenToWallets: boolean
}

type Place = {
  /** The deployment; an older server names no open acts. */
  readonly deployment: Partial<Pick<Deployment, 'origin' | 'openActs'>>
  /** Whether a wallet is connected that can reach the chain. */
  readonly hasWallet: boolean
  /** The origin of this page. */
  readonly origin: string
}

/** Decides who makes a memory, by what the server offers and what the visitor chose. */
export function decideMaking(chosen: Maker, { deployment, hasWallet, origin }: Place): Making {
  const { openActs } = deployment
  // A wallet signs for one server by its name; another name would be for another server.
  const isOffered = openActs !== undefined && deployment.origin === origin
  const isChoice = isOffered && hasWallet
  const maker = isChoice ? chosen : 'server'
  const act = maker === 'wallet' ? 'seal' : 'snapshot'
  return {
    maker,
    isChoice,
    needsKey: openActs !== undefined && !openActs.includes(act),
    isOpenToWallets: isOffered && openActs.includes('seal'),
  }
}

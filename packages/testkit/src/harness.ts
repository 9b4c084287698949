import { createHash } from 'node:crypto'
import type {
  Account,
  Catalogue,
  Digest,
  Hash,
  Hex,
  Instant,
  Ledger,
  MemoryService,
  TokenId,
  Wei,
} from '@heirloom/core'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** One wallet and all it can do on a shared chain. */
export type Party = {
  /** Signs and pays with this wallet. */
  readonly ledger: Ledger
  /** Signs a message with this wallet (EIP-191). */
  readonly sign: (message: string) => Promise<Hex>
  /** Hands a token of this wallet over outside the market, by a plain ERC-721 transfer. */
  readonly transfer: (tokenId: TokenId, to: Account) => Promise<void>
  /** Returns what the wallet holds, with all it ever paid for gas added back. */
  readonly balance: () => Promise<Wei>
}

/** A chain with a few wallets and a time that can be moved on. */
export type LedgerWorld = {
  /** Four wallets that share the chain, each with at least 1000 native tokens. */
  readonly parties: readonly Party[]
  /** A wallet that holds nothing, not even for gas. */
  readonly pauper: Party
  /**
   * Deploys a contract wallet (ERC-1271) that recognises a message when all the given parties
   * signed it, in the order of their addresses, one signature after the other.
   */
  readonly sharedWallet: (owners: readonly Party[]) => Promise<Account>
  /** Moves the world's clock and the chain's time on. */
  readonly wait: (milliseconds: number) => Promise<void>
  /** Returns the digest of the card that the chain tells of a token, by an event of its mint. */
  readonly cardOf: (tokenId: TokenId) => Promise<Digest | undefined>
  /** Returns the time of the world's clock; the chain's is within a few minutes of it. */
  readonly now: () => Instant
}

/** A chain whose parties each have a service over one shared store of sealed bundles. */
export type World = LedgerWorld & {
  /** At each index, the service that acts for the party at that index. */
  readonly services: readonly MemoryService[]
}

/** A chain that a catalogue follows. */
export type CatalogueWorld = LedgerWorld & {
  readonly catalogue: Catalogue
  /** Resolves once the catalogue tells all that the ledgers have written so far. */
  readonly caughtUp: () => Promise<void>
  /** Keeps the block of a card where the catalogue looks for it. */
  readonly keepCard: (block: Uint8Array) => Promise<Digest>
  /** Seals a memory for a creator where the catalogue looks for it; a token is still to be minted. */
  readonly seal: (
    creator: Account,
  ) => Promise<{ readonly contentHash: Hash; readonly digest: Digest }>
}

type Four<T> = readonly [T, T, T, T]

/** The private keys of the test wallets; each is the hash of a phrase, and worth nothing. */
export const walletKeys: Four<Hex> = [keyOf('ada'), keyOf('ben'), keyOf('cleo'), keyOf('dan')]

/** The private key of the wallet that holds nothing. */
export const pauperKey: Hex = keyOf('pauper')

/** The four test wallets, the same in every world. */
export const wallets: Four<PrivateKeyAccount> = [
  privateKeyToAccount(walletKeys[0]),
  privateKeyToAccount(walletKeys[1]),
  privateKeyToAccount(walletKeys[2]),
  privateKeyToAccount(walletKeys[3]),
]

/** The test wallet that no world may fund. */
export const pauperWallet: PrivateKeyAccount = privateKeyToAccount(pauperKey)

function keyOf(name: string): Hex {
  return `0x${createHash('sha256').update(`heirloom test wallet ${name}`).digest('hex')}`
}

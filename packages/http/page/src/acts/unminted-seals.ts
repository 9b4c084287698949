import { signal } from '@preact/signals'
import { parseOr } from '../text/parse-or.ts'

/** A memory that is sealed and stored for a wallet, which can mint its token until it expires. */
export type UnmintedSeal = {
  readonly contentHash: `0x${string}`
  /** The digest of the sealed block. */
  readonly digest: `0x${string}`
  /** The digest of the block of its card. */
  readonly card?: `0x${string}`
  readonly parent: string
  /** The wallet that it is sealed for: the only one whose token opens. */
  readonly creator: `0x${string}`
  readonly chainId: number
  readonly registry: `0x${string}`
  /** The time by which a block must contain the mint, in milliseconds. */
  readonly expiresAt: number
  /** A name for the visitor: the public title, or the name of the file. */
  readonly name: string
}

/** A token that a wallet minted. */
export type OwnMint = {
  readonly tokenId: string
  readonly contentHash: string
  readonly txHash: string
}

const storageKey = 'heirloom.sealed'

/** The memories that wallets of this browser can still mint; it survives a reload. */
export const unmintedSeals = signal<readonly UnmintedSeal[]>(read())

/** The token that a wallet has minted last; `undefined` when it is no longer shown. */
export const lastMint = signal<OwnMint | undefined>(undefined)

function read(): readonly UnmintedSeal[] {
  const stored = parseOr<readonly UnmintedSeal[]>(localStorage.getItem(storageKey), [])
  return stored.filter(({ expiresAt }) => expiresAt > Date.now())
}

/** Whether the browser lets this page store something; without it the list ends with the page. */
let isStored = true

function store(seals: readonly UnmintedSeal[]): void {
  unmintedSeals.value = seals
  try {
    localStorage.setItem(storageKey, JSON.stringify(seals))
  } catch {
    isStored = false
  }
}

// Another tab may have changed the stored list.
const current = () => (isStored ? read() : unmintedSeals.peek())

/** Stores a sealed memory until it is minted or expires. */
export function storeUnminted(seal: UnmintedSeal): void {
  store([seal, ...current()])
}

/** Removes a sealed memory from the list. */
export function forgetUnminted(contentHash: string): void {
  store(current().filter((it) => it.contentHash !== contentHash))
}

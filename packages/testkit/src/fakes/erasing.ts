import {
  type Digest,
  type Erasures,
  erase,
  type Holdings,
  type Instant,
  type Ports,
  type TokenId,
  tokenId,
  toSeconds,
} from '@heirloom/core'
import type { LedgerHarness, Party, ServiceHarness } from '../harness.ts'

/** Creates erasures in memory. */
export function memoryErasures(): Erasures {
  const erased = new Map<Digest, Instant>()
  return {
    find: (digest) => erased.get(digest),
    add: async (digests, at) => {
      for (const digest of digests) if (!erased.has(digest)) erased.set(digest, at)
    },
  }
}

/** The store and the cipher of services, and what was erased there. */
export type ErasablePorts = Pick<Ports, 'blobStore' | 'cipher'> & { readonly erasures: Erasures }

/** Returns the parts of `erase` on a harness, whose chain it reads token by token. */
export function erasePartsOver(harness: LedgerHarness, ports: ErasablePorts): erase.Parts {
  const [first] = harness.parties
  if (first === undefined) throw new Error('A harness has parties.')
  const forget = async (digest: Digest) => {
    await ports.blobStore.remove(digest)
    return true
  }
  const clock = { now: harness.now }
  return { ...ports, clock, ledger: first.ledger, holdings: holdingsOf(harness, first), forget }
}

/** Returns the erasing of memories for the parties of a harness, which sign for it. */
export function erasingOver(harness: LedgerHarness, ports: ErasablePorts): ServiceHarness['erase'] {
  const parts = erasePartsOver(harness, ports)
  return async (owner, id, signer = owner) => {
    const { agent: account } = owner.ledger
    const timestamp = toSeconds(harness.now())
    const message = `heirloom:erase:here:${id}:${account}:${timestamp}`
    const proof = { timestamp, message, signature: await signer.sign(message) }
    await erase(parts, { tokenId: id, account, proof })
  }
}

/** Returns what a harness holds, read from its chain token by token. */
function holdingsOf({ parties }: LedgerHarness, { ledger }: Party): Holdings {
  return {
    tokensOf: async ({ digest }) => {
      const found: TokenId[] = []
      for (let id = tokenId(1n); ; id = tokenId(id + 1n)) {
        const record = await ledger.provenance(id)
        if (record === undefined) return found
        if (record.digest === digest) found.push(id)
      }
    },
    rentalsOf: async (id, after) => {
      const all = parties.map(async ({ ledger: { agent: renter } }) => {
        const expiresAt = (await ledger.access(id, renter))?.expiresAt
        const isRunning = expiresAt !== undefined && expiresAt > after
        return isRunning ? [{ tokenId: id, renter, expiresAt }] : []
      })
      return (await Promise.all(all)).flat()
    },
  }
}

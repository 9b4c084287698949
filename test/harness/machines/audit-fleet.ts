import { createPublicClient, http } from 'viem'
import {
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../../packages/adapters/src/ledger/contracts.generated.ts'
import type { Anvil } from '../chain/anvil.ts'
import { downloadAs } from '../process/server.ts'
import { findLost } from '../process/three-machines.ts'
import type { CountedLoad, Memory } from './counted-load.ts'
import type { Fleet } from './fleet.ts'

/** The report of the chain and the servers on what was acknowledged. */
export type FleetAudit = {
  /** Acknowledged writes that the chain does not have. */
  readonly lost: readonly string[]
  /** Writes that the chain has and nobody acknowledged, or has twice. */
  readonly doubled: readonly string[]
  /** Memories that a server does not return byte for byte, once for each server. */
  readonly unreadable: readonly string[]
  /** Requests with a key that were answered otherwise when they were repeated. */
  readonly changed: readonly string[]
}

type Acknowledged = Pick<CountedLoad, 'memories' | 'royalties'> & {
  /** The documents that may have been made, once each, although nobody was told. */
  readonly unanswered?: readonly string[]
}

/** Compares what was acknowledged with the chain, and with what each server returns now. */
export async function auditFleet(
  fleet: Fleet,
  anvil: Pick<Anvil, 'url'>,
  { memories, royalties, unanswered = [] }: Acknowledged,
): Promise<FleetAudit> {
  const { minted, paid } = await readChain(fleet, anvil)
  const acknowledged = memories.map(({ tokenId }) => tokenId)
  const { servers } = fleet
  const unreadable = await Promise.all(servers.map((it) => findLost(fleet, it, memories)))
  const changed = await Promise.all(servers.map(({ url }) => findChanged(url, memories)))
  return {
    lost: [...missingFrom(minted, acknowledged), ...missingFrom(paid, royalties)],
    doubled: [
      ...(await withoutOne(fleet, unanswered, missingFrom(acknowledged, minted))),
      ...missingFrom(royalties, paid),
    ],
    unreadable: unreadable.flat(),
    changed: changed.flat(),
  }
}

/** Returns the tokens of the chain: those that were minted, and those that a royalty was paid to. */
async function readChain(
  { contracts: { registry, marketplace } }: Fleet,
  { url }: Pick<Anvil, 'url'>,
) {
  const client = createPublicClient({ transport: http(url.href) })
  const range = { fromBlock: 0n, toBlock: 'latest', strict: true } as const
  const [minted, paid] = await Promise.all([
    client.getContractEvents({
      ...range,
      address: registry,
      abi: memoryRegistryAbi,
      eventName: 'Minted',
    }),
    client.getContractEvents({
      ...range,
      address: marketplace,
      abi: memoryMarketplaceAbi,
      eventName: 'RoyaltyPaid',
    }),
  ])
  const tokenOf = ({ args }: { readonly args: { readonly tokenId: bigint } }) =>
    String(args.tokenId)
  return { minted: minted.map(tokenOf), paid: paid.map(tokenOf) }
}

/** Returns the members of a list that another list lacks, each as often as it is lacking. */
function missingFrom(other: readonly string[], list: readonly string[]): readonly string[] {
  const left = new Map<string, number>()
  for (const it of other) left.set(it, (left.get(it) ?? 0) + 1)
  return list.filter((it) => {
    const count = left.get(it) ?? 0
    left.set(it, count - 1)
    return count <= 0
  })
}

/** Returns the tokens that are not the only one of a document. */
async function withoutOne(
  { owner, servers: [server] }: Fleet,
  documents: readonly string[],
  tokens: readonly string[],
): Promise<readonly string[]> {
  const left = new Set(documents)
  const others: string[] = []
  for (const tokenId of tokens) {
    const response = await downloadAs(owner, server?.url ?? '', tokenId)
    if (!left.delete(await response.text())) others.push(tokenId)
  }
  return others
}

/** Repeats requests that had a key, and returns those that are not answered as they were. */
async function findChanged(url: string, memories: readonly Memory[]): Promise<readonly string[]> {
  const changed: string[] = []
  for (const { key, document: body, txHash, tokenId } of memories) {
    if (key === undefined) continue
    const headers = { 'content-type': 'application/json', 'idempotency-key': `"${key}"` }
    const response = await fetch(`${url}/api/memory/snapshot`, { method: 'POST', headers, body })
    const again = (await response.json()) as Partial<Memory>
    if (again.txHash !== txHash) changed.push(`${tokenId}: ${JSON.stringify(again)}`)
  }
  return changed
}

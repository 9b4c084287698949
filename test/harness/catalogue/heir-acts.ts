import { type Abi, type Address, isAddressEqual, zeroAddress } from 'viem'
import type { Market, MarketAct } from './acts.ts'

const kinds = ['name heir', 'heartbeat', 'announce', 'take over'] as const
type HeirAct = MarketAct & { readonly kind: (typeof kinds)[number] }

/** Returns whether an act is one of an account for its heir, or as an heir. */
export const isHeirAct = (act: MarketAct): act is HeirAct => kinds.some((kind) => kind === act.kind)

/** The silence and the notice of every plan, in days. */
const silence = 30

/**
 * Performs an act of an account for its heir, or as an heir; one that comes too early, or that somebody
 * else could make, is reverted. Before an announcement and a takeover their time often passes. A
 * takeover is announced in the same act.
 */
export async function performHeirAct(market: Market, { kind, numbers }: HeirAct): Promise<void> {
  const { at, client, parties, send } = market
  const [first, second, third] = numbers
  const account = parties[first % parties.length] ?? zeroAddress
  const registry = { to: at.registry.address, abi: at.registry.abi as Abi }
  if (kind === 'heartbeat') return send(account, { ...registry, functionName: kind, args: [] })
  if (kind === 'name heir') {
    const heir = parties[second % (parties.length + 1)]
    const args =
      heir === undefined ? [zeroAddress, 0n, 0n] : [heir, BigInt(silence), BigInt(silence)]
    return send(account, { ...registry, functionName: 'nameHeir', args })
  }
  const call = { ...at.registry, functionName: 'heirOf', args: [account] } as const
  const [heir] = await client.readContract(call)
  if (heir === zeroAddress) return
  const pass = async () => {
    if (third % 3 > 0) await market.ask('evm_increaseTime', (silence + 1) * 86_400)
  }
  await pass()
  await send(heir, { ...registry, functionName: 'announceTakeover', args: [account] })
  if (kind === 'announce') return
  // In one act, because almost every other act of the account is a sign of life.
  await market.mine()
  await pass()
  const args = [account, await tokensOf(market, account)]
  await send(heir, { ...registry, functionName: 'takeOver', args })
}

/** Returns the newest tokens of an account, at most three. */
async function tokensOf({ at, client }: Market, owner: Address): Promise<readonly bigint[]> {
  const supply = await client.readContract({ ...at.registry, functionName: 'totalSupply' })
  const found: bigint[] = []
  for (let id = supply; id > 0n && found.length < 3; id--) {
    const call = { ...at.registry, functionName: 'ownerOf', args: [id] } as const
    if (isAddressEqual(await client.readContract(call), owner)) found.push(id)
  }
  return found
}

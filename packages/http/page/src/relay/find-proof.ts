import { type Abi, decodeEventLog, type Hex } from 'viem'
import {
  erc3009Abi,
  forwarderAbi,
  memoryMarketplaceAbi,
} from '../../../../adapters/src/ledger/contracts.generated.ts'
import type { Log } from '../acts/receipt-log.ts'
import { readView } from '../chain/read-view.ts'
import { isSameAccount } from '../text/account.ts'
import type { Provider } from '../wallet/provider.ts'
import type { ActProof } from './signed-act.ts'

type Contracts = { readonly marketplace: Hex; readonly forwarder: Hex }

/**
 * Returns whether the logs of a receipt show that a signed act was carried out. A server may name any
 * transaction.
 */
export function provesAct(
  logs: readonly Log[],
  proof: ActProof,
  { marketplace, forwarder }: Contracts,
): boolean {
  if (proof.kind === 'order') {
    const events = eventsOf(logs, marketplace, memoryMarketplaceAbi)
    return events.some(({ name, args }) => isOrderEvent(name) && args.orderHash === proof.orderHash)
  }
  return eventsOf(logs, forwarder, forwarderAbi).some(
    ({ name, args }) =>
      name === 'ExecutedForwardRequest' &&
      isSameAccount(String(args.signer), proof.signer) &&
      args.nonce === BigInt(proof.nonce) &&
      args.success === true,
  )
}

/** The events of an order that was carried out; a refund has its hash too. */
const orderEvents = [
  'SoldForDollars',
  'RentedForDollars',
  'ForkedForDollars',
  'RoyaltyPaidInDollars',
]

const isOrderEvent = (name: string | undefined) => name !== undefined && orderEvents.includes(name)

type Decoded = {
  readonly name: string | undefined
  readonly args: Readonly<Record<string, unknown>>
}

function eventsOf(logs: readonly Log[], contract: Hex, abi: Abi): readonly Decoded[] {
  return logs.flatMap(({ address, topics, data }) => {
    if (!isSameAccount(address, contract)) return []
    try {
      const event = decodeEventLog({ abi, topics: topics as [Hex, ...Hex[]], data })
      const args = (event.args ?? {}) as unknown as Decoded['args']
      return [{ name: event.eventName, args }]
    } catch {
      return []
    }
  })
}

/** Returns whether the chain shows that what was signed is used up, whatever a server says of it. */
export async function isUsedUp(
  provider: Provider,
  proof: ActProof,
  { forwarder }: Pick<Contracts, 'forwarder'>,
): Promise<boolean> {
  if (proof.kind === 'order') {
    const { asset: address, payer, orderHash } = proof
    const args = [payer, orderHash]
    return readView(provider, {
      address,
      abi: erc3009Abi,
      functionName: 'authorizationState',
      args,
    })
  }
  const args = [proof.signer]
  const next = { address: forwarder, abi: forwarderAbi, functionName: 'nonces', args }
  return (await readView<bigint>(provider, next)) > BigInt(proof.nonce)
}

import { nobody } from '@heirloom/core'
import {
  type ContractEventName,
  getAddress,
  type Hex,
  parseEventLogs,
  type TransactionReceipt,
} from 'viem'
import type { ContractPair } from '../contract-pair.ts'
import { memoryMarketplaceAbi, memoryRegistryAbi } from '../contracts.generated.ts'
import type { Act, ActKind } from './encode-act.ts'

const abi = [...memoryRegistryAbi, ...memoryMarketplaceAbi]

type Logs = TransactionReceipt['logs']

type EventName = ContractEventName<typeof abi>

/** The values of an event that belong to one act alone. */
type Facts = Readonly<Record<string, Hex | bigint>>

/** The event of an act that succeeds: its possible names, and the values that only this act has. */
type Trace = { readonly names: readonly EventName[]; readonly facts: Facts }

type Traces = { readonly [kind in ActKind]?: (act: Extract<Act, { kind: kind }>, by: Hex) => Trace }

const traces: Traces = {
  mint: ({ contentHash, digest }, creator) => ({
    names: ['Minted'],
    facts: { creator, contentHash, digest },
  }),
  list: ({ tokenId }) => ({ names: ['Listed', 'ListedInDollars'], facts: { tokenId } }),
  buy: ({ tokenId }, buyer) => ({ names: ['Sold'], facts: { tokenId, buyer } }),
  rent: ({ tokenId, recipient: renter }, payer) => ({
    names: ['Rented'],
    facts: { tokenId, renter, payer },
  }),
  fork: ({ tokenId: parent }, forker) => ({ names: ['Forked'], facts: { parent, forker } }),
  payRoyalty: ({ tokenId }, from) => ({ names: ['RoyaltyPaid'], facts: { tokenId, from } }),
  transfer: ({ tokenId, from, to }) => ({ names: ['Transfer'], facts: { tokenId, from, to } }),
  withdraw: (_, account) => ({ names: ['Withdrawn'], facts: { account } }),
  withdrawDollars: (_, account) => ({ names: ['DollarsWithdrawn'], facts: { account } }),
  nameHeir: ({ heir = nobody }, account) => ({ names: ['HeirNamed'], facts: { account, heir } }),
  heartbeat: (_, account) => ({ names: ['Heartbeat'], facts: { account } }),
  announceTakeover: ({ account }, heir) => ({
    names: ['TakeoverAnnounced'],
    facts: { account, heir },
  }),
  takeOver: ({ account }, heir) => ({ names: ['TakenOver'], facts: { account, heir } }),
  takeOverCredit: ({ account }, heir) => ({
    names: ['CreditTakenOver'],
    facts: { account, heir },
  }),
}

/**
 * Returns the events of an act among those of its transaction; `undefined` if the act did not happen.
 * The transaction of a contract wallet may succeed while the act in it fails, and an entry point
 * (ERC-4337) carries out the acts of many wallets in one transaction.
 */
export function logsOfAct(
  { registry, marketplace }: ContractPair,
  { act, by, logs }: { readonly act: Act; readonly by: Hex; readonly logs: Logs },
): Logs | undefined {
  const isOurs = ({ address }: Logs[number]) =>
    [registry, marketplace].some((it) => getAddress(it) === getAddress(address))
  const ours = parseEventLogs({ abi, logs: logs.filter(isOurs) })
  const trace = traceOf(act, by)
  const found = trace === undefined ? ours : ours.filter((it) => isTraceOf(trace, it))
  return found.length === 0 ? undefined : found
}

function traceOf<kind extends ActKind>(
  act: Extract<Act, { kind: kind }>,
  by: Hex,
): Trace | undefined {
  const trace: ((act: Extract<Act, { kind: kind }>, by: Hex) => Trace) | undefined =
    traces[act.kind as kind]
  return trace?.(act, by)
}

type Event = { readonly eventName: string; readonly args: unknown }

function isTraceOf({ names, facts }: Trace, { eventName, args }: Event): boolean {
  const found = args as Readonly<Record<string, unknown>>
  const isSame = ([name, expected]: readonly [string, Hex | bigint]) =>
    String(found[name]).toLowerCase() === String(expected).toLowerCase()
  return (names as readonly string[]).includes(eventName) && Object.entries(facts).every(isSame)
}

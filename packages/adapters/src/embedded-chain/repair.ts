import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Hex, isAddressEqual, parseTransaction } from 'viem'
import {
  latestBlock,
  readVoidEntry,
  setNextTimestamp,
  type VoidEntry,
  voidEntry,
  voidRequests,
} from './block.ts'
import { type Evm, openEvm } from './evm.ts'
import { type Entry, type Journal, journalFile, openJournal } from './journal.ts'
import type { ForeignCodeOf } from './public-rpc/bounded-call.ts'
import { readTransaction } from './public-rpc/bounded-call.ts'
import { RpcError } from './public-rpc/rpc-error.ts'

/** A transaction of an outside client that may take much time and memory at every start. */
export type CostlyEntry = VoidEntry & { readonly entry: number; readonly gas: bigint }

/** The number of entries in a journal, and the costly ones among them. */
export type ChainSurvey = { readonly entries: number; readonly costly: readonly CostlyEntry[] }

/** The result of a repair, or of its rehearsal. */
export type ChainRepair = {
  readonly entries: number
  readonly removed: readonly CostlyEntry[]
  /** The entries of transactions that depended on removed ones and were rejected without them. */
  readonly refused: readonly number[]
  /** The time that the remaining entries took to execute, in milliseconds. */
  readonly took: number
  /** The file name of the copy of the old journal; absent when nothing was written. */
  readonly backup: string | undefined
}

/** The journal to read, and the transactions that count as costly. */
export type SurveyOptions = {
  /** The folder of the embedded chain, which holds the journal. */
  readonly folder: string
  /** The account whose transactions are never removed. */
  readonly agent: Hex
  /** The gas limit above which a transaction of an outside client is costly. */
  readonly above: bigint
  /** The entry from which every transaction of outside clients counts as costly. */
  readonly from?: number | undefined
  /** Finds the code of strangers in a transaction. */
  readonly foreignCodeOf: ForeignCodeOf
}

/**
 * Lists the costly transactions of a journal without executing any.
 *
 * @throws `folder/in-use`, `folder/unusable`
 */
export async function surveyChain(options: SurveyOptions): Promise<ChainSurvey> {
  const journal = openExisting(options.folder)
  try {
    return { entries: journal.last(), costly: await costlyEntries(journal, options) }
  } finally {
    journal.close()
  }
}

/**
 * Executes a journal without its costly transactions. An empty block replaces each of them, so that
 * all other block numbers stay the same. With `write`, copies the journal and then rewrites it.
 *
 * @throws `folder/in-use`, `folder/unusable`
 */
export async function repairChain(
  options: SurveyOptions & { readonly write: boolean },
): Promise<ChainRepair> {
  const { folder, write } = options
  const journal = openExisting(folder)
  try {
    const removed = await costlyEntries(journal, options)
    const began = performance.now()
    const { entries, refused, head } = await rebuild(journal, removed)
    const took = Math.round(performance.now() - began)
    const isChanged = removed.length + refused.length > 0
    const backup = write && isChanged ? backUp(journal, folder) : undefined
    if (backup !== undefined) journal.replace(entries, head)
    return { entries: journal.last(), removed, refused, took, backup }
  } finally {
    journal.close()
  }
}

/**
 * Returns the first signed transaction of a journal, which deploys the contracts.
 *
 * @throws `folder/in-use`, `folder/unusable`
 */
export function firstTransaction(folder: string): Hex | undefined {
  const journal = openExisting(folder)
  try {
    return journal.entry(1)?.raw
  } finally {
    journal.close()
  }
}

const openExisting = (folder: string): Journal => openJournal({ folder, genesis: undefined })

async function costlyEntries(
  journal: Journal,
  options: SurveyOptions,
): Promise<readonly CostlyEntry[]> {
  const costly: CostlyEntry[] = []
  for (const { number, raw } of allEntries(journal)) {
    if (!mayBeCostly(raw, number, options)) continue
    const { sender, gas } = await readTransaction(raw)
    const { nonce = 0 } = parseTransaction(raw)
    if (!isAddressEqual(sender, options.agent)) costly.push({ entry: number, sender, nonce, gas })
  }
  return costly
}

function mayBeCostly(raw: Hex, number: number, options: SurveyOptions): boolean {
  if (readVoidEntry(raw) !== undefined) return false
  if (number >= (options.from ?? Number.POSITIVE_INFINITY)) return true
  const { gas = 0n, to, data = '0x' } = parseTransaction(raw)
  const foreign = options.foreignCodeOf({ to: to ?? undefined, data })
  return (
    foreign !== undefined && gas > options.above && gas > (foreign.mostGas ?? foreign.gas ?? 0n)
  )
}

function* allEntries(journal: Journal): Generator<Entry> {
  for (let first = 1; first <= journal.last(); first += 500) yield* journal.entries(first, 500)
}

/** Executes the journal without the removed entries, in an EVM of its own. */
async function rebuild(journal: Journal, removed: readonly CostlyEntry[]) {
  const voided = new Map(removed.map((it) => [it.entry, voidEntry(it)]))
  const evm = await openEvm(journal.genesis)
  try {
    const [entries, refused]: [Entry[], number[]] = [[], []]
    let parent = await latestBlock(evm)
    for (const { number, timestamp, raw: before } of allEntries(journal)) {
      const planned = voided.get(number) ?? before
      await setNextTimestamp(evm, timestamp)
      const raw = (await tryToMine(evm, planned)) ? planned : await mineVoidBlock(evm, planned)
      if (raw !== planned) refused.push(number)
      entries.push({ number, parent: parent.hash, timestamp, raw })
      parent = await latestBlock(evm)
    }
    return { entries, refused, head: parent }
  } finally {
    await evm.close()
  }
}

async function tryToMine(evm: Evm, raw: Hex): Promise<boolean> {
  const voided = readVoidEntry(raw)
  const sending = { method: 'eth_sendRawTransaction', params: [raw] }
  const requests = voided === undefined ? [sending] : voidRequests(voided)
  return evm.requestAll(requests).then(
    () => true,
    (error: unknown) => {
      if (error instanceof RpcError) return false
      throw error
    },
  )
}

/** Mines an empty block instead of a rejected transaction, and returns its entry. */
async function mineVoidBlock(evm: Evm, raw: Hex): Promise<Hex> {
  const { sender } = await readTransaction(raw)
  const params = [sender, 'latest']
  const count = Number(await evm.request({ method: 'eth_getTransactionCount', params }))
  // The account's nonce must not change, and `voidRequests` sets it to this nonce plus one.
  const entry = { sender, nonce: count - 1 }
  await evm.requestAll(voidRequests(entry))
  return voidEntry(entry)
}

function backUp(journal: Journal, folder: string): string {
  journal.flush()
  const name = `${journalFile}.before-repair-${Date.now()}`
  copyFileSync(join(folder, journalFile), join(folder, name))
  return name
}

import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Hex, isAddressEqual, parseTransaction } from 'viem'
import { latestBlock, setNextTimestamp } from './block.ts'
import { type Evm, openEvm } from './evm.ts'
import { type Entry, type Journal, journalFile, openJournal } from './journal.ts'
import { RpcError } from './public-rpc/rpc-error.ts'
import type { RunsOwnCode } from './public-rpc/bounded-call.ts'
import { readTransaction } from './public-rpc/public-transaction.ts'
import { readVoidEntry, type VoidEntry, voidEntry, voidRequests } from './void-entry.ts'

/** A stranger's transaction that may take much time and memory at every start. */
export type CostlyEntry = VoidEntry & { readonly entry: number; readonly gas: bigint }

/** What a journal holds. */
export type ChainSurvey = { readonly entries: number; readonly costly: readonly CostlyEntry[] }

/** What a repair takes out of a journal. */
export type ChainRepair = {
  readonly entries: number
  readonly removed: readonly CostlyEntry[]
  /** Transactions that cannot be carried out without those, by their entries. */
  readonly refused: readonly number[]
  /** How long the rest took to execute, in milliseconds. */
  readonly took: number
  /** The copy of the journal as it was; absent where nothing was written. */
  readonly backup: string | undefined
}

/** Which journal is read, and which of its transactions count as costly. */
export type SurveyOptions = {
  /** The folder of the embedded chain, which holds the journal. */
  readonly folder: string
  /** The account whose transactions are never taken out. */
  readonly agent: Hex
  /** The gas limit above which a stranger's transaction is costly. */
  readonly above: bigint
  /** The entry from which on every transaction of strangers counts as costly. */
  readonly from?: number | undefined
  /** Whether a transaction runs code that a stranger brought. */
  readonly runsOwnCode: RunsOwnCode
}

/**
 * Lists the costly transactions of a journal, without executing any.
 *
 * @throws `folder/in-use`, `folder/unusable`
 */
export async function surveyChain(options: SurveyOptions): Promise<ChainSurvey> {
  const journal = existing(options.folder)
  try {
    return { entries: journal.last(), costly: await costlyIn(journal, options) }
  } finally {
    journal.close()
  }
}

/**
 * Executes a journal without its costly transactions: an empty block stands in the place of each,
 * so that the numbers of all others stay. With `write`, the journal becomes that one, after it was
 * copied.
 *
 * @throws `folder/in-use`, `folder/unusable`
 */
export async function repairChain(
  options: SurveyOptions & { readonly write: boolean },
): Promise<ChainRepair> {
  const { folder, write } = options
  const journal = existing(folder)
  try {
    const removed = await costlyIn(journal, options)
    const began = performance.now()
    const { entries, refused, head } = await rebuilt(journal, removed)
    const took = Math.round(performance.now() - began)
    const isChanged = removed.length + refused.length > 0
    const backup = write && isChanged ? backupOf(journal, folder) : undefined
    if (backup !== undefined) journal.replace(entries, head)
    return { entries: journal.last(), removed, refused, took, backup }
  } finally {
    journal.close()
  }
}

/**
 * Returns the first transaction of a journal, signed, which deploys the contracts.
 *
 * @throws `folder/in-use`, `folder/unusable`
 */
export function firstTransaction(folder: string): Hex | undefined {
  const journal = existing(folder)
  try {
    return journal.entry(1)?.raw
  } finally {
    journal.close()
  }
}

const existing = (folder: string): Journal => openJournal({ folder, genesis: undefined })

async function costlyIn(journal: Journal, options: SurveyOptions): Promise<readonly CostlyEntry[]> {
  const costly: CostlyEntry[] = []
  for (const { number, raw } of all(journal)) {
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
  return gas > options.above && !options.runsOwnCode({ to: to ?? undefined, data })
}

function* all(journal: Journal): Generator<Entry> {
  for (let first = 1; first <= journal.last(); first += 500) yield* journal.entries(first, 500)
}

/** Executes the journal without some of its entries in an EVM of its own. */
async function rebuilt(journal: Journal, removed: readonly CostlyEntry[]) {
  const without = new Map(removed.map((it) => [it.entry, voidEntry(it)]))
  const evm = await openEvm(journal.genesis)
  try {
    const [entries, refused]: [Entry[], number[]] = [[], []]
    let parent = await latestBlock(evm)
    for (const { number, timestamp, raw: before } of all(journal)) {
      const planned = without.get(number) ?? before
      await setNextTimestamp(evm, timestamp)
      const raw = (await isMined(evm, planned)) ? planned : await mineNothing(evm, planned)
      if (raw !== planned) refused.push(number)
      entries.push({ number, parent: parent.hash, timestamp, raw })
      parent = await latestBlock(evm)
    }
    return { entries, refused, head: parent }
  } finally {
    await evm.close()
  }
}

async function isMined(evm: Evm, raw: Hex): Promise<boolean> {
  const empty = readVoidEntry(raw)
  const sending = { method: 'eth_sendRawTransaction', params: [raw] }
  const requests = empty === undefined ? [sending] : voidRequests(empty)
  return evm.requestAll(requests).then(
    () => true,
    (error: unknown) => {
      if (error instanceof RpcError) return false
      throw error
    },
  )
}

/** Mines an empty block in the place of a transaction that is refused, and returns its entry. */
async function mineNothing(evm: Evm, raw: Hex): Promise<Hex> {
  const { sender } = await readTransaction(raw)
  const params = [sender, 'latest']
  const count = Number(await evm.request({ method: 'eth_getTransactionCount', params }))
  // The count stays as it is: one less than the next.
  const entry = { sender, nonce: count - 1 }
  await evm.requestAll(voidRequests(entry))
  return voidEntry(entry)
}

function backupOf(journal: Journal, folder: string): string {
  journal.flush()
  const name = `${journalFile}.before-repair-${Date.now()}`
  copyFileSync(join(folder, journalFile), join(folder, name))
  return name
}

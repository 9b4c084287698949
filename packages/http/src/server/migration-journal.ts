import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '@heirloom/adapters/internal/data-folder'
import type { SignedBatch } from '@heirloom/adapters/internal/migration'
import {
  type Account,
  advance,
  courseOf,
  type Digest,
  Failure,
  type HeirPlan,
  type MigratingToken,
  type MigrationOutcome,
  type MigrationProgress,
  type MigrationStep,
  noProgress,
  type Registry,
  type TokenId,
} from '@heirloom/core'
import { decodeBigints, encodeBigints } from '../api/bigint-json.ts'

/** The block at which the old registry is read, and its time in seconds. */
export type CutOff = { readonly block: bigint; readonly hash: string; readonly at: number }

/** An arrangement of an owner in the old registry that does not hold in the new one. */
export type NamedHeir = Pick<HeirPlan, 'account' | 'heir' | 'silenceDays' | 'noticeDays'>

/** The beginning of a round: what was found at its cut-off. */
export type Round = {
  readonly kind: 'round'
  readonly from: Registry
  readonly to: Registry
  readonly cutOff: CutOff
  readonly tokens: readonly MigratingToken[]
  /** The tokens that were there before, and their new ids. */
  readonly moved: readonly (readonly [TokenId, TokenId])[]
  readonly lostRentals: number
  /** The ratings of the old server, each of a payment there; absent in journals of before. */
  readonly lostRatings?: number
  /** The accounts whose keys are here. */
  readonly signers: readonly Account[]
  /** The listings that are carried over, of those whose owners' keys are here. */
  readonly listings: 'all' | 'native' | 'none'
  /** The owners who named heirs in the old registry; absent in journals of before. */
  readonly heirs?: readonly NamedHeir[]
}

/** A transaction that was signed, and the blobs that its mints refer to. */
export type SentStep = SignedBatch & {
  readonly kind: 'sent'
  readonly step: MigrationStep
  readonly digests: readonly Digest[]
}

/** The end of the transaction that was signed last. */
export type EndedStep = Pick<SentStep, 'txHash'> & { readonly kind: 'ended' } & (
    | { readonly outcome: 'done'; readonly ids: readonly TokenId[] }
    | { readonly outcome: 'failed' }
  )

/** A step that needed no transaction. */
export type NotedStep = { readonly kind: 'noted'; readonly step: MigrationStep }

/** The end of a round: nothing of its plan is left to do. */
export type RoundEnd = { readonly kind: 'finished' }

/** A line of the journal of a migration. */
export type JournalLine = Round | SentStep | EndedStep | NotedStep | RoundEnd

/** The state that the lines of a journal add up to. */
export type MigrationState = {
  /** The latest round; `undefined` before the first. */
  readonly round: Round | undefined
  readonly isFinished: boolean
  /** The part of the round that is done. */
  readonly progress: MigrationProgress
  /** The transaction whose end is not known. */
  readonly pending: SentStep | undefined
  /** The transactions that failed since the last that succeeded. */
  readonly failures: number
  /** The tokens of the new registry whose memories were withdrawn, because their set-up failed. */
  readonly abandoned: ReadonlySet<TokenId>
}

const start: MigrationState = {
  round: undefined,
  isFinished: true,
  progress: noProgress,
  pending: undefined,
  failures: 0,
  abandoned: new Set(),
}

/** Returns what the lines of a journal say. */
export const stateOf = (lines: readonly JournalLine[]): MigrationState =>
  lines.reduce(addLine, start)

/** Returns the state after one more line. */
export function addLine(state: MigrationState, line: JournalLine): MigrationState {
  switch (line.kind) {
    case 'round': {
      const progress = { ...noProgress, moved: new Map(line.moved) }
      return { ...start, abandoned: state.abandoned, round: line, isFinished: false, progress }
    }
    case 'sent':
      return { ...state, pending: line }
    case 'ended':
      return endStep(state, line)
    case 'noted':
      return {
        ...state,
        progress: progressAfter(state, { kind: 'done', step: line.step, ids: [] }),
      }
    case 'finished':
      return { ...state, isFinished: true }
  }
}

function endStep(state: MigrationState, line: EndedStep): MigrationState {
  const { pending, failures } = state
  if (pending?.txHash !== line.txHash) return state
  const { step } = pending
  const isDone = line.outcome === 'done'
  const outcome: MigrationOutcome = isDone
    ? { kind: 'done', step, ids: line.ids }
    : { kind: 'failed', step }
  const progress = progressAfter(state, outcome)
  const gone = [...state.progress.moved].filter(([old]) => !progress.moved.has(old))
  const abandoned = new Set([...state.abandoned, ...gone.map(([, id]) => id)])
  const counted = isDone ? 0 : failures + 1
  return { ...state, progress, abandoned, pending: undefined, failures: counted }
}

const progressAfter = ({ round, progress }: MigrationState, outcome: MigrationOutcome) =>
  advance(courseOf(round?.tokens ?? []), progress, outcome)

/** The journal of a migration, in the data folder of the new server. */
export type Journal = {
  readonly state: () => MigrationState
  /** Appends a line durably. */
  readonly append: (line: JournalLine) => void
}

/** The file in a data folder that holds the journal of the migration to it. */
export const migrationFile = 'migration.jsonl'

/**
 * Reads the journal in a folder. A last line that was not written to its end is ignored.
 *
 * @throws `config/invalid` when it is damaged
 */
export function openJournal(folder: string): Journal {
  const path = join(folder, migrationFile)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  const initial = stateOf(parseLines(path, whole))
  let state = initial
  return {
    state: () => state,
    append: (line) => {
      if (!existsSync(path)) replaceFile(path, '')
      // What a crash left of a line would spoil the next one.
      if (whole.length < text.length && state === initial) {
        truncateSync(path, Buffer.byteLength(whole))
      }
      appendFileSync(path, `${JSON.stringify(line, encodeBigints)}\n`, { flush: true })
      state = addLine(state, line)
    },
  }
}

function parseLines(path: string, text: string): readonly JournalLine[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line, index) => {
    try {
      return JSON.parse(line, decodeBigints) as JournalLine
    } catch {
      const problem = `is damaged in line ${index + 1}; restore it from a backup`
      throw new Failure('config/invalid', { name: path, problem })
    }
  })
}

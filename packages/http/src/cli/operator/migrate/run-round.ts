import {
  type MigrationChain,
  pairReader,
  readNonces,
  sendBatch,
  signBatch,
} from '@heirloom/adapters/internal/migration'
import {
  courseOf,
  Failure,
  type MigratingToken,
  type MigrationCourse,
  type MigrationStep,
  nextStep,
  planMigration,
  sameAccount,
  sourceIn,
  type TokenId,
  tokensMintedBy,
} from '@heirloom/core'
import type { Journal, Round, SentStep } from '../../../server/migration-journal.ts'
import { findThere } from './find-there.ts'
import { removeVersion } from './reseal-memory.ts'
import { stepCalls as callsOf, newParent, type stepCalls, tokenIn } from './step-calls.ts'

/** The parts that a migration works with. */
export type Migration = Omit<stepCalls.Input, 'course' | 'progress'> & {
  readonly journal: Journal
  readonly chain: MigrationChain
  /** Returns those tokens whose owner is no longer the one of the cut-off. */
  readonly transferred: (tokens: readonly MigratingToken[]) => Promise<readonly TokenId[]>
  /** Learns of each transaction that ended. */
  readonly onStep: (line: SentStep, outcome: 'done' | 'failed') => Promise<void>
}

/** The most transactions in sequence that may fail. */
const mostFailures = 5

/**
 * Carries out the round of the journal, from where it stopped. Returns the tokens that stay because they
 * were transferred since the cut-off.
 *
 * @throws `migration/disturbed`, and the failures of the chain, the blob stores and the keys
 */
export async function runRound(migration: Migration, round: Round): Promise<ReadonlySet<TokenId>> {
  const { journal } = migration
  if (journal.state().pending !== undefined) await settle(migration)
  let nonces = await noncesFor(migration.chain, round)
  await requireUndisturbed(migration, round)
  const rules = rulesOf(round)
  const stale = new Set<TokenId>(await staleIn(migration, round))
  for (;;) {
    const course = courseWithout(round, stale)
    const step = nextStep(course, journal.state().progress, rules)
    if (step === undefined) break
    const changed = await changedIn(migration, course, step)
    for (const id of changed) stale.add(id)
    if (changed.length === 0) nonces = await takeTurn(migration, round, { course, step, nonces })
  }
  journal.append({ kind: 'finished' })
  return stale
}

async function staleIn(migration: Migration, round: Round): Promise<readonly TokenId[]> {
  const { moved } = migration.journal.state().progress
  const { carried } = courseWithout(round, new Set())
  return migration.transferred([...carried.values()].filter(({ tokenId }) => !moved.has(tokenId)))
}

/** Returns the tokens that a step would mint and that were transferred in the meantime. */
async function changedIn(
  { transferred }: Migration,
  { carried }: MigrationCourse,
  step: MigrationStep,
): Promise<readonly TokenId[]> {
  return transferred(tokensMintedBy(step).flatMap((id) => carried.get(id) ?? []))
}

type Turn = {
  readonly course: MigrationCourse
  readonly step: MigrationStep
  readonly nonces: ReadonlyMap<string, bigint>
}

/** Takes a step, and returns the next nonces; reads them again after a step that failed. */
async function takeTurn(
  migration: Migration,
  round: Round,
  turn: Turn,
): Promise<ReadonlyMap<string, bigint>> {
  const next = await takeStep(migration, turn)
  if (next !== undefined) return next
  const nonces = await noncesFor(migration.chain, round)
  await requireUndisturbed(migration, round)
  return nonces
}

/** Takes a step; returns the next nonces, or `undefined` when it failed. */
async function takeStep(
  migration: Migration,
  { course, step, nonces }: Turn,
): Promise<ReadonlyMap<string, bigint> | undefined> {
  const { journal, chain } = migration
  const { progress, failures } = journal.state()
  if (failures >= mostFailures) {
    throw new Failure('migration/disturbed', { problem: `${failures} transactions failed` })
  }
  const { calls, digests } = await callsOf({ ...migration, course, progress }, step)
  if (calls.length === 0) {
    journal.append({ kind: 'noted', step })
    return nonces
  }
  const signed = await signBatch(chain, calls, nonces)
  // The blobs are durable, and so is the transaction, before a node has it.
  journal.append({ kind: 'sent', step, digests, ...signed })
  if ((await settle(migration)) === 'failed') return undefined
  const next = new Map(nonces)
  for (const { from } of calls) next.set(from, (next.get(from) ?? 0n) + 1n)
  return next
}

/** Sends the pending transaction, again if need be, and records how it ended. */
async function settle(migration: Migration): Promise<'done' | 'failed'> {
  const { journal, chain, onStep } = migration
  const { pending } = journal.state()
  if (pending === undefined) return 'done'
  const { txHash } = pending
  const result = (await sendBatch(chain, pending)) ?? (await mintedOtherwise(migration, pending))
  if (result === undefined) {
    await withdrawBlobs(migration, pending)
    journal.append({ kind: 'ended', txHash, outcome: 'failed' })
  } else {
    journal.append({ kind: 'ended', txHash, outcome: 'done', ids: result.ids })
  }
  const outcome = result === undefined ? 'failed' : 'done'
  await onStep(pending, outcome)
  return outcome
}

/**
 * Returns the tokens of a mint that somebody else carried out with the signature of the creator, which
 * was public as soon as a node had it.
 */
async function mintedOtherwise(
  { client, to }: Migration,
  { step, digests }: SentStep,
): Promise<{ readonly ids: readonly TokenId[] } | undefined> {
  if (step.kind !== 'mint') return undefined
  const byDigest = new Map<string, TokenId>()
  for (const { creator, digest, tokenId } of await pairReader(client, to.chain.contracts).tokens())
    if (sameAccount(creator, step.creator)) byDigest.set(digest, tokenId)
  const ids = digests.flatMap((digest) => byDigest.get(digest) ?? [])
  return ids.length === digests.length ? { ids } : undefined
}

/**
 * Removes the sealed bytes that a failed step leaves behind. After a failed set-up these are the bytes
 * of the source: somebody may have carried out the offer alone and taken a fork or a rental, which must
 * open nothing.
 */
async function withdrawBlobs(
  { client, to, journal }: Migration,
  { step, digests }: SentStep,
): Promise<void> {
  const { round, progress } = journal.state()
  if (step.kind === 'mint' && round !== undefined) {
    const course = courseOf(round.tokens)
    for (const [at, digest] of digests.entries()) {
      const token = tokenIn(course, step.tokens[at] as TokenId)
      const parent = await newParent({ to, client, progress }, token)
      await removeVersion(to.blobStore, digest, parent?.digest)
    }
  }
  if (step.kind !== 'set-up' || round === undefined) return
  const source = progress.moved.get(sourceIn(courseOf(round.tokens), step.tokenId))
  if (source === undefined) return
  const { digest } = await pairReader(client, to.chain.contracts).token(source)
  // Without its packs: a server that ran meanwhile may share them with a newer version.
  await to.blobStore.remove(digest)
}

/** Returns the next nonces of all accounts that may sign in a round. */
const noncesFor = (chain: MigrationChain, { signers }: Round) => readNonces(chain, signers)

/**
 * Requires that the new registry has no token of the round that the journal does not know: another
 * migration would have made it. The nonces were read before, so one that comes later makes ours fail.
 */
async function requireUndisturbed(migration: Migration, round: Round): Promise<void> {
  const { client, to, journal } = migration
  const { progress, abandoned } = journal.state()
  const { carried } = courseWithout(round, new Set())
  const there = await pairReader(client, to.chain.contracts).tokens()
  const known = there.filter(({ tokenId }) => !abandoned.has(tokenId))
  const found = findThere([...carried.values()], known, progress.moved)
  const extra = [...found.moved.keys()].find((id) => !progress.moved.has(id))
  const token = extra ?? [...found.disputed][0]
  if (token === undefined) return
  const problem = `the new registry has token ${token} already, and the journal in ${to.folder} does not know of it`
  throw new Failure('migration/disturbed', { problem })
}

/** The rules of what a round may sign and offer. */
type RoundRules = {
  /** Returns whether the key of an account is here. */
  readonly signs: (account: string) => boolean
  /** Returns whether the listing of a token is carried over. */
  readonly lists: (token: MigratingToken) => boolean
}

/** Returns the rules of a round. */
export function rulesOf({ signers, listings }: Pick<Round, 'signers' | 'listings'>): RoundRules {
  const known = new Set(signers.map((it) => it.toLowerCase()))
  const signs = (account: string) => known.has(account.toLowerCase())
  const allows = ({ terms }: MigratingToken) =>
    listings === 'all' || (listings === 'native' && terms.dollars === undefined)
  return { signs, lists: (token) => signs(token.owner) && allows(token) }
}

/** Returns the course of a round without the tokens that were transferred since its cut-off. */
export function courseWithout(round: Round, stale: ReadonlySet<TokenId>): MigrationCourse {
  const tokens = round.tokens.map((token) =>
    stale.has(token.tokenId) ? { ...token, obstacle: 'transferred-since' as const } : token,
  )
  const { signs } = rulesOf(round)
  return courseOf(planMigration({ tokens, signs, moved: new Map(round.moved) }).carried)
}

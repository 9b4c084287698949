import { type Failure, type Hex, isFailure, mergeAnswers } from '@heirloom/core'
import { misspeltNote } from '../../api/nearest-name.ts'
import { type HeirloomError, isHeirloomError } from '../../client/heirloom-error.ts'
import type { FoundInMemory } from '../../client/responses.ts'
import { findItems, rankOf } from '../find-items.ts'
import { type Guard, guardText, type NameByGrant } from '../guard.ts'
import type { CallContext, Session } from '../tools/tool.ts'
import { describeMatch, type GuardedMatch, withoutJoined } from './inside-tools.ts'
import { findToken, sessionBy } from './memory-argument.ts'
import { listOwnMemories, type OwnMemory, startOf } from './own-memories.ts'

/** The most memories that one call searches, in all and at once. */
const bounds = { memories: 50, atOnce: 4 }

export declare namespace recall {
  type Input = {
    /** A question, or a text in quotes. */
    readonly text: string
    readonly limit: number
    /** The memory that the last call searched last. */
    readonly after?: string | undefined
    /** The name, or of a grant the name with its owner, to ask alone; all memories without both. */
    readonly name?: string | undefined
    readonly grant?: Hex | undefined
    /** Whether to return what is held back in the memories of others. */
    readonly flagged?: boolean | undefined
  }
  type Output = {
    /** Describes what is said of the memories of others, before what they say. */
    readonly guards?: readonly object[] | undefined
    readonly matches: readonly object[]
    readonly searched: string
    readonly unread?: readonly object[] | undefined
    /** Names the words of the question that no memory has, and the nearest ones. */
    readonly note?: string | undefined
    readonly next?: string | undefined
  }
}

/**
 * Asks the newest versions of all memories that a session may read, at most fifty in one call, and
 * returns the best answers of all. What cannot be read is reported and left out.
 */
export async function recall(
  own: Session,
  { text, limit, after, flagged, ...named }: recall.Input,
  context: CallContext,
): Promise<recall.Output> {
  const session = sessionBy(own, named)
  const all = await memoriesToAsk(session, named, context)
  const start = startOf(all, after)
  const chosen = all.slice(start, start + bounds.memories)
  const searched: Searched[] = []
  for (let at = 0; at < chosen.length; at += bounds.atOnce) {
    context.signal.throwIfAborted()
    const group = chosen.slice(at, at + bounds.atOnce)
    const message = `Searching memory ${at + 1} of ${chosen.length}`
    context.report?.({ progress: at, total: chosen.length, message })
    searched.push(
      ...(await Promise.all(group.map((it) => askOne(session, it, { text, limit }, context)))),
    )
  }
  const best = mergeAnswers(searched.flatMap(({ found }) => (found ? [found] : []))).slice(0, limit)
  const { matches, guards } = await guardAll(session, best, { flagged, signal: context.signal })
  const unread = searched.flatMap(({ memory, code }) =>
    code === undefined ? [] : [{ memory, code }],
  )
  const end = start + chosen.length
  return {
    guards: guards.length > 0 ? guards : undefined,
    matches,
    searched: `${end} of ${all.length} memories`,
    unread: unread.length > 0 ? unread.slice(0, 10) : undefined,
    note: noteOn(searched),
    next: end < all.length ? chosen.at(-1)?.memory : undefined,
  }
}

/** Returns the last version of the name that a call asks alone, or all memories of the session. */
async function memoriesToAsk(
  session: Session,
  { name, grant }: NameByGrant,
  context: CallContext,
): Promise<readonly OwnMemory[]> {
  if (name !== undefined)
    return [{ memory: name, tokenId: await findToken(session, name, context) }]
  if (grant === undefined) return listOwnMemories(session, context)
  const { signal } = context
  const granted = await session.client.granted(grant).log({ limit: 1 }, { signal })
  return granted.items.map(({ tokenId }) => ({
    memory: `${granted.owner}:${granted.name}`,
    tokenId,
  }))
}

/** A match with what orders it among those of other memories. */
type Match = {
  readonly own: OwnMemory
  readonly found: FoundInMemory['matches'][number]
  readonly item: Pick<NonNullable<Match['found']['item']>, 'phrase' | 'weights' | 'isOutdated'>
}

/** The answers of one memory, or the code of the failure to read it. */
type Searched = {
  readonly memory: string
  readonly found?: {
    readonly matches: readonly Match[]
    readonly statistics: NonNullable<FoundInMemory['statistics']>
    readonly misspelt?: FoundInMemory['misspelt']
    readonly isTooLarge?: FoundInMemory['isTooLarge']
  }
  readonly code?: string
}

/** Returns a sentence on memories that are too large for an index, and one on misspelt words, if any. */
function noteOn(searched: readonly Searched[]): string | undefined {
  const large = searched.filter(({ found }) => found?.isTooLarge).map(({ memory }) => memory)
  const names = large.slice(0, 5).join(', ')
  const tooLarge =
    large.length === 0 ? [] : [`Too large for an index, searched as it stands: ${names}.`]
  const notes = [misspeltNote(misspeltIn(searched)) ?? [], tooLarge].flat()
  return notes.length === 0 ? undefined : notes.join(' ')
}

/** Returns the words that look like another one in a memory, and that no memory has. */
function misspeltIn(searched: readonly Searched[]) {
  const found = searched.flatMap((it) => it.found ?? [])
  const known = new Set(found.flatMap((it) => it.statistics.words.map(({ stem }) => stem)))
  const unknown = found.flatMap(({ misspelt = [] }) => misspelt.filter((it) => !known.has(it.stem)))
  return [...Map.groupBy(unknown, ({ word }) => word).values()].flatMap(([first]) => first ?? [])
}

/** Asks one memory; a failure to read it is part of the result. */
async function askOne(
  { client }: Session,
  own: OwnMemory,
  { text, limit }: Pick<recall.Input, 'text' | 'limit'>,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<Searched> {
  const { memory, tokenId } = own
  try {
    const found = await findItems(client, { tokenId, text, limit }, { signal })
    const { statistics = { items: 0, words: [] }, misspelt, isTooLarge } = found
    const matches = found.matches.map((it) => {
      const { item = { phrase: rankOf(it), weights: [] } } = it
      return { own, found: it, item }
    })
    return { memory, found: { matches, statistics, misspelt, isTooLarge } }
  } catch (error) {
    if (signal.aborted || !isOfMemory(error)) throw error
    return { memory, code: error.code }
  }
}

/** Returns whether a failure is one of the memory: another one may be read all the same. */
const isOfMemory = (error: unknown): error is HeirloomError | Failure =>
  isFailure(error) || (isHeirloomError(error) && !error.code.startsWith('client/'))

type GuardOf = Pick<recall.Input, 'flagged'> & { readonly signal: AbortSignal }

/** Describes matches in their order, and guards what each memory says of it as one text. */
async function guardAll({ client }: Session, best: readonly Match[], options: GuardOf) {
  const described = new Map<Match, object>()
  const guards: object[] = []
  for (const [own, matches] of Map.groupBy(best, (it) => it.own)) {
    const { memory, tokenId } = own
    const said = JSON.stringify(matches.map((it) => ({ memory, ...describeMatch(it.found) })))
    const { text, guard }: { text: string; guard?: Guard | undefined } = await guardText(
      client,
      said,
      { tokenId, ...options },
    )
    if (guard !== undefined) guards.push({ memory, ...guard })
    const guarded: readonly GuardedMatch[] = JSON.parse(text)
    for (const [nth, match] of matches.entries()) {
      const shown = guarded[nth]
      if (shown !== undefined) described.set(match, withoutJoined(shown))
    }
  }
  return { matches: best.flatMap((it) => described.get(it) ?? []), guards }
}

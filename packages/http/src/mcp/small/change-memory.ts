import { type Hex, isFailure } from '@heirloom/core'
import { isHeirloomError } from '../../client/heirloom-error.ts'
import { isNameMissing } from '../../client/name-calls.ts'
import type { PageQuery } from '../../client/requests.ts'
import type { Minted } from '../../client/responses.ts'
import type { CallOptions } from '../../client/transport/transport.ts'
import { findSame, unchanged } from '../../wallet/same-version.ts'
import { type CallContext, progressStages, type Session } from '../tools/tool.ts'
import { findVersion, sessionBy } from './memory-argument.ts'

type Version = {
  readonly idempotencyKey?: string | undefined
  readonly document: string
  /** The private name; absent for a token without one. */
  readonly name?: string | undefined
  /** The token that the version comes after; "0" for the first one. */
  readonly after: string
}

/**
 * Saves a document: with the wallet of the session if that may pay, or else with the agent wallet. The
 * account of the session owns it, so that it can be opened again.
 */
export async function saveVersion(
  { client, wallet: open, account }: Session,
  { document, name, after, idempotencyKey }: Version,
  options: CallOptions,
): Promise<Minted> {
  const call = { ...options, idempotencyKey }
  const wallet = await open?.()
  if (wallet !== undefined) {
    if (name === undefined) return wallet.snapshot({ document }, call)
    const { signal } = options
    const reads = {
      versions: (page: PageQuery) => wallet.versions(name, page, { signal }),
      download: (tokenId: string) => client.download(tokenId, { signal, scan: 'never' }),
    }
    const same = await findSame(reads, { document, after })
    return same ?? wallet.snapshot({ document, name, after }, call)
  }
  const memory = { document, recipient: account as `0x${string}` | undefined }
  if (name === undefined) return client.snapshot(memory, call)
  return client.memory(name, { seen: after }).save(memory, call)
}

/** A change of the memory of a name. */
type Change = Pick<Version, 'idempotencyKey'> & {
  /** The grant by which another account's name is changed. */
  readonly grant?: Hex | undefined
  readonly name: string
  /** The text that a name without versions begins with; without it such a name is a failure. */
  readonly first?: string | undefined
  /** Returns the changed text of a memory. It runs again when another session saved in between. */
  readonly edit: (text: string) => string
}

/** The most times that a memory is changed again because another session saved in between. */
const mostTries = 30

/** Changes the last version of a name, and saves the next one; of several at once one by one. */
export const changeMemory = (
  session: Session,
  change: Change,
  context: CallContext,
): Promise<Minted> =>
  inTurn(session.client, change.name, () => saveOver(sessionBy(session, change), change, context))

async function saveOver(session: Session, change: Change, context: CallContext): Promise<Minted> {
  const stage = progressStages(context)
  for (let tries = 1; ; tries++) {
    try {
      return await saveNext(session, change, { signal: context.signal, stage })
    } catch (error) {
      if (tries === mostTries || !isMoved(error)) throw error
    }
  }
}

type Staged = Pick<CallContext, 'signal'> & { readonly stage: ReturnType<typeof progressStages> }

async function saveNext(session: Session, change: Change, { signal, stage }: Staged) {
  const { name, edit, idempotencyKey } = change
  const reading = stage({ from: 0, to: 45, message: 'Reading the last version' })
  const { last, text } = await readLast(session, change, { signal, onProgress: reading })
  const document = edit(text)
  if (last !== undefined && document === text) return unchanged(last)
  const onProgress = stage({ from: 50, to: 95, message: 'Saving the next version' })
  const version = { name, document, after: last?.tokenId ?? '0', idempotencyKey }
  return saveVersion(session, version, { signal, onProgress })
}

const isMoved = (error: unknown) =>
  (isHeirloomError(error) || isFailure(error)) && error.code === 'name/moved'

type ReadContext = Pick<CallContext, 'signal'> & {
  readonly onProgress: NonNullable<ReturnType<ReturnType<typeof progressStages>>>
}

async function findLast(session: Session, { name, first }: Change, context: ReadContext) {
  try {
    return await findVersion(session, name, context)
  } catch (error) {
    const isMissing = isNameMissing(error) || isFailure(error, 'name/not-found')
    if (isMissing && first !== undefined) return undefined
    throw error
  }
}

async function readLast(session: Session, change: Change, context: ReadContext) {
  const last = await findLast(session, change, context)
  if (last === undefined) return { last, text: change.first ?? '' }
  const { document } = await session.client.download(last.tokenId, { ...context, scan: 'never' })
  return { last, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(document) }
}

const turns = new WeakMap<object, Map<string, Promise<void>>>()

/** Runs a task for a name after those that were begun before it for the same owner and name. */
function inTurn<T>(owner: object, name: string, task: () => Promise<T>): Promise<T> {
  const names = turns.get(owner) ?? new Map<string, Promise<void>>()
  turns.set(owner, names)
  const result = (names.get(name) ?? Promise.resolve()).then(task)
  const end = result.then(ignore, ignore)
  names.set(name, end)
  end.then(() => {
    if (names.get(name) === end) names.delete(name)
  })
  return result
}

const ignore = () => undefined

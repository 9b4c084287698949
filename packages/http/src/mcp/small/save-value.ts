import type { SecretChoice } from '@heirloom/adapters/formats'
import { Failure, isFailure, unescapeToken } from '@heirloom/core'
import { isHeirloomError } from '../../client/heirloom-error.ts'
import { isNameMissing } from '../../client/name-calls.ts'
import type { Minted } from '../../client/responses.ts'
import type { CallOptions } from '../../client/transport/transport.ts'
import { itemsOf, kindOf, membersOf, readValue, type Value } from '../../diff/json-value.ts'
import { applySecretChoice } from '../tools/snapshot-document.ts'
import { type CallContext, progressStages, type Session } from '../tools/tool.ts'
import { findVersion } from './memory-argument.ts'

/** The options of a save. */
type SaveOptions = {
  readonly secrets?: SecretChoice | undefined
  readonly idempotencyKey?: string | undefined
}

type Version = Pick<SaveOptions, 'idempotencyKey'> & {
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
  const line = name === undefined ? {} : { name, after }
  if (wallet !== undefined) return wallet.snapshot({ document, ...line }, call)
  const memory = { document, recipient: account as `0x${string}` | undefined }
  if (name === undefined) return client.snapshot(memory, call)
  return client.memory(name, { seen: after }).save(memory, call)
}

/**
 * Sets the value at a JSON Pointer in a JSON text, and leaves every other character as it is. `-` is
 * the place after the last item of a list; a list that is missing there is created.
 *
 * @throws `part/not-found`
 */
export function setValue(text: string, pointer: string, value: string): string {
  const steps = stepsOf(pointer)
  const last = steps.pop()
  if (last === undefined) throw missing(pointer, 'the whole memory is saved with data')
  requireKnown(pointer)
  let at = readValue(text)
  for (const [depth, step] of steps.entries()) {
    const next = childOf(at, step)
    const isLast = depth === steps.length - 1
    if (next === undefined && isLast && last === '-')
      return insert(at, { pointer, step }, `[${value}]`)
    if (next === undefined)
      throw missing(pointer, `there is no "${step}"; set it to an object or a list first`)
    at = next
  }
  const there = childOf(at, last)
  return there === undefined ? insert(at, { pointer, step: last }, value) : replace(there, value)
}

/** A memory has data and metadata alone: anything beside them would be left out, or be an option. */
function requireKnown(pointer: string): void {
  if (/^\/(?:data|metadata)(?:\/|$)/.test(pointer)) return
  throw missing(pointer, `a memory has /data and /metadata alone; the place may be /data${pointer}`)
}

function stepsOf(pointer: string): string[] {
  if (pointer !== '' && !pointer.startsWith('/')) {
    throw missing(pointer, 'a pointer begins with /, such as /data/notes/-')
  }
  return pointer.split('/').slice(1).map(unescapeToken)
}

const missing = (pointer: string, problem: string) =>
  new Failure('part/not-found', { pointer, problem })

function childOf(value: Value, step: string): Value | undefined {
  const kind = kindOf(value)
  if (kind === 'object') return membersOf(value)?.get(step)?.value
  const isIndex = kind === 'array' && /^(0|[1-9][0-9]{0,8})$/.test(step)
  return isIndex ? itemsOf(value)[Number(step)] : undefined
}

function replace({ tape, node }: Value, value: string): string {
  return `${tape.text.slice(0, tape.starts[node])}${value}${tape.text.slice(tape.ends[node])}`
}

type Place = { readonly pointer: string; readonly step: string }

/** Adds a member to an object, or an item to the end of a list. */
function insert(into: Value, { pointer, step }: Place, value: string): string {
  const kind = kindOf(into)
  if (kind === 'array') {
    const { length } = itemsOf(into)
    if (step !== '-' && step !== `${length}`) {
      throw missing(pointer, `the list has ${length} items; its end is "-"`)
    }
    return insertAtEnd(into, { isEmpty: length === 0, added: value })
  }
  const members = kind === 'object' ? membersOf(into) : undefined
  if (members === undefined)
    throw missing(pointer, 'it is no list, and no object with distinct names')
  return insertAtEnd(into, {
    isEmpty: members.size === 0,
    added: `${JSON.stringify(step)}:${value}`,
  })
}

type Addition = { readonly isEmpty: boolean; readonly added: string }

function insertAtEnd({ tape, node }: Value, { isEmpty, added }: Addition): string {
  const end = (tape.ends[node] as number) - 1
  return `${tape.text.slice(0, end)}${isEmpty ? '' : ','}${added}${tape.text.slice(end)}`
}

type Input = SaveOptions & {
  readonly name: string
  readonly at: string
  /** The JSON text of the value. */
  readonly value: string
  readonly category: string
}

/** The most times that a value is set again because another session saved in between. */
const mostTries = 30

/** Sets one value of the last version of a name, and saves the next one; of several at once one by one. */
export async function saveValue(
  session: Session,
  input: Input,
  context: CallContext,
): Promise<Minted> {
  const value = await checkedValue(input)
  return inTurn(session.client, input.name, () => saveOver(session, { ...input, value }, context))
}

async function saveOver(session: Session, input: Input, context: CallContext): Promise<Minted> {
  const stage = progressStages(context)
  for (let tries = 1; ; tries++) {
    const { after, text } = await readLast(session, input, {
      ...context,
      onProgress: stage({ from: 0, to: 45, message: 'Reading the last version' }),
    })
    const document = setValue(text, input.at, input.value)
    const onProgress = stage({ from: 50, to: 95, message: 'Saving the next version' })
    try {
      const { signal } = context
      return await saveVersion(session, { ...input, document, after }, { signal, onProgress })
    } catch (error) {
      if (tries === mostTries || !isMoved(error)) throw error
    }
  }
}

const isMoved = (error: unknown) =>
  (isHeirloomError(error) || isFailure(error)) && error.code === 'name/moved'

type ReadContext = Pick<CallContext, 'signal'> & {
  readonly onProgress: NonNullable<ReturnType<ReturnType<typeof progressStages>>>
}

async function findLast(session: Session, name: string, context: ReadContext) {
  try {
    return await findVersion(session, name, context)
  } catch (error) {
    if (isNameMissing(error) || isFailure(error, 'name/not-found')) return undefined
    throw error
  }
}

async function readLast(session: Session, { name, category }: Input, context: ReadContext) {
  const last = await findLast(session, name, context)
  if (last === undefined) {
    return { after: '0', text: JSON.stringify({ data: {}, metadata: { category } }) }
  }
  const { document } = await session.client.download(last.tokenId, { ...context, scan: 'never' })
  return {
    after: last.tokenId,
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(document),
  }
}

/**
 * Returns the value without secrets, or refuses it. It is checked below the name that it gets, since a
 * name such as `password` makes a secret of any text.
 */
async function checkedValue({ at, value, secrets }: Input): Promise<string> {
  const name = at.split('/').findLast((step) => !/^(-|[0-9]+)$/.test(step)) ?? ''
  const head = `{${JSON.stringify(name)}:`
  const checked = await applySecretChoice(`${head}${value}}`, secrets)
  if (checked.startsWith(head)) return checked.slice(head.length, -1)
  throw new Failure('value/invalid', { kind: 'name', problem: `${at} looks like a secret itself` })
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

import type { SecretChoice } from '@heirloom/adapters/formats'
import {
  itemsOf,
  kindOf,
  membersOf,
  readValue,
  type Value,
} from '@heirloom/adapters/internal/diff/json-value'
import { Failure, type Hex, unescapeToken } from '@heirloom/core'
import type { Minted } from '../../client/responses.ts'
import { applySecretChoice } from '../tools/snapshot-document.ts'
import type { CallContext, Session } from '../tools/tool.ts'
import { changeMemory } from './change-memory.ts'

/** The options of a save. */
type SaveOptions = {
  readonly secrets?: SecretChoice | undefined
  readonly idempotencyKey?: string | undefined
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
  /** The grant by which the name of another account is used. */
  readonly grant?: Hex | undefined
}

/** Sets one value of the last version of a name, and saves the next one; of several at once one by one. */
export async function saveValue(
  session: Session,
  input: Input,
  context: CallContext,
): Promise<Minted> {
  const { name, grant, at, category, idempotencyKey } = input
  const value = await checkedValue(input)
  const first = JSON.stringify({ data: {}, metadata: { category } })
  const edit = (text: string) => setValue(text, at, value)
  return changeMemory(session, { name, grant, first, edit, idempotencyKey }, context)
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

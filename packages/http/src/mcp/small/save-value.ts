import { Failure, isFailure } from '@heirloom/core'
import { isHeirloomError } from '../../client/heirloom-error.ts'
import { isNameMissing } from '../../client/name-calls.ts'
import type { Minted } from '../../client/responses.ts'
import { applySecretChoice } from '../tools/apply-secret-choice.ts'
import { progressStages } from '../tools/progress-stages.ts'
import type { CallContext, Session } from '../tools/tool.ts'
import { findVersion } from './memory-argument.ts'
import { type SaveOptions, saveVersion } from './save-version.ts'
import { setValue } from './set-value.ts'

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

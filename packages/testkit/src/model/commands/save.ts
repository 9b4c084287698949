import assert from 'node:assert/strict'
import { name, type TokenId, tokenId } from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryBundleText } from '../../arbitraries/json.ts'
import type { ServiceHarness } from '../../harness.ts'
import { highestPick, idOf, type Model, type ModelToken, tokenOf } from '../model.ts'
import { arbitraryRecipient, arbitraryWho } from '../picks.ts'
import { recordMinted } from '../record.ts'
import {
  agree,
  command,
  type Drawn,
  firstOf,
  type Recipient,
  receiverOf,
  recipientInput,
  serviceOf,
} from '../step.ts'

const parts = {
  who: arbitraryWho,
  bundle: arbitraryBundleText,
  name: fc.constantFrom('ada', 'ada', 'ben/notes'),
  /** The version that the caller believes to be the last; `any` names none. */
  after: fc.constantFrom('any' as const, 'any', 'last', 'last', 'none', 'earlier'),
  parent: fc.option(fc.nat({ max: highestPick }), { nil: undefined, freq: 4 }),
  recipient: arbitraryRecipient,
  /** Whether the bytes are those of the last version, where there is one. */
  isRepeat: fc.constantFrom(false, false, true),
  /** Whether another save after the same version runs at the same time. */
  hasRival: fc.constantFrom(false, false, true),
}

type Input = Drawn<typeof parts>

/** The owner of the names, whichever party saves: on a server without keys that is its operator. */
const owner = 'operator'

/** Saves a memory to one of two names, sometimes after a version that is not the last, or in a race. */
export const saveCommand = command('save', parts, run)

async function run(model: Model, harness: ServiceHarness, given: Input) {
  const versions = versionsOf(model, given.name)
  const last = versions.at(-1)
  const input = given.isRepeat ? repeated(model, last, given) : given
  const { who, bundle, recipient } = input
  const after = afterOf(versions, input.after)
  const parent = input.parent === undefined ? undefined : idOf(model, input.parent)
  const predicted = refusalToSave(model, { recipient, last, after, parent })
  const save = () =>
    serviceOf(harness, who).save({
      owner,
      savedBy: owner,
      name: name(input.name),
      after,
      parent,
      bundle: new TextEncoder().encode(bundle.text),
      ...recipientInput(harness, recipient),
    })
  const isSame = parent === undefined && isUnchanged(model, last, input)
  const isRace = input.hasRival && after !== undefined && predicted === undefined && !isSame
  const [first, second] = isRace ? await race(save) : [save(), undefined]
  const saved = await agree(model, 'save', predicted, first)
  if (second !== undefined) await agree(model, 'save too late', 'name/moved', second)
  const token =
    saved && (await recordSave(model, harness, { saved, input, parent: last ?? parent, isSame }))
  await assertLine(model, harness, input.name)
  return token
}

/** Returns a save of the bytes of the last version. */
function repeated(model: Model, last: TokenId | undefined, input: Input): Input {
  const text = last === undefined ? undefined : tokenOf(model, last)?.document
  return text === undefined ? input : { ...input, bundle: { text, document: text } }
}

/** Returns whether the last version has the same bytes, opens, and belongs to the receiver. */
function isUnchanged(model: Model, last: TokenId | undefined, input: Input): boolean {
  const token = last === undefined ? undefined : tokenOf(model, last)
  if (token === undefined || token.document !== input.bundle.document) return false
  const isErased = model.erased.has(token.record.digest)
  return !isErased && token.owner === receiverOf(input.recipient, input.who)
}

type Place = {
  readonly recipient: Recipient
  readonly last: TokenId | undefined
  readonly after: TokenId | undefined
  readonly parent: TokenId | undefined
}

function refusalToSave(model: Model, { recipient, last = tokenId(0n), after, parent }: Place) {
  return firstOf(
    [recipient === 'nobody', 'recipient/invalid'],
    [after !== undefined && after !== last, 'name/moved'],
    [parent !== undefined && last > 0n && parent !== last, 'name/moved'],
    [parent !== undefined && tokenOf(model, parent) === undefined, 'token/not-found'],
  )
}

/** Runs two saves at once; returns the one that won before the one that lost. */
async function race<T>(save: () => Promise<T>): Promise<readonly [Promise<T>, Promise<T>]> {
  const both = [save(), save()] as const
  const [first] = await Promise.allSettled(both)
  return first?.status === 'fulfilled' ? both : [both[1], both[0]]
}

const versionsOf = ({ names }: Model, of: string): readonly TokenId[] => names.get(of) ?? []

function afterOf(versions: readonly TokenId[], after: Input['after']): TokenId | undefined {
  if (after === 'any') return undefined
  if (after === 'none') return tokenId(0n)
  return versions.at(after === 'last' ? -1 : -2) ?? tokenId(0n)
}

type Saved = {
  readonly saved: Awaited<ReturnType<ServiceHarness['services'][number]['save']>>
  readonly input: Input
  readonly parent: TokenId | undefined
  readonly isSame: boolean
}

async function recordSave(
  model: Model,
  harness: ServiceHarness,
  { saved, input: { who, bundle, recipient, name }, parent, isSame }: Saved,
): Promise<ModelToken | undefined> {
  assert.equal(saved.isUnchanged, isSame, 'the bytes of the last version make no other one')
  if (isSame) {
    model.tally('save again: unchanged')
    assert.equal(saved.tokenId, versionsOf(model, name).at(-1))
    return undefined
  }
  const versions = [...versionsOf(model, name), saved.tokenId]
  assert.equal(saved.version, versions.length, 'versions are numbered from 1')
  const memory = { minted: saved, who, parent, bundle, recipient }
  const token = await recordMinted(model, harness, memory)
  model.names.set(name, versions)
  return token
}

/** Asserts that the log of a name is a chain: each version once, and each the parent of the next. */
async function assertLine(model: Model, harness: ServiceHarness, of: string): Promise<void> {
  const expected = versionsOf(model, of)
  const named = { owner, name: name(of) }
  if (expected.length === 0) {
    assert.equal(await harness.names.find(named), undefined, 'a name without versions is not shown')
    return
  }
  const { items, next } = await harness.names.versions(named, { limit: 100 })
  assert.equal(next, undefined)
  const log = items.map(({ tokenId, version }) => [tokenId, version]).toReversed()
  assert.deepEqual(
    log,
    expected.map((id, index) => [id, index + 1]),
    'the log of a name has each version once, in order',
  )
  for (const [index, id] of expected.slice(1).entries()) {
    assert.equal(tokenOf(model, id)?.record.parent, expected[index], 'each goes on from the last')
  }
}

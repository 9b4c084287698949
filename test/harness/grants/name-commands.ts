import { name, type TokenId, tokenId } from '@heirloom/core'
import fc from 'fast-check'
import { expect } from 'vitest'
import {
  type Commands,
  check,
  chosen,
  command,
  days,
  mostly,
  partyAt,
  pick,
  recent,
  way,
} from './check.ts'
import {
  endGrantsOf,
  grantedLine,
  type Line,
  type Model,
  newToken,
  type Party,
  type Token,
  type Tracked,
} from './model.ts'
import { type Named, type Subject, secondsOf } from './subject.ts'
import {
  bring,
  bringers,
  often,
  sell,
  shifts,
  signGrant,
  takeAllBack,
  takeBack,
} from './token-commands.ts'

const texts = ['ada', 'ben', 'ada/new'].map((it) => name(it))
const text = fc.constantFrom(...texts)

/** Returns an account that may have names: those of the wallet of the server are the operator's. */
const ownerAt = ({ parties }: Model, at: number) => chosen(parties.slice(1), at) as Party

const namedOf = ({ owner, text: of }: Line): Named => ({ owner, name: of })

const mostVersions = 12

const versionsOf = ({ lines }: Model) => lines.flatMap(({ versions }) => versions)

/** Returns a document that is equal to no other one. */
const nextDocument = ({ tokens }: Model) => ({
  data: { mood: 'calm', number: tokens.length },
  metadata: { category: 'research' },
})

function addToken(model: Model, id: TokenId, owner: Party): Token {
  const token = newToken(id, owner)
  model.tokens.push(token)
  return token
}

/** Asserts that the log of a name has its versions, and who saved each. */
async function checkLog(subject: Subject, line: Line): Promise<void> {
  expect(await subject.log(line.owner, namedOf(line))).toEqual(loggedOf(line))
}

const loggedOf = ({ versions }: Line) =>
  versions.map(({ token, savedBy }) => ({ tokenId: token.id, savedBy: savedBy.address }))

/** Asserts that a name without versions is none. */
const checkNone = async (subject: Subject, named: Named) =>
  expect(await subject.log(named.owner, named)).toBe('name/not-found')

/** Returns the name of an owner, which begins where there is none. */
function lineNamed({ lines }: Model, owner: Party, text: Line['text']): Line {
  const found = lines.find((it) => it.owner === owner && it.text === text)
  const line = found ?? { owner, text, versions: [] }
  if (found === undefined) lines.push(line)
  return line
}

const save = command(
  'save',
  { who: pick, text, to: pick, isOwn: mostly },
  ({ who, text: to, to: other, isOwn }) =>
    async (model, subject) => {
      if (versionsOf(model).length >= mostVersions) return undefined
      const owner = ownerAt(model, who)
      const recipient = isOwn ? owner : partyAt(model, other)
      const saving = { owner, name: to, by: owner, recipient, document: nextDocument(model) }
      const id = await subject.save(saving)
      expect(id).toEqual(expect.any(BigInt))
      const token = addToken(model, id as TokenId, recipient)
      const line = lineNamed(model, owner, to)
      line.versions.push({ token, savedBy: owner })
      await checkLog(subject, line)
      return token
    },
)

const rights = fc.constantFrom('read', 'read and save', 'read and save')

const depositName = command(
  'deposit of a name',
  { of: pick, to: pick, days, shift: shifts, by: bringers, rights },
  ({ of, to, by, ...terms }) =>
    async (model, subject) => {
      const line = chosen(model.lines, of)
      const token = line?.versions[0]?.token
      if (line === undefined || token === undefined) return undefined
      const { owner, text: granted } = line
      const reader = partyAt(model, to)
      const input = { ...terms, token, owner, reader, name: granted }
      await bring(model, subject, await signGrant(model, subject, input), by)
      return line.versions.at(-1)?.token
    },
)

const ofNames = ({ grants }: Model) => grants.filter(({ grant }) => grant.name !== '')

/** Draws an event between the mint of a save and its receipt. */
const meanwhile = fc.constantFrom(
  'nothing',
  'nothing',
  'nothing',
  'revoke',
  'revoke all',
  'end',
  'sale',
)

type Meanwhile = { readonly model: Model; readonly subject: Subject; readonly it: Tracked }

const eventsMeanwhile: Readonly<Record<string, (of: Meanwhile) => Promise<unknown>>> = {
  nothing: async () => undefined,
  revoke: ({ subject, it }) => takeBack(subject, it, { signer: it.owner, hasText: true }),
  'revoke all': ({ model, subject, it }) => takeAllBack(model, subject, it.owner, 0),
  end: async ({ subject, it }) =>
    subject.clock.advance(Math.max(0, it.grant.expires - secondsOf(subject)) * 1000),
  sale: ({ model, subject, it }) => sell(subject, it.token, partyAt(model, 0)),
}

/** Returns the name that an account may save to by a grant. */
const savedLine = (model: Model, subject: Subject, it: Tracked, saver: Party) =>
  saver === it.reader && it.grant.rights === 'read and save'
    ? grantedLine(model, it, secondsOf(subject))
    : undefined

type Attempt = { readonly it: Tracked; readonly saver: Party; readonly event: string }

/** Saves by a grant while something else happens, and asserts that only a right makes a version. */
async function trySave(model: Model, subject: Subject, attempt: Attempt) {
  const { it, saver, event } = attempt
  const { owner, grant } = it
  const before = savedLine(model, subject, it, saver)
  subject.afterMint.act = async () => eventsMeanwhile[event]?.({ model, subject, it })
  const saving = { owner, name: name(grant.name), by: saver, recipient: owner, grant: it.id }
  const found = await subject.save({ ...saving, document: nextDocument(model) })
  delete subject.afterMint.act
  const after = savedLine(model, subject, it, saver)
  countSave(model.tally, before !== undefined && after !== undefined, found)
  const id = tokenId(BigInt(model.tokens.length + 1))
  if (before === undefined) {
    expect([found, grant]).toEqual(['access/denied', grant])
    return undefined
  }
  expect([found, grant, event]).toEqual([after ? id : 'grant/ended', grant, event])
  // A token whose grant had ended is the owner's all the same.
  const token = addToken(model, id, owner)
  after?.versions.push({ token, savedBy: saver })
  await checkLog(subject, before)
  return token
}

const grantedSave = command(
  'save by a grant',
  { of: pick, by: pick, isReader: mostly, meanwhile },
  ({ of, by, isReader, meanwhile: event }) =>
    async (model, subject) => {
      const it = recent(ofNames(model), of)
      if (it === undefined || versionsOf(model).length >= mostVersions) return undefined
      const saver = isReader ? it.reader : partyAt(model, by)
      return trySave(model, subject, { it, saver, event })
    },
)

function countSave(tally: Model['tally'], isRight: boolean, found: unknown): void {
  const isSaved = typeof found === 'bigint'
  if (isRight) tally.saved += 1
  else tally.unsaved += 1
  if (isRight && !isSaved) tally.wronglyRefused += 1
  if (!isRight && isSaved) tally.wronglySaved += 1
}

const rename = command(
  'rename',
  { of: pick, text },
  ({ of, text: to }) =>
    async (model, subject) => {
      const line = chosen(model.lines, of)
      if (line === undefined) return undefined
      const { owner, text: before } = line
      const target = model.lines.find((it) => it.owner === owner && it.text === to)
      const found = await subject.rename(namedOf(line), to)
      if (target === undefined) {
        const now = secondsOf(subject)
        endGrantsOf(model, owner, to, now)
        expect(found).toBe(endGrantsOf(model, owner, before, now))
        line.text = to
        await checkNone(subject, { owner, name: before })
      } else expect(found).toBe(target === line ? 0 : 'name/taken')
      await checkLog(subject, line)
      return line.versions.at(-1)?.token
    },
)

const forget = command('forget', { of: pick }, ({ of }) => async (model, subject) => {
  const line = chosen(model.lines, of)
  // Few: most stories need names.
  if (line === undefined || of % 3 > 0) return undefined
  const ended = endGrantsOf(model, line.owner, line.text, secondsOf(subject))
  expect(await subject.forget(namedOf(line))).toBe(ended)
  model.lines.splice(model.lines.indexOf(line), 1)
  await checkNone(subject, namedOf(line))
  return line.versions.at(-1)?.token
})

const recover = command('recover', { of: pick }, ({ of }) => async (model, subject) => {
  const line = chosen(model.lines, of)
  if (line === undefined) return undefined
  const ended = endGrantsOf(model, line.owner, line.text, secondsOf(subject))
  expect(await subject.recover(namedOf(line))).toBe(ended)
  await checkLog(subject, line)
  return line.versions.at(-1)?.token
})

/** Returns what an account must read of the log of a granted name. */
function grantedLog(model: Model, it: Tracked, { reader, now }: Reading) {
  const line = reader === it.reader ? grantedLine(model, it, now) : undefined
  return line === undefined ? 'access/denied' : loggedOf(line)
}

type Reading = { readonly reader: Party; readonly now: number }

const log = command(
  'log by a grant',
  { of: pick, by: pick, isReader: mostly },
  ({ of, by, isReader }) =>
    async (model, subject) => {
      const it = recent(model.grants, of)
      if (it === undefined) return undefined
      const reader = isReader ? it.reader : partyAt(model, by)
      const named = { owner: it.owner, name: name(it.grant.name || 'ada') }
      const found = await subject.log(reader, named, it.id)
      const expected = grantedLog(model, it, { reader, now: secondsOf(subject) })
      expect([found, it.grant]).toEqual([expected, it.grant])
      return undefined
    },
)

const versionOpening = command(
  'open a version by a grant',
  { of: pick, version: pick, by: pick, isReader: mostly, way },
  ({ of, version, by, isReader, way: how }) =>
    async (model, subject) => {
      const it = recent(ofNames(model), of)
      const token = recent(versionsOf(model), version)?.token
      if (it === undefined || token === undefined) return undefined
      const reader = isReader ? it.reader : partyAt(model, by)
      await check(model, subject, { by: reader, token, through: it, way: how })
      return undefined
    },
)

export const nameCommands: readonly Commands[] = [
  ...often(4, save),
  ...often(6, depositName),
  ...often(6, grantedSave),
  rename,
  forget,
  recover,
  ...often(2, log),
  ...often(6, versionOpening),
]

import { grantLabel, type Hex, isFailure, longestGrant } from '@heirloom/core'
import { lastSecondOf, parseVersion } from '../../api/named-version.ts'
import { shownValue } from '../../api/shown-value.ts'
import type { Client } from '../../client/client.ts'
import type { Grant } from '../../client/responses.ts'
import { type Call, command, type Options, UsageError, withValue } from '../arguments/command.ts'
import {
  moreLine,
  omitUndefined,
  pageOptions,
  readAddress,
  readGrant,
  readPage,
  readTokenId,
} from '../arguments/read-values.ts'
import {
  apiKeyOf,
  connectAsAccount,
  noWallet,
  proofOptions,
  readProof,
  readUrl,
  serverOptions,
  serverUrl,
} from '../connection/connect.ts'
import { readNames } from '../connection/name-accounts.ts'
import { columns, rows, timeText } from '../terminal/value-text.ts'

const options = {
  to: withValue('ADDRESS', 'The account that may read.'),
  until: withValue('DATE', 'The last day (UTC), as in 2027-01-31.'),
  save: { type: 'boolean', about: 'Let it also save versions of the name, which are yours.' },
  label: withValue('TEXT', 'A word for you alone, at most 64 characters.'),
  at: withValue(
    'URLS',
    'Further servers where it counts, separated by commas. It is deposited there, too, which costs nothing and needs no further signature; each must have this chain and the memory.',
  ),
  ...proofOptions,
  ...serverOptions,
} as const satisfies Options

/** Lets another account read a memory. */
export const grant = command({
  about: 'Lets another account read a memory that you own, or all versions of a name, until a day.',
  more: [
    'Your wallet signs that, and pays nothing. The account reads with --grant and the id that is printed. It ends with that day (UTC), at most 366 days from now, with a transfer of the token, with a renaming or the end of the name, and with heirloom revoke. A version of a name that has another owner now is not read.',
  ],
  words: [{ name: 'ID', about: 'The token, or a name of your wallet such as ada.' }],
  options,
  examples: {
    'Let an auditor read token 7:':
      'heirloom grant 7 --to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --until 2027-01-31 --label auditor',
    'Share a name with another agent, which saves to it too:':
      'heirloom grant ada --to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --until 2027-01-31 --save',
  },
  run: async (call) => {
    const { to, until, label, at, save = false } = call.options
    if (to === undefined) throw new UsageError('--to is needed: the account that may read.')
    if (until === undefined)
      throw new UsageError('--until is needed: the last day, such as 2027-01-31.')
    const { ID: text } = call.words
    const of = readGranted(text, save)
    const expires = readEnd(until)
    const terms = { ...of, reader: readAddress('--to', to), expires, label: readLabel(label) }
    const holders = at?.split(',').map((it) => readUrl('--at', it).origin)
    const { account } = await connectAsAccount(call)
    if (account === undefined) throw noWallet()
    const { openWallet } = await import('../../wallet/open-wallet.ts')
    const { HEIRLOOM_API_KEY: key } = call.terminal.env
    const server = { url: serverUrl(call), account, ...readProof(call.options), ...apiKeyOf(key) }
    const wallet = await openWallet(server)
    const rights = save ? 'read and save' : 'read'
    const granted = await wallet.grant({ ...terms, rights, holders }, { signal: call.signal })
    const { describeOthers } = await import('../../wallet/grant-memory.ts')
    const further = granted.grant.holders.filter((it) => it !== server.url.origin)
    const elsewhere = await depositAt(further, granted.deposit)
    const value = { ...granted, elsewhere }
    const lines = rows([
      ['Granted', value.grant.statement],
      ['Grant', value.id],
      ...describeOthers(granted.others).map((it) => ['Another', it] as const),
      ...elsewhere.map(({ url, problem }) =>
        problem === undefined
          ? (['Deposited at', url] as const)
          : (['Not deposited', `at ${url}: ${problem}`] as const),
      ),
      ['Its reader', `heirloom download ${grantedText(value.grant)} --grant ${value.id}`],
      ...(save
        ? ([
            [
              'To save',
              `heirloom save ${grantedText(value.grant)} FILE --after N --grant ${value.id}`,
            ],
          ] as const)
        : []),
    ])
    await call.output.result({ value, lines })
    return elsewhere.every(({ problem }) => problem === undefined) ? 0 : 10
  },
})

/** Reads what to grant: a token, or all versions of a name. @throws a `UsageError` */
function readGranted(text: string, save: boolean) {
  const isToken = /^[0-9]+$/.test(text)
  if (isToken && save) {
    throw new UsageError(
      `--save is for a name such as ada; token ${text} is one memory, which does not change.`,
    )
  }
  if (isToken) return { tokenId: readTokenId('ID', text) }
  const { version } = parseVersion(text) ?? {}
  if (version === undefined) return { name: text }
  throw new UsageError(`A grant is of all versions; leave out @${version}.`)
}

/** Brings a deposit to further servers. Returns the problem of each that did not take it. */
async function depositAt(origins: readonly string[], deposit: string) {
  const { createTransport } = await import('../../client/transport/transport.ts')
  const { sendDeposit } = await import('../../wallet/grant-memory.ts')
  const body = new TextEncoder().encode(deposit)
  const bring = async (url: string) => {
    const done = sendDeposit(createTransport({ url }), body)
    const problem = await done.then(
      () => undefined,
      (error: unknown) => `${Object(error).message}`,
    )
    return { url, problem }
  }
  return Promise.all(origins.map(bring))
}

/** Returns what a grant is of, as its reader names it. */
const grantedText = ({ owner, name, tokenId }: Grant) =>
  name === '' ? tokenId : `${owner}:${name}`

/** Returns what a grant is of, as its owner names it. */
const ownText = ({ name, tokenId }: Pick<Grant, 'name' | 'tokenId'>) =>
  name === '' ? `token ${tokenId}` : name

/** Returns the last second of a day that a grant can end with. @throws a `UsageError` */
function readEnd(text: string): number {
  const end = lastSecondOf(text)
  const now = Date.now() / 1000
  const problem =
    end === undefined
      ? 'be a day of the calendar such as 2027-01-31'
      : end <= now
        ? 'be a day that has not ended yet (UTC)'
        : end > now + longestGrant
          ? 'be a day that ends within 366 days (UTC)'
          : undefined
  if (end !== undefined && problem === undefined) return end
  throw new UsageError(`--until must ${problem}${shownValue(text)}.`)
}

/** Returns a label as it may be. @throws a `UsageError` */
function readLabel(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    return grantLabel(text)
  } catch (error) {
    if (!isFailure(error, 'grant/malformed')) throw error
    throw new UsageError(`--label cannot be used: the grant ${error.facts.problem}.`)
  }
}

const grantsOptions = {
  'to-me': {
    type: 'boolean',
    about: 'List the grants to you, of the owners that you accepted.',
  },
  ...pageOptions,
  ...serverOptions,
} as const satisfies Options

type GrantsCall = Call<'ACTION' | 'ADDRESS', typeof grantsOptions>

const seenActions = ['accept', 'ignore'] as const

/** Lists the grants of the caller's wallet, or those to it. */
export const grants = command({
  about: 'Lists who may read memories that you own, by your grants; or what you may read.',
  more: [
    'Your wallet signs the request. Grants that ended or were revoked are not shown; one whose token was transferred since is, and lets nobody read.',
    'With --to-me you see the grants of owners that you accepted, and nothing of anybody else. accept does that for the owner ADDRESS once it has granted you something here, and ignore takes it back. Who has the id of a grant reads by it without either.',
  ],
  words: [
    { name: 'ACTION', about: 'accept or ignore.', choices: seenActions, optional: true },
    { name: 'ADDRESS', about: 'The owner to accept or to ignore.', optional: true },
  ],
  options: grantsOptions,
  examples: {
    'Show who may read:': 'heirloom grants',
    'Show what you may read:': 'heirloom grants --to-me',
    'See what an owner granted you:':
      'heirloom grants accept 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  },
  run: async (call) => {
    if (call.words.ACTION !== undefined) return changeSeen(call)
    await (call.options['to-me'] ? listReceived(call) : listGranted(call))
  },
})

async function listGranted(call: GrantsCall): Promise<void> {
  const { client } = await connectAsAccount(call)
  const value = await client.grants(readPage(call.options), { signal: call.signal })
  const readers = value.items.map((it) => it.grant.reader).join()
  const named = await readNames(call, client, readers)
  const shown = value.items.map(({ id, label, grant: it }) => [
    ownText(it),
    named(it.reader),
    it.rights,
    `until ${timeText(`${it.expires}`)}`,
    label,
    id,
  ])
  const lines =
    shown.length === 0
      ? ['You have granted nobody. heirloom grants --to-me lists what others granted you.']
      : columns(shown)
  await call.output.result({ value, lines: [...lines, ...moreLine(value.next)] })
}

async function listReceived(call: GrantsCall): Promise<void> {
  const { client } = await connectAsAccount(call)
  const value = await client.receivedGrants(readPage(call.options), { signal: call.signal })
  const shown = value.items.map(({ id, grant }) => [
    grant.name === '' ? `token ${grant.tokenId} of ${grant.owner}` : grantedText(grant),
    grant.rights,
    `until ${timeText(`${grant.expires}`)}`,
    id,
  ])
  const lines =
    shown.length === 0
      ? ['No owner that you accepted lets you read. Accept one with heirloom grants accept 0x…']
      : columns(shown)
  await call.output.result({ value, lines: [...lines, ...moreLine(value.next)] })
}

/** Accepts an owner, or ignores it again. */
async function changeSeen(call: GrantsCall): Promise<void> {
  const { ACTION: action, ADDRESS: given } = call.words
  if (given === undefined) {
    throw new UsageError(`heirloom grants ${action} needs the ADDRESS of an owner.`)
  }
  if (call.options['to-me']) throw new UsageError('--to-me lists grants; leave ACTION out.')
  const owner = readAddress('ADDRESS', given)
  const { client } = await connectAsAccount(call)
  const { signal } = call
  if (action === 'accept') await client.acceptGrants(owner, { signal })
  else await client.ignoreGrants(owner, { signal })
  const done = action === 'accept' ? 'Accepted' : 'Ignored'
  const more = action === 'accept' ? ', whose grants heirloom grants --to-me lists' : ''
  await call.output.result({
    value: { [done.toLowerCase()]: owner },
    lines: rows([[done, `${owner}${more}`]]),
  })
}

/** Revokes a grant of the caller's wallet, or all. */
export const revoke = command({
  about: 'Ends a grant of yours, or all of them, at once and for good.',
  more: ['Your wallet signs that, and pays nothing. What was read before stays with its reader.'],
  words: [],
  options: {
    grant: withValue('GRANT', 'The id of the grant to revoke.'),
    all: { type: 'boolean', about: 'Revoke every grant that you signed until now.' },
    ...serverOptions,
  },
  examples: {
    'Revoke one:':
      'heirloom revoke --grant 0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'Revoke all:': 'heirloom revoke --all',
  },
  run: async (call) => {
    const { grant: given, all = false, ...options } = call.options
    if (all === (given !== undefined)) throw new UsageError('Give either --grant or --all.')
    const id = given === undefined ? undefined : readGrant('--grant', given)
    const { client } = await connectAsAccount({ ...call, options })
    const { signal } = call
    if (id === undefined) {
      await client.revokeGrants({ signal })
      const lines = rows([['Revoked', 'all grants until now']])
      return call.output.result({ value: { revoked: 'all' }, lines })
    }
    // A list that cannot be read keeps nobody from revoking.
    const others = await listOthers(client, id, signal).catch(() => undefined)
    await client.revokeGrant(id, {}, { signal })
    const remaining = others?.map((it) => it.id)
    const value = omitUndefined({ revoked: id, remaining })
    const lines = others?.map(stillText) ?? ['heirloom grants lists those that still count.']
    await call.output.result({ value, lines: [...rows([['Revoked', id]]), ...lines] })
  },
})

type Listed = Awaited<ReturnType<Client['grants']>>['items'][number]

/** The most pages of grants that are read before one is revoked; an owner has at most 1,000. */
const mostPages = 10

/** Returns the other grants to the reader of a grant that are of the same token or name. */
async function listOthers(client: Client, id: Hex, signal: AbortSignal): Promise<Listed[]> {
  const all: Listed[] = []
  let after: string | undefined
  for (let page = 0; page < mostPages; page += 1) {
    const { items, next } = await client.grants(omitUndefined({ after, limit: 100 }), { signal })
    all.push(...items)
    if (next === null) break
    after = next
  }
  const thingOf = ({ grant: it }: Listed) => `${it.reader.toLowerCase()} ${it.tokenId} ${it.name}`
  const revoked = all.find((it) => it.id === id)
  return all.filter((it) => revoked && it.id !== id && thingOf(it) === thingOf(revoked))
}

const stillText = ({ id, grant: it }: Listed) =>
  `${it.reader} still may ${it.rights} ${ownText(it)} by ${id}.`

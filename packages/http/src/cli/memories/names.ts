import { findNamed } from '../../client/named-memory.ts'
import type { PageQuery } from '../../client/requests.ts'
import type { NamedVersion } from '../../client/responses.ts'
import { type Call, command, type Options, UsageError } from '../arguments/command.ts'
import { moreLine, pageOptions, readPage } from '../arguments/read-values.ts'
import { connect, grantOption, serverOptions } from '../connection/connect.ts'
import { nameAccounts } from '../connection/name-accounts.ts'
import { namesOptions, openNames } from '../connection/open-names.ts'
import { openGranted } from '../connection/read-version.ts'
import { promptConfirm } from '../terminal/prompt.ts'
import { canPrompt } from '../terminal/terminal.ts'
import { rows, timeText } from '../terminal/value-text.ts'

/** Shows the versions of a name. */
export const log = command({
  about: 'Shows who saved what when under a private name, newest first.',
  words: [{ name: 'NAME', about: 'The name; with --grant with its owner, as in 0x…:ada.' }],
  options: {
    ...pageOptions,
    ...grantOption,
    ...namesOptions,
    ...serverOptions,
  },
  examples: {
    'Show the versions with their sizes:': 'heirloom log ada',
    'Show them, signed by your own wallet alone:': 'heirloom log diary --as-wallet',
  },
  run: async (call) => {
    const granted = openGranted(call, 'NAME', call.words.NAME)
    const versions = granted
      ? async (page: PageQuery) => (await granted.open()).log(page, { signal: call.signal })
      : async (page: PageQuery) => (await openNames(call)).versions(call.words.NAME, page)
    const page = await versions(readPage(call.options))
    const more = moreLine(page.next)
    const shown = page.items.map(versionText)
    const lines = call.output.json ? shown : await nameAccounts(call, await connect(call), shown)
    await call.output.result({ value: page, lines: [...lines, ...more] })
  },
})

function versionText(it: NamedVersion): string {
  const time = timeText(`${Math.floor(it.savedAt / 1000)}`)
  const sizes = `${it.documentBytes} bytes, ${it.storedBytes} stored`
  const sold = it.isTransferred ? `, belongs to ${it.owner} now` : ''
  const erased = it.erasedAt === null ? '' : ', erased'
  return `${it.version}  token ${it.tokenId}  ${time}  ${sizes}, saved by ${it.savedBy}${sold}${erased}`
}

const options = {
  ...pageOptions,
  'dry-run': { type: 'boolean', about: 'With recover: show what it would add; change nothing.' },
  yes: { type: 'boolean', short: 'y', about: 'With forget: do not ask.' },
  ...namesOptions,
  ...serverOptions,
} as const satisfies Options

type NamesCall = Call<'ACTION' | 'NAME' | 'TO', typeof options>

const ofServer = [...Object.keys(namesOptions), ...Object.keys(serverOptions)]

/** The actions, each with the words behind it and its options. */
const actions = {
  rename: {
    words: ['NAME', 'TO'],
    options: ofServer,
    run: renameName,
  },
  forget: {
    words: ['NAME'],
    options: ['yes', ...ofServer],
    run: forgetName,
  },
  recover: {
    words: [],
    options: ['dry-run'],
    run: async (call: NamesCall) =>
      (await import('../operator/recover-names.ts')).recoverNames(call),
  },
} as const

/** Shows the private names of the caller, changes one, or recovers those of all callers. */
export const names = command({
  about:
    'Shows your private names with their last versions, renames or forgets one, or recovers them.',
  more: [
    'Names belong to your wallet if there is one (HEIRLOOM_PRIVATE_KEY, HEIRLOOM_KEYSTORE or heirloom login), else to the API key of HEIRLOOM_API_KEY, or without keys to the operator. --as-wallet changes that in nothing; to a save it also lets your wallet pay.',
    'rename gives NAME the text TO, with all its versions. forget removes NAME and the list of its versions; it asks on a terminal, and needs --yes elsewhere. Both leave tokens and memories as they are, and pay nothing.',
    'recover is for the operator, after the tables of names were lost: it reads the same environment as the server, which must be stopped, goes through the memories on the chain, opens the heads that its keys open, and adds the versions that the tables lack, of all owners. It adds at the end of a name and changes nothing else; run it again after an interruption. It exits with 1 when a name has other versions in the tables, or is held by a save.',
  ],
  words: [
    {
      name: 'ACTION',
      about: 'rename, forget or recover; without it the names are shown.',
      optional: true,
      choices: Object.keys(actions),
    },
    { name: 'NAME', about: 'The name to rename or to forget.', optional: true },
    { name: 'TO', about: 'The new text of the name.', optional: true },
  ],
  options,
  examples: {
    'Show them:': 'heirloom names',
    'Give a name another text:': 'heirloom names rename ada ada/trading',
    'Forget a name, signed by your own wallet alone; its tokens and memories stay:':
      'heirloom names forget diary --as-wallet --yes',
    'Show which lost names and versions the memories on the chain have:':
      'heirloom names recover --dry-run',
  },
  run: async (call) => {
    const { ACTION: action } = call.words
    if (action === undefined) return showNames(call)
    const { words, options: own, run } = actions[action as keyof typeof actions]
    requireWords(call, action, words)
    refuseOthers(call, `names ${action}`, own)
    return run(call)
  },
})

function requireWords({ words }: NamesCall, action: string, needed: readonly string[]): void {
  const given = Object.keys(words).filter((word) => word !== 'ACTION')
  if (given.length === needed.length) return
  const takes = needed.length === 0 ? 'takes nothing behind it' : `needs ${needed.join(' and ')}`
  throw new UsageError(`heirloom names ${action} ${takes}; heirloom names --help describes it.`)
}

function refuseOthers({ options: given }: NamesCall, name: string, own: readonly string[]): void {
  const other = Object.entries(given).find(
    ([it, value]) => it !== 'json' && value !== undefined && !own.includes(it),
  )
  if (other !== undefined) throw new UsageError(`heirloom ${name} takes no --${other[0]}.`)
}

async function showNames(call: NamesCall): Promise<number> {
  refuseOthers(call, 'names without an action', ['after', 'limit', ...ofServer])
  const page = await (await openNames(call)).names(readPage(call.options))
  const lines = page.items.map(
    ({ name, last }) => `${name}  version ${last.version}, token ${last.tokenId}`,
  )
  const isEmpty = page.items.length === 0 && call.options.after === undefined
  const own = call.options['as-wallet'] ? ' --as-wallet' : ''
  if (isEmpty) await call.output.note(`No names yet; heirloom save NAME FILE${own} saves to one.`)
  const more = moreLine(page.next)
  await call.output.result({ value: page, lines: [...lines, ...more] })
  return 0
}

/** Gives a name with all its versions another text. */
async function renameName(call: NamesCall): Promise<number> {
  const { NAME: name, TO: to } = call.words
  const value = await (await openNames(call)).renameName(name, to)
  const { version, tokenId } = value.last
  const lines = rows([
    ['Renamed', `${name} to ${value.name}`],
    ['Versions', `${version}; the last one is token ${tokenId}`],
    ...endedRows(value.endedGrants),
  ])
  await call.output.result({ value, lines })
  return 0
}

/** Forgets a name and the list of its versions. */
async function forgetName(call: NamesCall): Promise<number> {
  const { NAME: name } = call.words
  const names = await openNames(call)
  const last = await findNamed(name, undefined, (page) => names.versions(name, page))
  await confirmForget(call, last)
  // The line that was shown, and no other that has begun since.
  const { endedGrants } = await names.forgetName(name, { after: last.tokenId })
  const lines = rows([
    ['Forgotten', `${name}, with the list of its ${versionsText(last)}`],
    ['Stay', `all tokens and memories; the last one is token ${last.tokenId}`],
    ...endedRows(endedGrants),
  ])
  const ended = endedGrants > 0 ? { endedGrants } : {}
  await call.output.result({ value: { forgotten: name, last, ...ended }, lines })
  return 0
}

const endedRows = (grants = 0): readonly (readonly [string, string])[] =>
  grants === 0 ? [] : [['Ended', `${grants} ${grants === 1 ? 'grant' : 'grants'} of it`]]

/** Asks a person, who sees what goes and what stays; without one, `--yes` is required. */
async function confirmForget(call: NamesCall, last: NamedVersion): Promise<void> {
  if (call.options.yes) return
  const { NAME: name } = call.words
  if (call.output.json || !canPrompt(call.terminal)) {
    throw new UsageError(
      `Forgetting ${name} also removes the list of its ${versionsText(last)} and ends its grants: pass --yes to forget it.`,
    )
  }
  await promptConfirm(
    call.terminal,
    `Forget the name ${name} and the list of its ${versionsText(last)}, and end its grants? Their tokens and memories stay; the last one is token ${last.tokenId}.`,
  )
}

const versionsText = ({ version }: NamedVersion) =>
  version === 1 ? 'one version' : `${version} versions`

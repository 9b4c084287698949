import { HeirloomError } from '../../client/heirloom-error.ts'
import type { LineOwner } from '../../client/line-owner.ts'
import type { SaveInput } from '../../client/named-memory.ts'
import type { MemoryText } from '../../client/requests.ts'
import type { Minted } from '../../client/responses.ts'
import { findSame } from '../../wallet/same-version.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import { type Call, type Options, UsageError, withValue } from '../arguments/command.ts'
import { omitUndefined, readAddress, readTokenId } from '../arguments/read-values.ts'
import { connectAsAccount, serverOptions, serverUrl } from '../connection/connect.ts'
import { findAccount } from '../connection/find-account.ts'
import { findOwnWallet, ownWalletOptions, toActOptions } from '../connection/own-wallet.ts'
import { type GrantedName, openGranted } from '../connection/read-version.ts'
import { toWriteOptions, writeOptions } from '../connection/writer.ts'
import { type CommandResult, progressBar } from '../terminal/output.ts'
import { rows } from '../terminal/value-text.ts'

/** The option of every command that saves to a name. */
export const afterOption = {
  after: withValue('ID', 'Save only if this token is still the last version; 0 for none.'),
} as const satisfies Options

/** The options of a command that saves to a name. */
export const saveOptions = {
  ...afterOption,
  recipient: withValue(
    'ADDRESS',
    "The owner of the version, who alone opens it: an address, or server for the wallet of the server. Default: your wallet, or the server's where its data folder is here.",
  ),
  accept: {
    type: 'boolean',
    about:
      'Accept the version of --after, which you have read, as your own although somebody else saved it.',
  },
  'idempotency-key': writeOptions['idempotency-key'],
  ...ownWalletOptions,
  ...serverOptions,
} as const satisfies Options

/** The options of a command that saves to a name of the caller, or by a grant to one of another account. */
export const namedSaveOptions = {
  grant: withValue(
    'GRANT',
    'Save by the grant with this id to a name of its owner, as in 0x…:ada.',
  ),
  ...saveOptions,
} as const satisfies Options

/** A memory to save, whose owner is an option of the command. */
type SavedMemory = MemoryText & Pick<SaveInput, 'card'>

type SaveCall = Pick<Call<never, typeof saveOptions>, 'terminal' | 'output' | 'options' | 'signal'>

/** A saved version; its number is absent where it cannot be read now. */
type Saved = Minted & { readonly version?: number }

/** Saves a memory as the next version of a name, of the server or of your own wallet. */
export async function saveVersion(
  call: SaveCall,
  name: string,
  memory: SavedMemory,
): Promise<CommandResult> {
  return resultOf(await save(call, name, memory), name)
}

/** Saves a memory as the next version of the name `NAME`, with `--grant` as its reader. */
export function saveNamed(
  call: SaveCall & Parameters<typeof openGranted>[0],
  name: string,
  memory: SavedMemory,
): Promise<CommandResult> {
  const granted = openGranted(call, 'NAME', name)
  return granted ? saveByGrant(call, granted, memory) : saveVersion(call, name, memory)
}

/** Saves a memory as the next version of a name of another account, by the grant of a call. */
async function saveByGrant(
  call: SaveCall,
  { name, open, version }: GrantedName,
  memory: SavedMemory,
): Promise<CommandResult> {
  const { recipient, 'as-wallet': asWallet, accept } = call.options
  if (recipient !== undefined || asWallet || version !== undefined) {
    throw new UsageError(
      '--grant saves the next version, for the owner of the name; leave out --recipient, --as-wallet and a version behind the name.',
    )
  }
  const after = seenVersion(call)
  const { save } = await open(after)
  return resultOf(await save({ ...memory, accept }, toWriteOptions(call)), name)
}

function resultOf(saved: Saved, name: string): CommandResult {
  const lines = rows([
    ['Version', versionText(saved, name)],
    ['Token', saved.tokenId],
    ['Content hash', saved.contentHash],
    ['Transaction', saved.txHash],
  ])
  return { value: saved, lines }
}

function versionText({ version, unchanged }: Saved, name: string): string {
  const of = version === undefined ? `of ${name}` : `${version} of ${name}`
  return unchanged ? `${of}, as it was: it has the same bytes` : of
}

async function save(call: SaveCall, name: string, memory: SavedMemory): Promise<Saved> {
  const after = seenVersion(call)
  const { accept } = call.options
  const wallet = await findOwnWallet(call)
  const bar = progressBar(call.terminal, call.output)
  const writing = { ...toWriteOptions(call), onProgress: bar.onProgress }
  if (wallet !== undefined) {
    const named = { ...memory, name, after, accept }
    return saveOwn(call, { wallet, named, writing }).finally(bar.clear)
  }
  const recipient = await ownerOf(call)
  const { client } = await connectAsAccount(call)
  const named = client.memory(name, { seen: after ?? 'last' })
  return named.save({ ...memory, recipient, accept }, writing).finally(bar.clear)
}

/** Returns the token of `--after`, without which there is nothing to accept. */
function seenVersion({ options }: SaveCall): string | undefined {
  if (options.after !== undefined) return readTokenId('--after', options.after)
  if (!options.accept) return undefined
  throw new UsageError('--accept needs --after: the version that you have read.')
}

type OwnSave = {
  readonly wallet: Wallet
  readonly named: SavedMemory & NamedText & { readonly accept: boolean | undefined }
  readonly writing: ReturnType<typeof toWriteOptions>
}

/** Saves with your own wallet, unless its last version has the same bytes. */
async function saveOwn(call: SaveCall, { wallet, named, writing }: OwnSave): Promise<Saved> {
  const { recipient: given } = call.options
  const recipient = given === undefined ? undefined : readAddress('--recipient', given)
  const isPlain = named.card === undefined && recipient === undefined && !named.accept
  const same = isPlain ? await findSameOf(call, wallet, named) : undefined
  if (same !== undefined) return same
  const own = { ...writing, ...toActOptions(call) }
  const minted = await wallet.snapshot({ ...named, recipient }, own)
  const version = await versionOf(wallet, named.name, minted)
  return { ...minted, ...omitUndefined({ version }) }
}

type NamedText = MemoryText & { readonly name: string; readonly after: string | undefined }

/** Returns the last version of a name of your own wallet, if it has the same bytes. */
const findSameOf = (call: SaveCall, wallet: Wallet, { name, after, document }: NamedText) =>
  findSame(
    {
      versions: (page) => wallet.versions(name, page),
      download: async (tokenId) => (await connectAsAccount(call)).client.download(tokenId),
    },
    { document, after },
  )

/**
 * Returns the owner of what the server saves to a name: the one of `--recipient`, or the wallet that the
 * command would open it with.
 *
 * @throws a `UsageError`, and `client/no-account` where nobody is named who could open it
 */
export async function ownerOf(call: Pick<SaveCall, 'terminal' | 'options'>): Promise<LineOwner> {
  const { recipient: given } = call.options
  if (given === 'server') return given
  if (given !== undefined) return readAddress('--recipient', given)
  const account = await findAccount(call.terminal, serverUrl(call))
  if (account !== undefined) return account.address
  const message = 'Nobody is named who could open it.'
  throw new HeirloomError({ code: 'client/no-account', facts: {}, message })
}

/** Returns the number of a version that is saved already; `undefined` where it cannot be read now. */
async function versionOf(wallet: Wallet, name: string, { tokenId }: Minted) {
  const { items } = await wallet.versions(name, { limit: 5 }).catch(() => ({ items: [] }))
  return items.find((it) => it.tokenId === tokenId)?.version
}

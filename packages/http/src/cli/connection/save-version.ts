import type { SaveInput } from '../../client/named-memory.ts'
import type { Minted } from '../../client/responses.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import type { Call, Options } from '../arguments/command.ts'
import { omitUndefined } from '../arguments/omit-undefined.ts'
import { readTokenId } from '../arguments/read-token-id.ts'
import type { CommandResult } from '../terminal/output.ts'
import { progressBar } from '../terminal/progress-bar.ts'
import { rows } from '../terminal/rows.ts'
import { connect, serverOptions } from './connect.ts'
import { findOwnWallet, ownWalletOptions, toActOptions } from './own-wallet.ts'
import { toWriteOptions, writeOptions } from './write-options.ts'

/** The option of every command that saves to a name. */
export const afterOption = {
  after: {
    type: 'string',
    value: 'ID',
    about: 'Save only if this token is still the last version; 0 for none.',
  },
} as const satisfies Options

/** The options of a command that saves to a name. */
export const saveOptions = {
  ...afterOption,
  'idempotency-key': writeOptions['idempotency-key'],
  ...ownWalletOptions,
  ...serverOptions,
} as const satisfies Options

type SaveCall = Pick<Call<never, typeof saveOptions>, 'terminal' | 'output' | 'options' | 'signal'>

/** A saved version; its number is absent where it cannot be read now. */
type Saved = Minted & { readonly version?: number }

/** Saves a memory as the next version of a name, of the server or of your own wallet. */
export async function saveVersion(
  call: SaveCall,
  name: string,
  memory: SaveInput,
): Promise<CommandResult> {
  const saved = await save(call, name, memory)
  const lines = rows([
    ['Version', saved.version === undefined ? `of ${name}` : `${saved.version} of ${name}`],
    ['Token', saved.tokenId],
    ['Content hash', saved.contentHash],
    ['Transaction', saved.txHash],
  ])
  return { value: saved, lines }
}

async function save(call: SaveCall, name: string, memory: SaveInput): Promise<Saved> {
  const { after: token } = call.options
  const after = token === undefined ? undefined : readTokenId('--after', token)
  const wallet = await findOwnWallet(call)
  const bar = progressBar(call.terminal, call.output)
  const writing = { ...toWriteOptions(call), onProgress: bar.onProgress }
  if (wallet === undefined) {
    const client = await connect(call)
    const named = client.memory(name, { seen: after ?? 'last' })
    return named
      .save({ ...memory, recipient: memory.recipient ?? 'server' }, writing)
      .finally(bar.clear)
  }
  const own = { ...writing, ...toActOptions(call) }
  const minted = await wallet.snapshot({ ...memory, name, after }, own).finally(bar.clear)
  return { ...minted, ...omitUndefined({ version: await versionOf(wallet, name, minted) }) }
}

/** Returns the number of a version that is saved already; `undefined` where it cannot be read now. */
async function versionOf(wallet: Wallet, name: string, { tokenId }: Minted) {
  const { items } = await wallet.versions(name, { limit: 5 }).catch(() => ({ items: [] }))
  return items.find((it) => it.tokenId === tokenId)?.version
}

import type { Minted } from '../../client/responses.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import { type Call, command, type Options } from '../arguments/command.ts'
import { omitUndefined } from '../arguments/omit-undefined.ts'
import { readTokenId } from '../arguments/read-token-id.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import { findOwnWallet, ownWalletOptions, toActOptions } from '../connection/own-wallet.ts'
import { toWriteOptions, writeOptions } from '../connection/write-options.ts'
import { progressBar } from '../terminal/progress-bar.ts'
import { readInput } from '../terminal/read-input.ts'
import { rows } from '../terminal/rows.ts'
import { buildDocument } from './snapshot.ts'

const options = {
  category: {
    type: 'string',
    value: 'WORD',
    about: 'Use all of FILE as data, with this category.',
  },
  after: {
    type: 'string',
    value: 'ID',
    about: 'Save only if this token is still the last version; 0 for none.',
  },
  'idempotency-key': writeOptions['idempotency-key'],
  ...ownWalletOptions,
  ...serverOptions,
} as const satisfies Options

type SaveCall = Call<'NAME' | 'FILE', typeof options>

/** Saves a memory as the next version of a name. */
export const save = command({
  about: 'Saves a memory as the next version of a private name.',
  more: [
    'The parent of the new token is the last version. Of several saves at once one wins; the others exit with 5, and mint and pay nothing. With --after also one that was saved since you looked is never overwritten unseen.',
    'With --as-wallet the name is one of your own wallet, which mints the token.',
  ],
  words: [
    { name: 'NAME', about: 'The name, such as ada or ada/trading.' },
    { name: 'FILE', about: 'The memory; - for standard input.', file: true },
  ],
  options,
  examples: [
    { line: 'heirloom save ada memory.json', about: 'Save the next version:' },
    { line: 'heirloom save ada memory.json --after 7', about: 'Refuse if another came after 7:' },
    {
      line: 'heirloom save diary memory.json --as-wallet',
      about: 'Save to a name of your own wallet, which mints and pays:',
    },
  ],
  run: async (call) => {
    const { NAME, FILE } = call.words
    const { category } = call.options
    const bytes = await readInput(call.terminal, FILE)
    const document = buildDocument(bytes, FILE === '-' ? 'Standard input' : FILE, category)
    const saved = await saveDocument(call, document)
    const lines = rows([
      ['Version', saved.version === undefined ? `of ${NAME}` : `${saved.version} of ${NAME}`],
      ['Token', saved.tokenId],
      ['Content hash', saved.contentHash],
      ['Transaction', saved.txHash],
    ])
    await call.output.result({ value: saved, lines })
    return 0
  },
})

type Saved = Minted & { readonly version?: number }

async function saveDocument(call: SaveCall, document: Uint8Array): Promise<Saved> {
  const { after: token } = call.options
  const name = call.words.NAME
  const after = token === undefined ? undefined : readTokenId('--after', token)
  const wallet = await findOwnWallet(call)
  const bar = progressBar(call.terminal, call.output)
  const writing = { ...toWriteOptions(call), onProgress: bar.onProgress }
  if (wallet === undefined) {
    const client = await connect(call)
    const named = client.memory(name, { seen: after ?? 'last' })
    return named.save({ document }, writing).finally(bar.clear)
  }
  const own = { ...writing, ...toActOptions(call) }
  const minted = await wallet.snapshot({ document, name, after }, own).finally(bar.clear)
  return { ...minted, ...omitUndefined({ version: await versionOf(wallet, name, minted) }) }
}

/** Returns the number of a version that is saved already; `undefined` where it cannot be read now. */
async function versionOf(wallet: Wallet, name: string, { tokenId }: Minted) {
  const { items } = await wallet.versions(name, { limit: 5 }).catch(() => ({ items: [] }))
  return items.find((it) => it.tokenId === tokenId)?.version
}

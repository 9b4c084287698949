import type { Hex } from '@heirloom/core'
import { contentHashOf } from '../../client/proof/content-hash.ts'
import { HeirloomError } from '../../client/heirloom-error.ts'
import { type Call, command, type Options } from '../arguments/command.ts'
import { connect, connectAs, proofOf, proofOptions, readToken, serverOptions } from '../connection/connect.ts'
import { bytesIfThere, readInput } from '../terminal/read-input.ts'
import { rows } from '../terminal/rows.ts'
import { UsageError } from '../arguments/usage-error.ts'

const options = {
  salt: {
    type: 'string',
    value: 'FILE',
    about:
      'What holds the salt: 0x and 64 hexadecimal digits, or the headers of a download as curl -D keeps them. FILE.salt when absent.',
    file: true,
  },
  ...proofOptions,
  ...serverOptions,
} as const satisfies Options

/** Checks a file against a token. */
export const verify = command({
  about: 'Checks that a file is, byte for byte, the memory that a token records.',
  more: [
    'The content hash is sha256 of the salt and the file. Where there is no salt, the memory is downloaded with your wallet and compared.',
  ],
  words: [
    { name: 'ID', about: 'The token.' },
    { name: 'FILE', about: 'The memory as it was downloaded; - for standard input.', file: true },
  ],
  options,
  examples: [
    {
      line: 'heirloom verify 7 mem.json',
      about: 'With the salt that download left in mem.json.salt:',
    },
    {
      line: 'heirloom verify 7 mem.json --rpc-url "$RPC_URL" --registry "$REGISTRY_ADDRESS"',
      about: 'Against the chain, so that the server need not be believed:',
    },
  ],
  run: async (call) => {
    const id = readToken('ID', call.words.ID)
    const { FILE: path } = call.words
    const document = await readInput(call.terminal, { name: 'FILE', path })
    const salt = await saltBeside(path, call.options.salt)
    const contentHash = salt
      ? await verified(call, { id, document, salt })
      : await compared(call, { id, document })
    const against = call.options['rpc-url'] === undefined ? 'the record of the server' : 'the chain'
    const told = { tokenId: id, verified: true, contentHash, against, bytes: document.length }
    const lines = rows([
      ['Verified', `token ${id} against ${against}`],
      ['Content hash', contentHash],
    ])
    await call.output.answer({ value: told, lines })
    return 0
  },
})

type VerifyCall = Call<'ID' | 'FILE', typeof options>

async function verified(
  call: VerifyCall,
  {
    id,
    document,
    salt,
  }: { readonly id: string; readonly document: Uint8Array; readonly salt: Hex },
): Promise<Hex> {
  const [found, expected] = [await contentHashOf(salt, document), await recordedFor(call, id)]
  if (found === expected) return found
  throw notVerified(id, `its content hash is ${found} and not ${expected}`)
}

async function recordedFor(call: VerifyCall, id: string): Promise<Hex> {
  const { signal } = call
  const proof = proofOf(call.options)
  if (proof === undefined) {
    const { contentHash } = await (await connect(call)).info(id, { signal })
    return contentHash as Hex
  }
  const { recordedOnChain } = await import('../../client/proof/recorded-hash.ts')
  return recordedOnChain(proof, {})(id, { signal })
}

async function compared(
  call: VerifyCall,
  { id, document }: { readonly id: string; readonly document: Uint8Array },
): Promise<Hex> {
  const { client, account } = await connectAs(call)
  if (account === undefined) {
    throw new UsageError(
      'There is no salt beside FILE: give --salt, or a wallet that may download.',
    )
  }
  const memory = await client.download(id, { signal: call.signal })
  if (Buffer.compare(memory.document, document) === 0) return memory.contentHash
  throw notVerified(id, 'the downloaded memory is another one')
}

async function saltBeside(path: string, given: string | undefined): Promise<Hex | undefined> {
  const bytes = await bytesIfThere(given ?? `${path}.salt`)
  if (bytes === undefined && given === undefined) return undefined
  const [, alone, named] = saltIn.exec(Buffer.from(bytes ?? []).toString()) ?? []
  const salt = alone ?? named
  if (salt !== undefined) return salt.toLowerCase() as Hex
  throw new UsageError('--salt, or the file FILE.salt, must hold 0x and 64 hexadecimal digits.')
}

/** A salt alone, or as a header or a member of that name. */
const saltIn = /^\s*(0x[0-9a-f]{64})\s*$|salt"?\s*:\s*"?(0x[0-9a-f]{64})\b/i

function notVerified(tokenId: string, problem: string): HeirloomError<'client/not-verified'> {
  return new HeirloomError({
    code: 'client/not-verified',
    facts: { tokenId, problem },
    message: `The file is not the memory of token ${tokenId}: ${problem}.`,
  })
}

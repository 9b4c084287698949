import { documentOf, type Hex } from '@heirloom/core'
import { contentHashOf } from '../../client/content-hash.ts'
import { HeirloomError } from '../../client/heirloom-error.ts'
import { type Call, command, type Options, UsageError } from '../arguments/command.ts'
import { readTokenId } from '../arguments/read-values.ts'
import {
  connect,
  connectAsAccount,
  proofOptions,
  readProof,
  serverOptions,
} from '../connection/connect.ts'
import { readIfExists, readInput } from '../terminal/files.ts'
import { rows } from '../terminal/value-text.ts'

const options = {
  salt: {
    type: 'string',
    value: 'FILE',
    about:
      'The file with the salt: 0x and 64 hex digits, or the response headers as saved by curl -D. Default: FILE.salt.',
    file: true,
  },
  ...proofOptions,
  ...serverOptions,
} as const satisfies Options

/** Verifies a file against a token. */
export const verify = command({
  about: 'Verifies that a file is, byte for byte, the memory of a token.',
  more: [
    'The content hash is the SHA-256 of the salt and the file. Without a salt, the memory is downloaded with your wallet and compared.',
  ],
  words: [
    { name: 'ID', about: 'The token.' },
    { name: 'FILE', about: 'The downloaded memory; - for standard input.', file: true },
  ],
  options,
  examples: {
    'Verify with the salt in mem.json.salt:': 'heirloom verify 7 mem.json',
    'Verify against the chain, without trusting the server:':
      'heirloom verify 7 mem.json --rpc-url "$RPC_URL" --registry "$REGISTRY_ADDRESS"',
  },
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const { FILE: path } = call.words
    const document = await readInput(call.terminal, path)
    const salt = await readSalt(path, call.options.salt)
    const contentHash = salt
      ? await verifyHash(call, { id, document, salt })
      : await compareDownload(call, { id, document })
    const record = readProof(call.options) ? 'the chain' : 'the chain, as the server reports it'
    const against = salt ? record : `the downloaded memory, whose hash matches ${record}`
    const value = { tokenId: id, verified: true, contentHash, against, bytes: document.length }
    const lines = rows([
      ['Verified', `token ${id}`],
      ['Compared with', against],
      ['Content hash', contentHash],
    ])
    await call.output.result({ value, lines })
  },
})

type VerifyCall = Call<'ID' | 'FILE', typeof options>

async function verifyHash(
  call: VerifyCall,
  {
    id,
    document,
    salt,
  }: { readonly id: string; readonly document: Uint8Array; readonly salt: Hex },
): Promise<Hex> {
  const [found, expected] = [await contentHashOf(salt, document), await readContentHash(call, id)]
  if (found === expected) return found
  const inner = membersAlone(document)
  if (inner !== undefined && (await contentHashOf(salt, inner)) === expected) throw onlySpace(id)
  throw notVerified(id, `its content hash is ${found}, not ${expected}`)
}

async function readContentHash(call: VerifyCall, id: string): Promise<Hex> {
  const { signal } = call
  const proof = readProof(call.options)
  if (proof === undefined) {
    const { contentHash } = await (await connect(call)).info(id, { signal })
    return contentHash as Hex
  }
  const { readHashFromChain } = await import('../../client/recorded-hash.ts')
  return readHashFromChain(proof, {})(id, { signal })
}

async function compareDownload(
  call: VerifyCall,
  { id, document }: { readonly id: string; readonly document: Uint8Array },
): Promise<Hex> {
  const { client, account } = await connectAsAccount(call)
  if (account === undefined) {
    throw new UsageError(
      'No salt: there is no FILE.salt. Pass --salt FILE, or set HEIRLOOM_PRIVATE_KEY to a wallet that may download the token.',
    )
  }
  const memory = await client.download(id, { signal: call.signal, scan: 'never' })
  if (Buffer.compare(memory.document, document) === 0) return memory.contentHash
  const inner = membersAlone(document)
  if (inner !== undefined && Buffer.compare(memory.document, inner) === 0) throw onlySpace(id)
  throw notVerified(id, 'the downloaded memory is different')
}

/** Returns the document that a snapshot of a file seals; `undefined` for a file that is none. */
function membersAlone(file: Uint8Array): Uint8Array | undefined {
  try {
    return documentOf(file)
  } catch {
    return undefined
  }
}

const onlySpace = (id: string): HeirloomError<'client/not-verified'> =>
  notVerified(
    id,
    `its data and metadata are the same, but there is more around them, such as a line end; heirloom download ${id} -o FILE writes the exact bytes`,
  )

async function readSalt(path: string, given: string | undefined): Promise<Hex | undefined> {
  const saltFile = given ?? `${path}.salt`
  const bytes = await readIfExists(saltFile)
  if (bytes === undefined && given === undefined) return undefined
  const [, alone, named] = saltPattern.exec(Buffer.from(bytes ?? []).toString()) ?? []
  const salt = alone ?? named
  if (salt !== undefined) return salt.toLowerCase() as Hex
  throw new UsageError(`${saltFile} must contain a salt: 0x and 64 hexadecimal digits.`)
}

/** Matches a salt alone, or a header or JSON member with a name that ends in salt. */
const saltPattern = /^\s*(0x[0-9a-f]{64})\s*$|salt"?\s*:\s*"?(0x[0-9a-f]{64})\b/i

function notVerified(tokenId: string, problem: string): HeirloomError<'client/not-verified'> {
  return new HeirloomError({
    code: 'client/not-verified',
    facts: { tokenId, problem },
    message: `The file is not the memory of token ${tokenId}: ${problem}.`,
  })
}

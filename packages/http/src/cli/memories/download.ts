import { hash } from 'node:crypto'
import { checkSample, describeLie } from '../../client/check-sample.ts'
import type { Client } from '../../client/client.ts'
import type { Memory } from '../../client/download.ts'
import { type Call, command, type Options } from '../arguments/command.ts'
import { readTokenId } from '../arguments/read-values.ts'
import {
  connectAsAccount,
  grantOption,
  proofOptions,
  serverOptions,
} from '../connection/connect.ts'
import { flaggedOption, heldBackCode, holdsBack } from '../connection/hold-back.ts'
import { tokenOfGranted } from '../connection/read-version.ts'
import { requireFree, writeAtomically } from '../terminal/files.ts'
import { printableJson, progressBar, writeTo } from '../terminal/output.ts'
import { rows } from '../terminal/value-text.ts'

const options = {
  output: {
    type: 'string',
    short: 'o',
    value: 'FILE',
    about: 'Write the memory to FILE, and its salt to FILE.salt.',
    file: true,
  },
  force: { type: 'boolean', about: 'Replace files that exist.' },
  ...flaggedOption,
  'salt-to': { type: 'string', value: 'FILE', about: 'Write the salt to FILE.', file: true },
  ...grantOption,
  ...proofOptions,
  ...serverOptions,
} as const satisfies Options

/** Downloads a memory. */
export const download = command({
  about:
    'Downloads and decrypts the memory of a token that you own, rent or may read by a grant, and verifies it.',
  more: [
    'When the memory of another holds text that could mislead its reader, heirloom says where, prints nothing, writes FILE.quarantined instead of FILE, and exits with 9; --flagged prints or writes it all the same. The bytes are never changed.',
    'Prints or writes nothing when the memory does not match its record. A file written with --output can be verified again at any time.',
  ],
  words: [
    { name: 'ID', about: 'The token, or with --grant a name with its owner, as in 0x…:ada.' },
  ],
  options,
  examples: {
    'Save the exact bytes of the snapshot:': 'heirloom download 7 > memory.json',
    'Save it with its salt, and verify the file:':
      'heirloom download 7 -o mem.json && heirloom verify 7 mem.json',
    'Pass it to a program:': 'heirloom download 7 | jq .data',
  },
  run: async (call) => {
    const { ID: text } = call.words
    const isName = text.includes(':') || (call.options.grant && !/^[0-9-]*$/.test(text))
    const granted = isName ? await tokenOfGranted(call, 'ID', text) : undefined
    const id = granted ?? readTokenId('ID', text)
    const { output: file, 'salt-to': saltTo = file && `${file}.salt` } = call.options
    requireFree(call.options, file, saltTo)
    const { client } = await connectAsAccount(call)
    const bar = progressBar(call.terminal, call.output)
    const { signal } = call
    const memory = await client
      .download(id, { signal, onProgress: bar.onProgress })
      .finally(bar.clear)
    const isHeld = await holdsBack(call, memory, adviceOf(call))
    if (!isHeld || file !== undefined) await writeMemory(call, memory, isHeld)
    await reportLie(call, client, memory)
    return isHeld ? heldBackCode : 0
  },
})

/** The ending of the name of a file with a memory that is held back. */
const quarantined = '.quarantined'

function adviceOf({ options: { output } }: DownloadCall): string {
  return output === undefined
    ? 'Pass --flagged to print it, or -o FILE to write it apart.'
    : `The exact bytes are in ${output}${quarantined}; pass --flagged to write ${output}.`
}

type DownloadCall = Call<'ID', typeof options>

/** Says when the sample that the memory was shown with is false. The memory itself is verified. */
async function reportLie(
  { output, signal }: DownloadCall,
  client: Pick<Client, 'excerpts'>,
  memory: Memory,
): Promise<void> {
  // The memory is already written, so a catalogue that does not answer must not fail the command.
  const check = await checkSample(client, memory, { sha256, signal }).catch(() => undefined)
  if (check?.isTrue === false) await output.note([{ style: 'yellow', text: describeLie(check) }])
}

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer')

async function writeMemory(call: DownloadCall, memory: Memory, isHeld: boolean): Promise<void> {
  const { output, force } = call.options
  const file = output && `${output}${isHeld ? quarantined : ''}`
  const saltTo = call.options['salt-to'] ?? (file && `${file}.salt`)
  if (isHeld) requireFree({ force }, file, saltTo)
  // The salt first, so that no memory is ever without it.
  if (saltTo !== undefined) await writeAtomically(saltTo, `${memory.salt}\n`)
  if (file === undefined) return printMemory(call, memory)
  await writeAtomically(file, memory.document)
  const { tokenId, contentHash, salt, document } = memory
  const value = { tokenId, contentHash, salt, bytes: document.length, file, saltFile: saltTo }
  const lines = rows([
    ['Written', `${file}, ${document.length} bytes`],
    ['Salt', saltTo ?? ''],
    ['Verified', contentHash],
  ])
  await call.output.result({ value, lines })
}

function printMemory({ terminal, output }: DownloadCall, memory: Memory): Promise<void> {
  if (!output.json) return output.document(memory.document)
  const { tokenId, contentHash, salt, document } = memory
  const head = JSON.stringify({ tokenId, contentHash, salt })
  // The text is not parsed: its numbers may exceed the precision of a JavaScript number.
  const text = `${head.slice(0, -1)},${Buffer.from(document).toString().slice(1)}`
  return writeTo(terminal.stdout, `${printableJson(text)}\n`)
}

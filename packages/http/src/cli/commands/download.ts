import type { Memory } from '../../client/download.ts'
import { type Call, command, type Options } from '../arguments/command.ts'
import { connectAs, proofOptions, readToken, serverOptions } from '../connection/connect.ts'
import { writeWhole } from '../terminal/read-input.ts'
import { write } from '../terminal/output.ts'
import { printableJson } from '../terminal/printable.ts'
import { progressBar } from '../terminal/progress-bar.ts'
import { rows } from '../terminal/rows.ts'

const options = {
  output: {
    type: 'string',
    short: 'o',
    value: 'FILE',
    about: 'Write the memory there, and its salt beside it as FILE.salt.',
    file: true,
  },
  'salt-to': { type: 'string', value: 'FILE', about: 'Write the salt there.', file: true },
  ...proofOptions,
  ...serverOptions,
} as const satisfies Options

/** Opens a memory. */
export const download = command({
  about: 'Opens the memory of a token that you own or rent, and checks it against the record.',
  more: [
    'Nothing is printed or written of a memory that is not what is recorded. With --output, verify can check the file again at any time.',
  ],
  words: [{ name: 'ID', about: 'The token.' }],
  options,
  examples: [
    { line: 'heirloom download 7 > memory.json', about: 'The exact bytes that were snapshot:' },
    {
      line: 'heirloom download 7 -o mem.json && heirloom verify 7 mem.json',
      about: 'To be checked later:',
    },
    { line: 'heirloom download 7 | jq .data', about: 'Straight into a program:' },
  ],
  run: async (call) => {
    const id = readToken('ID', call.words.ID)
    const { client } = await connectAs(call)
    const bar = progressBar(call.terminal, call.output)
    const { signal } = call
    const memory = await client
      .download(id, { signal, onProgress: bar.onProgress })
      .finally(bar.clear)
    await handOver(call, memory)
    return 0
  },
})

type DownloadCall = Call<'ID', typeof options>

async function handOver(call: DownloadCall, memory: Memory): Promise<void> {
  const { output: file, 'salt-to': saltTo = file && `${file}.salt` } = call.options
  // Before the memory, so that one is never there without its salt.
  const option = call.options['salt-to'] === undefined ? '--output' : '--salt-to'
  if (saltTo !== undefined) await writeWhole(option, saltTo, `${memory.salt}\n`)
  if (file === undefined) return printed(call, memory)
  await writeWhole('--output', file, memory.document)
  const { tokenId, contentHash, salt, document } = memory
  const told = { tokenId, contentHash, salt, bytes: document.length, file, saltFile: saltTo }
  const lines = rows([
    ['Written', `${file}, ${document.length} bytes`],
    ['Salt', saltTo ?? ''],
    ['Verified', contentHash],
  ])
  await call.output.answer({ value: told, lines })
}

function printed({ terminal, output }: DownloadCall, memory: Memory): Promise<void> {
  if (!output.json) return output.document(memory.document)
  const { tokenId, contentHash, salt, document } = memory
  const head = JSON.stringify({ tokenId, contentHash, salt })
  // The text of the memory stays as it is: its numbers may be more than a number here can hold.
  const text = `${head.slice(0, -1)},${Buffer.from(document).toString().slice(1)}`
  return write(terminal.stdout, `${printableJson(text)}\n`)
}

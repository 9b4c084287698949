import type { FormatName } from '@heirloom/adapters/formats'
import { command } from './command.ts'
import { connectAs, proofOptions, readToken, serverOptions } from './connect.ts'
import { writeSources } from './folder.ts'
import { formats } from './import.ts'
import { rows } from './rows.ts'

/** Gives a memory back to the program that it came from. */
export const exportCommand = command({
  about: 'Opens the memory of a token, and writes it as the files it was imported from.',
  more: ['Files that are there already are never written over.'],
  words: [
    { name: 'ID', about: 'The token.' },
    { name: 'DIR', about: 'The folder to write into.', file: true },
  ],
  options: {
    format: {
      type: 'string',
      choices: formats,
      about: 'As what; as what it came when absent.',
    },
    ...proofOptions,
    ...serverOptions,
  },
  examples: [{ line: 'heirloom export 7 restored', about: 'Into a folder of that name:' }],
  run: async (call) => {
    const id = readToken('ID', call.words.ID)
    const { client } = await connectAs(call)
    const { document } = await client.download(id, { signal: call.signal })
    const { exportMemory } = await import('@heirloom/adapters/formats')
    const files = exportMemory(document, call.options.format as FormatName | undefined)
    await writeSources(call.words.DIR, files)
    const told = files.map(({ path, bytes }) => ({ path, bytes: bytes.length }))
    const lines = rows(
      told.map(({ path, bytes }) => ['Written', `${path}, ${bytes} bytes`] as const),
    )
    await call.output.answer({ value: { tokenId: id, files: told }, lines })
    return 0
  },
})

import type { FormatName, Left } from '@heirloom/adapters/formats'
import { Failure } from '@heirloom/core'
import { command } from '../arguments/command.ts'
import { connectAs, proofOptions, readToken, serverOptions } from '../connection/connect.ts'
import { writeSources } from '../terminal/source-files.ts'
import { formats } from './import.ts'
import { rows } from '../terminal/rows.ts'

function refuseAll([first]: readonly Left[]): never {
  const { what, why } = first ?? { what: 'The memory', why: 'it holds no file' }
  const problem = `${why}; --unsafe-names writes it, and download the whole memory`
  throw new Failure('import/malformed', { what, problem })
}

/** Gives a memory back to the program that it came from. */
export const exportCommand = command({
  about: 'Opens the memory of a token, and writes it as the files it was imported from.',
  more: [
    'Files that are there already are never written over. Only texts are written, and none under a name that programs run or read as configuration: the memory may come from anybody.',
  ],
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
    'unsafe-names': {
      type: 'boolean',
      about: 'Write every file, under whatever name it has.',
    },
    ...proofOptions,
    ...serverOptions,
  },
  examples: [{ line: 'heirloom export 7 restored', about: 'Into a folder of that name:' }],
  run: async (call) => {
    const id = readToken('ID', call.words.ID)
    const { client } = await connectAs(call)
    const { document } = await client.download(id, { signal: call.signal })
    const { exportMemory, safeFiles } = await import('@heirloom/adapters/formats')
    const all = exportMemory(document, call.options.format as FormatName | undefined)
    const { files, left } = call.options['unsafe-names'] ? { files: all, left: [] } : safeFiles(all)
    if (files.length === 0) refuseAll(left)
    await writeSources(call.words.DIR, files)
    const written = files.map(({ path, bytes }) => ({ path, bytes: bytes.length }))
    const lines = rows([
      ...written.map(({ path, bytes }) => ['Written', `${path}, ${bytes} bytes`] as const),
      ...left.map(({ what, why }) => ['Left out', `${what}: ${why}`] as const),
    ])
    await call.output.answer({ value: { tokenId: id, files: written, left }, lines })
    return 0
  },
})

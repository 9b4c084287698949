import type { FormatName, Omission } from '@heirloom/adapters/formats'
import { Failure } from '@heirloom/core'
import { command } from '../arguments/command.ts'
import { connectAsAccount } from '../connection/connect.ts'
import { flaggedOption, heldBackCode, holdsBack } from '../connection/hold-back.ts'
import { tokenHelp, versionOptions, versionReader } from '../connection/read-version.ts'
import { isLive } from '../importing/live-source.ts'
import { toNativeFiles, writeLive } from '../importing/write-export.ts'
import { rows } from '../terminal/rows.ts'
import { writeSourceFiles } from '../terminal/source-files.ts'
import { formats } from './import.ts'

function refuseExport([first]: readonly Omission[]): never {
  const { what, why } = first ?? { what: 'The memory', why: 'it has no file' }
  const problem = `${why}; pass --unsafe-names to write it, or use heirloom download`
  throw new Failure('import/malformed', { what, problem })
}

/** Writes a memory in the format of the program that it came from. */
export const exportCommand = command({
  about: 'Downloads the memory of a token, and writes it as the files it was imported from.',
  more: [
    'Never overwrites a file. A memory may come from anybody, so only text files are written, and none with a name that programs execute or read as configuration.',
  ],
  words: [
    { name: 'ID', about: tokenHelp },
    {
      name: 'DIR',
      about: 'The folder to write into; or letta: or postgres://HOST/DATABASE.',
      file: true,
    },
  ],
  options: {
    format: {
      type: 'string',
      choices: formats,
      about: 'The format to write. Default: the format it was imported from.',
    },
    'unsafe-names': {
      type: 'boolean',
      about: 'Write all files, whatever their names.',
    },
    ...flaggedOption,
    ...versionOptions,
  },
  examples: [
    { line: 'heirloom export 7 restored', about: 'Write into the folder restored:' },
    {
      line: 'heirloom export ada/notes@1 notes',
      about: 'Write the first version of a name into the folder notes:',
    },
  ],
  run: async (call) => {
    const id = await versionReader(call).token('ID', call.words.ID)
    const { client } = await connectAsAccount(call)
    const memory = await client.download(id, { signal: call.signal })
    if (await holdsBack(call, memory, 'Pass --flagged to write its files.')) return heldBackCode
    const { document } = memory
    const { exportMemory, safeFiles } = await import('@heirloom/adapters/formats')
    const all = exportMemory(document, call.options.format as FormatName | undefined)
    const { files, left } = call.options['unsafe-names'] ? { files: all, left: [] } : safeFiles(all)
    if (files.length === 0) refuseExport(left)
    if (isLive(call.words.DIR)) {
      await call.output.result(await writeLive(call, call.words.DIR, files))
      return 0
    }
    const native = await toNativeFiles(files)
    await writeSourceFiles(call.words.DIR, native)
    const written = native.map(({ path, bytes }) => ({ path, bytes: bytes.length }))
    const lines = rows([
      ...written.map(({ path, bytes }) => ['Written', `${path}, ${bytes} bytes`] as const),
      ...left.map(({ what, why }) => ['Left out', `${what}: ${why}`] as const),
    ])
    await call.output.result({ value: { tokenId: id, files: written, left }, lines })
    return 0
  },
})

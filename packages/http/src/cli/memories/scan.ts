import { statSync } from 'node:fs'
import type { Scan } from '@heirloom/adapters/internal/scan/finding'
import { type Call, command, UsageError } from '../arguments/command.ts'
import { connectAsAccount } from '../connection/connect.ts'
import { findingLines, heldBackCode } from '../connection/hold-back.ts'
import { versionOptions, versionReader } from '../connection/read-version.ts'
import { readInput } from '../terminal/files.ts'

/** Scans a file or a memory, one's own too. */
export const scan = command({
  about: 'Reports text that could mislead or steer whoever reads a memory or a file.',
  more: [
    'Finds instructions that are aimed at the reader, characters that nothing shows, links that carry data away, marks of chat templates, calls of tools, and the same in encodings. Changes nothing.',
    'WHAT is a token, a name such as ada, ada@3 or ada@2026-10-01, or a file; a file has a dot or a slash in its name, or is - for standard input. Memories of others are scanned by download, restore, export and part as well; this command scans your own too.',
    'Exits with 9 when it finds anything that those hold back.',
  ],
  words: [{ name: 'WHAT', about: 'The token, the name or the file.', file: true }],
  options: versionOptions,
  // Nothing has to be put in order, so that Ctrl-C ends the process, also in a long scan.
  ownSignals: true,
  examples: {
    'Scan the memory of a token:': 'heirloom scan 7',
    'Scan a file:': 'heirloom scan notes.md',
    'Count what was found:': 'heirloom scan 7 --json | jq .counts',
  },
  run: async (call) => {
    const { scanText } = await import('@heirloom/adapters/internal/scan/scan-text')
    const found = scanText(await readText(call))
    const { findings, counts, held } = found
    const value = { counts, held: held.length, findings }
    await call.output.result({ value, lines: [...findingLines(findings), summary(found)] })
    return held.length > 0 ? heldBackCode : 0
  },
})

type ScanCall = Call<'WHAT', typeof versionOptions>

async function readText(call: ScanCall): Promise<string> {
  const { WHAT: what } = call.words
  const isFile = what === '-' || /[./]/.test(what)
  const bytes = isFile && isThere(what) ? await readInput(call.terminal, what) : await open(call)
  return decode(bytes, what === '-' ? 'Standard input' : what)
}

const isThere = (path: string): boolean =>
  path === '-' ||
  !/^[^./][^.]*\//.test(path) ||
  statSync(path, { throwIfNoEntry: false }) !== undefined

async function open(call: ScanCall): Promise<Uint8Array> {
  const { client } = await connectAsAccount(call)
  const id = await versionReader(call).token('WHAT', call.words.WHAT)
  return (await client.download(id, { signal: call.signal, scan: 'never' })).document
}

/** Returns the text of a file or a memory. @throws a `UsageError` with the place where it is none */
async function decode(bytes: Uint8Array, what: string): Promise<string> {
  const { textFault } = await import('@heirloom/adapters/formats')
  const fault = textFault(bytes)
  if (fault !== undefined) throw new UsageError(`${what} is invalid: ${fault}.`)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

function summary({ findings, counts, held }: Scan): string {
  if (findings.length === 0) return 'Nothing was found. That is no proof: see docs/scanning.md.'
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return `${all} found; ${held.length === 1 ? '1 string' : `${held.length} strings`} would be held back in a memory of another.`
}

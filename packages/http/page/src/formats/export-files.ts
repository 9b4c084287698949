import { exportMemory, type FormatName, formatNames, safeFiles } from '@heirloom/adapters/formats'
import { parseJson, readMembers } from '@heirloom/core'
import { zipSync } from 'fflate'

/** The formats in which a memory can be saved. */
export type SaveChoices = Readonly<ReturnType<typeof listSaveChoices>>

/** Returns the formats in which a memory can be saved. */
export function listSaveChoices(document: Uint8Array) {
  // The format it was imported from restores its files byte for byte.
  const original = originOf(document)
  const others = formatNames.filter((name) => name !== 'json' && name !== original)
  return { original, others: others.filter((name) => canExport(document, name)) }
}

function originOf(document: Uint8Array): FormatName | undefined {
  const metadata = readMembers(document).get('metadata')
  if (metadata === undefined) return undefined
  const { importedFrom } = parseJson(metadata) as { readonly importedFrom?: { format?: unknown } }
  return formatNames.find((name) => name === importedFrom?.format)
}

function canExport(document: Uint8Array, format: FormatName): boolean {
  try {
    exportMemory(document, format)
    return true
  } catch {
    return false
  }
}

/** A memory in a format, or in that of its imported files; the name is that of a file that holds several. */
export type Exported<Document> = {
  readonly document: Document
  readonly format?: FormatName | undefined
  readonly name: string
}

/**
 * Exports a memory to one file: the only one of its format, or an archive of several.
 *
 * @throws `import/malformed` when the memory does not have the format
 */
export function exportFiles({ document, format, name }: Exported<Uint8Array>) {
  const exported = exportMemory(document, format)
  const [only, ...others] = exported
  if (only !== undefined && others.length === 0) {
    return { name: safeName(only.path), blob: new Blob([Uint8Array.from(only.bytes)]), left: [] }
  }
  const { files, left } = safeFiles(exported)
  const bytes = zipSync(Object.fromEntries(files.map((it) => [it.path, it.bytes])))
  const blob = new Blob([Uint8Array.from(bytes)], { type: 'application/zip' })
  return { name: `${name}.zip`, blob, left: left.map(({ what }) => what) }
}

/**
 * Returns a name under which no system runs a file: a memory may come from anybody, and says how
 * its file is called.
 */
function safeName(path: string): string {
  const own = path.split('/').at(-1) ?? ''
  const name = own
    .replaceAll(/[\p{C}\\:*?"<>|]/gu, '_')
    .replace(/^\.+/, '_')
    .slice(-120)
  return /\.(jsonl?|af|md|mdx|markdown|txt)$/i.test(name) ? name : `${name}.txt`
}

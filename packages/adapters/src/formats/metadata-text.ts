import { type JsonText, parseJson, readMembers } from '@heirloom/core'
import { type MetadataInput, metadataNames } from './import-report.ts'
import type { ImportedFrom } from './imported-from.ts'

/** Returns the text of the metadata of an import: what is known, then where it came from. */
export function metadataText(known: MetadataInput, origin: ImportedFrom): string {
  const { category, agentId, version } = known
  return JSON.stringify({ category, agentId, version, importedFrom: origin })
}

/**
 * Returns metadata with some members set anew. Every other member stays letter for letter, and so
 * does all of it when nothing changes.
 */
export function withMetadata(metadata: JsonText, wanted: MetadataInput): string {
  const parsed = parseJson(metadata) as MetadataInput
  const changed = metadataNames.filter(
    (name) => wanted[name] !== undefined && wanted[name] !== parsed[name],
  )
  if (changed.length === 0) return decoded(metadata)
  const members = new Map([...readMembers(metadata)].map(([name, text]) => [name, decoded(text)]))
  for (const name of changed) members.set(name, JSON.stringify(wanted[name]))
  return `{${[...members].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`
}

const decoded = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

import { type JsonText, parseJson, readMembers } from '@heirloom/core'
import { type MetadataInput, metadataNames } from './import-report.ts'
import type { ImportedFrom } from './imported-from.ts'

/** Returns the JSON text of the metadata of an import: the known members, then the origin. */
export function importedMetadata(known: MetadataInput, origin: ImportedFrom): string {
  const { category, agentId, version } = known
  return JSON.stringify({ category, agentId, version, importedFrom: origin })
}

/**
 * Returns the JSON text of metadata with some members replaced. The text of every other member, and
 * of unchanged metadata as a whole, stays the same.
 */
export function updateMetadata(metadata: JsonText, changes: MetadataInput): string {
  const current = parseJson(metadata) as MetadataInput
  const changed = metadataNames.filter(
    (name) => changes[name] !== undefined && changes[name] !== current[name],
  )
  if (changed.length === 0) return decode(metadata)
  const members = new Map([...readMembers(metadata)].map(([name, text]) => [name, decode(text)]))
  for (const name of changed) members.set(name, JSON.stringify(changes[name]))
  return `{${[...members].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`
}

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
